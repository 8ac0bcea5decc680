/** Events of the calls of a node and of the gate in front of them, and what a thread spends with them. */
import type { Failure } from '../failure/failure.ts'
import type { Digest, Json } from '../data/json.ts'
import type { Broken } from '../reason/reason.ts'

/** The events of a map from their types to their fields. */
export type EventsIn<M> = { [T in keyof M]: { readonly type: T } & M[T] }[keyof M]

/** The work of one effect. `region` is its parallel region, `''` if there is only one. */
export type OfEffect = Readonly<{ effect: string; region: string }>

/** The arguments with which a person has replaced those requested. */
export type Edited = Readonly<{ args: Json; note?: string }>

/** One call of a node: `call` is `<effect>/<n>`, equal for every attempt and after a crash. */
export interface OfCall extends OfEffect {
  readonly call: string
  /** The tool or the model. */
  readonly subject: string
  /** The identity of subject and arguments (`callKey`). */
  readonly key: string
  /** The same for the arguments that an idempotent write received, if they are others than those requested. */
  readonly received?: string
  readonly edited?: Edited
  /** Replayed from the journal of the parent of a fork, without contact to an external system. */
  readonly recorded?: true
  /** A person has given the answer (`inject`). The external system was not called. */
  readonly injected?: true
  /** The result of an earlier call answers (`cache` of the tool). The external system was not called. */
  readonly cached?: true
  /** Other calls of the same batch are open. Until the last of them ends, only urgent findings act. */
  readonly more?: true
}

/** The start of an attempt. `instead`: the unavailable subject that this one replaces. */
type StartedAttempt = OfCall & { readonly attempt: number; readonly instead?: string }

/** The end of an attempt. `tries`: the number of attempts that an SDK made inside of this one, if more than one. */
type EndedAttempt = OfCall & { readonly tries?: number }

/** The call that this one undoes in a rollback. */
type Compensation = { readonly compensates?: string }

/** A failed attempt. `final`: no further attempt follows. */
type FailedCall = EndedAttempt & Readonly<{ failure: Failure; attempt: number; final: boolean }>

/**
 * What follows a call without an effect, as its retry policy decides: it is made `again`, or fails. Without a `failure`, the process ended
 * during the call.
 */
export type NotApplied = Readonly<{ again: boolean; failure?: Failure }>

export type ToolRequest = Readonly<{ id: string; tool: string; args: Json }>

interface CallEvents {
  /** A call that needs the approval of a person. `question` replaces the default question. */
  'call.proposed': OfCall & {
    readonly args: Json
    readonly question?: string
    readonly effects: 'read' | 'write'
  }
  /**
   * `compensable` calls can be undone by the tool, `reversible` ones by a later write of the same kind. `owner`: the driver of a
   * write that must not be repeated. `waitsFor`: the thread whose end the call waits for.
   */
  'tool.called': StartedAttempt &
    Compensation & {
      readonly args: Json
      readonly effects: 'read' | 'write'
      readonly repeatable: boolean
      readonly owner?: string
      readonly compensable?: true
      readonly reversible?: true
      readonly waitsFor?: string
    }
  /** `cut`: the length of the whole result in characters if only a part is kept. `stuck`: the agent used this tool to report that it is stuck. */
  'tool.done': EndedAttempt &
    Compensation & {
      readonly result: Json
      readonly digest: Digest
      readonly effects: 'read' | 'write'
      readonly compensable?: true
      readonly cut?: number
      readonly stuck?: string
    }
  /** `notApplied`: the outcome is unknown, and this follows if a person says that the call had no effect. */
  'tool.failed': FailedCall & Compensation & { readonly notApplied?: NotApplied }
  /** `reserve`: the call uses the reserve of the budget for the last answer. */
  'model.called': StartedAttempt & { readonly messages: number; readonly reserve?: true }
  /**
   * `commandExpected`: the node needs a command, and an answer without one is a finding. `question`: what a node in code asked
   * (`questionIn`). `cut` as for tools.
   */
  'model.done': EndedAttempt & {
    readonly text: string
    readonly reasoning?: string
    readonly calls: readonly ToolRequest[]
    readonly usage: Usage
    readonly digest: Digest
    readonly commandExpected?: true
    readonly question?: string
    readonly cut?: number
  }
  /** `usage`: what the attempt has cost nevertheless. */
  'model.failed': FailedCall & { readonly usage?: Usage }
  /** The attempt after `attempt` follows at `until`. `since`: it waits for an open breaker, and began to at this time. */
  'call.waiting': OfCall & {
    readonly attempt: number
    readonly until: number
    readonly since?: number
  }
  /**
   * Whether an indeterminate call took effect, according to the tool, to a person, or to the journal of the parent of a fork. `because`:
   * `reconcile` of the tool is broken, so the answer is unknown.
   */
  'call.reconciled': OfCall & {
    readonly answer: Reconciled
    readonly by: 'tool' | 'person' | 'parent'
    readonly result: Json
    readonly because?: Broken
  }
  /**
   * An answer to an abandoned call. The machine takes no step, but a question about the call is answered. `usage`: what an
   * abandoned attempt of a model has cost.
   */
  'call.late': OfCall &
    Compensation & {
      readonly ok: boolean
      readonly effects: 'read' | 'write'
      readonly result: Json
      readonly usage?: Usage
    }
}

