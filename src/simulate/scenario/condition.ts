/** Conditions of a scenario in CEL: over an event and the run after it, and over the figures of all runs. */
import { whenCompiler, type When } from '../../core/graph/cel/when.ts'

/** The names that conditions of the oracle may use. */
const FACT_NAMES = [
  'event',
  'state',
  'context',
  'time',
  'steps',
  'toolCalls',
  'modelCalls',
  'tokens',
  'usd',
  'ended',
  'outcome',
  'reason',
  'output',
  'findings',
  'escape',
  'breakers',
  'injected',
  'healed',
  'system',
] as const

export type FactName = (typeof FACT_NAMES)[number]

/** Compiles a condition of the oracle; its fault contains the position. */
export const compileCondition: (text: string) => When = whenCompiler(FACT_NAMES)

/** `diff.naive.success.low`: the policy under test minus `naive`. */
export const DIFFERENCES = 'diff'

/** The figures of the policy under test without faults. */
export const HEALTHY = 'healthy'

/** Compiles gates, which may use the name of each policy, `healthy` and `diff`. */
export const gateCompiler = (policies: readonly string[]): ((text: string) => When) =>
  whenCompiler([...policies, HEALTHY, DIFFERENCES])
