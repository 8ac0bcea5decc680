/** Conditions of breakpoints in CEL, over one row of a journal and the run after it. */
import type { AgentMachine } from '../graph/agent-machine.ts'
import { type Budget, timedBudget } from '../graph/cel/cost.ts'
import { whenCompiler } from '../graph/cel/when.ts'
import type { Row, Run } from './run.ts'
import { channelValues } from './view.ts'
import { computed } from '../watch/data/computed.ts'
import { codedError, guardOf } from '../watch/data/fault.ts'
import type { Json } from '../watch/data/json.ts'
import type { Spent } from '../watch/event/call-event.ts'

/** The values that a condition reads: a row, and the spending and the channels after it. */
export interface ConditionInput
  extends Pick<Row, 'seq' | 'event' | 'findings' | 'verdict' | 'edges'> {
  readonly spent: Spent
  /** An append channel is a list. */
  readonly channels: Readonly<Record<string, Json>>
}

/** Whether a condition is true for an event. Conditions may share a budget. */
export type Condition = (of: ConditionInput, budget?: Budget) => boolean

/** The condition of a breakpoint is not valid. The message has the position of the fault. */
export class InvalidCondition extends codedError('InvalidCondition', 'invalid-condition') {}

/** Whether an error is an `InvalidCondition`. */
export const isInvalidCondition = guardOf(InvalidCondition)

const NAMES = ['seq', 'event', 'findings', 'verdict', 'edges', 'spent', 'channels'] as const

/** Characters of an expression. */
const CHARACTERS_MAX = 2_000

/** The items of a list that are read. */
const ITEMS_MAX = 1_000
/** A driver evaluates a condition for each row. */
const COST_MAX = 2_000_000
const compile = whenCompiler(NAMES, { cost: COST_MAX, items: ITEMS_MAX })

/** What all conditions may use at one event, together. They pause a thread and decide nothing that is replayed, so time may end them. */
export const conditionBudget = (now: () => number): Budget => timedBudget(now, COST_MAX)

/**
 * Compiles a condition: `event.type == 'tool.called' && event.subject == 'search'`, `spent.usd >= 1.0`. A condition that reads a
 * missing field, or that costs more than 2,000,000 steps, is false. Of a longer list, it reads the first 1000 items.
 * @throws InvalidCondition
 * @example const isLoop = conditionOf("findings.exists(f, f.kind == 'loop')")
 */
export function conditionOf(expression: string): Condition {
  if (expression.length > CHARACTERS_MAX)
    throw new InvalidCondition(`when: expected at most ${CHARACTERS_MAX} characters`)
  const { evaluate, type, fault } = compile(expression)
  if (!evaluate) throw new InvalidCondition(`when: ${fault}`)
  if (type !== 'bool' && type !== 'dyn')
    throw new InvalidCondition(`when: expected a condition, which is true or false, not ${type}`)
  return (of, budget) => {
    try {
      return evaluate(name => of[name as keyof ConditionInput] as Json, budget) === true
    } catch {
      return false
    }
  }
}

/** The input of conditions for a row. `run` is the run after it. The channels are read on access. */
export function conditionInput(machine: AgentMachine, run: Run, row: Row): ConditionInput {
  const { seq, event, findings, verdict, edges } = row
  const input = { seq, event, findings, verdict, edges, spent: run.watch.account.spent }
  return withChannels(input, { machine, run })
}

type ChannelsOf = Readonly<{ machine: AgentMachine; run: Run }>

const withChannels = computed<ChannelsOf, Pick<ConditionInput, 'channels'>>({
  channels: ({ machine, run }) => channelValues(machine, run),
})