export type CallEvent = EventsIn<CallEvents>

export type Reconciled = 'applied' | 'not-applied' | 'unknown'

/** The breaker of a tool or of a model. `retryAt` is the time of the next probe. */
type OfCircuit = OfCall & { readonly kind: ResourceKind }
type OpenCircuit = OfCircuit & { readonly retryAt: number }

/** What the gate answered to a thread. */
export type CircuitEvent = EventsIn<{
  /** Stored events and codes say `circuit` for a circuit breaker. */
  'circuit.refused': OpenCircuit & { readonly args?: Json; readonly failure: Failure }
  'circuit.opened': OpenCircuit & { readonly failures: number }
  'circuit.halfOpened': OfCircuit
  'circuit.closed': OfCircuit
  /** The subject is unavailable. `by` answers the call in its place. */
  'call.substituted': OpenCircuit & { readonly by: string }
}>

export type ResourceKind = 'tool' | 'model'

/** Tokens of one model call. `usd` is computed once, with the price at that time. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly usd: number
  /** The endpoint did not report the whole usage. The rest was counted from the texts. */
  readonly estimated?: true
}

/** The tokens of one model call as an endpoint reports them. `total` and `reasoning` may exceed the output: Gemini counts thoughts apart. */
export type ReportedUsage = Readonly<
  Partial<Record<'input' | 'output' | 'cached' | 'total' | 'reasoning', number | undefined>>
>

/**
 * Validates the usage that an endpoint reports. One NaN or negative number in a total would disable every limit. A report of
 * no tokens counts as missing. A request without input does not exist: `input: 0` says that the input was not reported.
 */
export function readUsage(
  usage: ReportedUsage | undefined,
): Omit<Usage, 'usd' | 'estimated'> | undefined {
  const { input: asked = 0, output = 0, cached: read, total, reasoning } = usage ?? {}
  if (!isCount(asked) || !isCount(output)) return undefined
  const cached = isCount(read) ? read : 0
  // A cache that is larger than the input, or that only the total contains, is not a part of it.
  const isApart = cached > 0 && (cached > asked || total === asked + cached + output)
  const isMissing = usage?.input === undefined && isCount(total)
  const input = isApart ? asked + cached : isMissing ? Math.max(0, total - output) : asked
  const apart = isCount(reasoning) && reasoning > output ? output + reasoning : output
  const rest = isCount(total) ? total - input : 0
  const all = { input, output: Math.max(output, apart, rest), cached: Math.min(cached, input) }
  return all.input + all.output === 0 ? undefined : all
}

/** No tokenizer has longer tokens, in characters. */
const TOKEN_MAX = 128

/** Whether a report covers an answer of so many characters. Some endpoints report the input only, or the output at the start of the stream. */
export const isWholeUsage = (
  { input, output }: Pick<Usage, 'input' | 'output'>,
  characters: number,
): boolean => input > 0 && characters <= output * TOKEN_MAX

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER

/** US dollars per million tokens. `cached`: input tokens from the provider's cache; default: the price of `input`. */
export type Price = Readonly<{ input: number; output: number; cached?: number }>

export function cost(price: Price | undefined, usage: Omit<Usage, 'usd'>): number {
  if (!price) return 0
  const { input, output, cached } = usage
  const cachedPrice = price.cached ?? price.input
  return roundMoney(
    ((input - cached) * price.input + cached * cachedPrice + output * price.output) / 1e6,
  )
}

/** To 1e-12 dollars: enough for one token at a price of six decimals, and without the errors of binary fractions. */
export const roundMoney = (usd: number): number => Math.round(usd * 1e12) / 1e12

export const SPENDABLE = ['steps', 'toolCalls', 'modelCalls', 'tokens', 'usd', 'duration'] as const

/** `duration` is in ms, without the time in which the thread waited for people or had no driver. */
export type Spent = { readonly [K in (typeof SPENDABLE)[number]]: number }

export const NOTHING_SPENT = fillSpent(() => 0)

export const addSpent = (one: Spent, other: Spent): Spent =>
  fillSpent(unit => one[unit] + other[unit])

export const subtractSpent = (now: Spent, then: Spent): Spent =>
  fillSpent(unit => now[unit] - then[unit])

export function fillSpent(amount: (unit: keyof Spent) => number): Spent {
  return {
    steps: amount('steps'),
    toolCalls: amount('toolCalls'),
    modelCalls: amount('modelCalls'),
    tokens: amount('tokens'),
    usd: roundMoney(amount('usd')),
    duration: amount('duration'),
  }
}
