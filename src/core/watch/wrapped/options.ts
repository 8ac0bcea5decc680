/** The options of a watchdog: their checks, and its policy. */
import { z } from 'zod'
import { SPENDABLE } from '../event/call-event.ts'
import { moneyLimits } from '../policy/money-limits.ts'
import { InvalidPolicy, type Limits, type Policy, parsePolicy } from '../policy/policy.ts'
import type { PolicyNotation } from '../policy/policy-keys.ts'
import { price } from '../policy/price-key.ts'
import type { BreakerCell } from '../failure/breaker.ts'
import type { Redact } from '../failure/failure.ts'
import { takenNames, unknownParts } from '../part-faults.ts'
import type { CustomParts, WatchParts } from '../parts.ts'
import { aFlag, aFunction, aText, breakers, capabilities, checkKinds } from './option-kinds.ts'
import {
  type OptionKinds,
  customParts,
  storedState,
  substitutes,
  toolNames,
} from './option-kinds.ts'
import type { Capabilities, WatchdogRow, WatchdogState } from './state.ts'
import type { AgentOptions } from './turn.ts'

/** The options of `watchdog`. */
export interface WatchdogOptions extends AgentOptions {
  /** Overrides of the default policy, in spec notation. */
  readonly policy?: PolicyNotation
  /** The stored state of an earlier watchdog. Default: a new watch. */
  readonly state?: WatchdogState
  /** Custom detectors, rungs and classifier. */
  readonly parts?: CustomParts
  /** Breakers shared with other agents of the process. Default: separate breakers. */
  readonly breakers?: BreakerCell
  /** Receives every row in order, with its thread. `recorder` stores them. */
  readonly record?: RecordRow
  /** The thread name for `record`. Default: the name of the agent. */
  readonly thread?: string
  /** For each tool, the tool to call while its breaker is open. */
  readonly substitutes?: Readonly<Record<string, string>>
  /** What the integration can do with the agent. Default: everything. */
  readonly can?: Partial<Capabilities>
}

/** Takes a row of a thread. `redact` masks the secrets of all values that the watchdog receives. */
export interface RecordRow {
  (row: WatchdogRow, thread: string): void
  readonly redact?: Redact
}

const OPTIONS: OptionKinds<WatchdogOptions> = {
  // `policyOf` checks it.
  policy: z.unknown(),
  price,
  state: storedState,
  agent: aText,
  model: aText,
  thread: aText,
  record: aFunction,
  writes: toolNames,
  commandExpected: aFlag,
  substitutes,
  breakers,
  parts: customParts,
  can: capabilities,
}

/** `others`: the options that an integration adds or changes. @throws TypeError */
export const checkOptions = (given: unknown, others: Readonly<Record<string, z.ZodType>> = {}) =>
  checkKinds(given, { ...OPTIONS, ...others })

/** For integrations, whose calls cost only what `price` makes of their tokens. @throws InvalidPolicy */
export function checkPrice({ policy, price }: Pick<WatchdogOptions, 'policy' | 'price'>): void {
  if (price) return
  const faults = moneyLimits(policy?.limits).map(limit => ({
    path: `policy.${limit}`,
    message: UNPRICED,
  }))
  if (faults.length > 0) throw new InvalidPolicy(faults)
}

const UNPRICED =
  'has no effect without the price of the model; set `price: { input, output }`, in US dollars per million tokens'

/** Whether an agent of another framework is followed is not known. */
const UNATTENDED = {
  path: 'policy.escape.unattended',
  message: 'has no effect in a wrapped agent; set escape.ladder or mode of this watchdog',
}

/** A wrapped agent has no store of its own. */
const LEARN = {
  path: 'policy.escape.learn',
  message: 'has no effect in a wrapped agent; set escape.orders',
}

/**
 * Default limits apply to each round, so that a conversation can last. In mode `observe` only explicit limits apply.
 *
 * @throws InvalidPolicy, also for names that neither the package nor the parts have
 */
export function policyOf(notation: PolicyNotation, parts: WatchParts): Policy {
  const policy = parsePolicy(notation)
  const unknown = unknownParts(policy, parts).map(fault => ({
    ...fault,
    path: `policy.${fault.path}`,
  }))
  const faults = [...takenNames(parts), ...unknown]
  if (faults.length > 0) throw new InvalidPolicy(faults)
  if (policy.escape.unattended) throw new InvalidPolicy([UNATTENDED])
  if (policy.escape.learn) throw new InvalidPolicy([LEARN])
  const { limits, mode } = policy
  const given = notation.limits ?? {}
  const inherited = SPENDABLE.filter(unit => given[unit] === undefined)
  const defaults = Object.fromEntries(inherited.map(unit => [unit, limits[unit]]))
  const thread = Object.entries(limits).filter(([key]) => !Object.hasOwn(defaults, key))
  const round = mode === 'observe' ? limits.round : { ...defaults, ...limits.round }
  return {
    ...policy,
    limits: {
      ...(Object.fromEntries(thread) as unknown as Limits),
      steps: given.steps ?? Number.MAX_SAFE_INTEGER,
      ...(round ? { round } : {}),
    },
  }
}
