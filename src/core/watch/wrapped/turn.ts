/** One turn of a wrapped agent in a form that every framework can provide, and its events. */
import {
  type Json,
  notJsonAt,
  isTooDeep,
  defined,
  callKey,
  canonical,
  digest,
  printed,
} from '../data/json.ts'
import { bytesText, withoutBytes } from '../data/media.ts'
import { checkTime } from '../data/duration.ts'
import type { Stamped } from '../event/event.ts'
import {
  type Price,
  type ReportedUsage,
  cost,
  isWholeUsage,
  readUsage,
} from '../event/call-event.ts'
import type { CircuitChange } from '../failure/breaker.ts'
import type { Failure, Redact } from '../failure/failure.ts'
import { checkTurn } from './option-kinds.ts'

/** The answer of the model and the outcomes of its calls. Times are in ms. */
export interface Turn {
  /** The time of the answer. */
  readonly at: number
  readonly text: string
  readonly calls?: readonly CompletedCall[]
  /** Requested calls that wait for a person or for another process. Report their results to `afterWaitingCalls`, by their `id`. */
  readonly waiting?: readonly (Pick<CompletedCall, 'tool' | 'args'> & { readonly id?: string })[]
  /** Characters of the answer beside its text and the arguments of its calls, such as reasoning. An estimate counts them. */
  readonly hidden?: number
  /** A missing or implausible half of it is estimated. */
  readonly usage?: ReportedUsage
}

/** A requested call and its outcome. */
export interface CompletedCall {
  readonly tool: string
  readonly args: unknown
  readonly outcome: CallOutcome
  /** The answer of the tool, if any. */
  readonly result?: unknown
}

/** The outcome of a call as plain JSON, which a framework can store with its message. */
export interface CallOutcome {
  readonly began: number
  readonly ended: number
  /** The substitute that answered, and when the tool may be tried again. */
  readonly instead?: { readonly by: string; readonly retryAt: number }
  readonly probe?: true
  readonly circuit?: CircuitChange
  readonly failure?: Failure
  /** The call was not made: the breaker is open until then. */
  readonly retryAt?: number
  /** The call was not made: a limit is reached. */
  readonly over?: true
}

/** The agent as its events name it. */
export interface AgentOptions {
  /** The name of the agent. Default: `agent`. */
  readonly agent?: string
  /** The name of its model. Default: `model`. */
  readonly model?: string
  /** Tools that change external systems. A new successful write is progress. */
  readonly writes?: readonly string[]
  /** An answer without a tool call is a finding. */
  readonly commandExpected?: boolean
  /** The price of the model. Default: free. */
  readonly price?: Price
}

/** `turn`: the number of the turn. `redact` masks secrets before a text is cut, because half a secret is not recognized. */
type AgentPlace = AgentOptions & { readonly turn: number; readonly redact?: Redact | undefined }

/** The event before a model call. */
export function modelCalled(at: number, place: AgentPlace): Stamped {
  return { type: 'model.called', ...modelCall(place), attempt: 1, messages: 0, at }
}

/** The events of a turn: the answer of the model, and its calls. @throws TypeError */
export function eventsOf(turn: Turn, place: AgentPlace): readonly Stamped[] {
  checkTurn(turn)
  const calls = (turn.calls ?? []).map((call, index) => ({
    ...call,
    turn: place.turn,
    n: index + 1,
  }))
  return [modelDone(turn, place), ...eventsOfCalls(calls, place)]
}

/** A call with its turn and its number in this turn. */
type NumberedCall = CompletedCall & { readonly turn: number; readonly n: number }

/** The starts of all calls, and their ends. */
export function eventsOfCalls(
  calls: readonly NumberedCall[],
  place: Omit<AgentPlace, 'turn'>,
): readonly Stamped[] {
  for (const call of calls) checkOutcome(call, place)
  const last = calls.findLastIndex(({ outcome }) => !outcome.over)
  const events = calls.map((call, index) =>
    callEvents(call, index < last, { ...place, turn: call.turn }),
  )
  return [...events.flatMap(({ started }) => started), ...events.flatMap(({ ended }) => ended)]
}

/** Before any event of the turn is recorded. @throws TypeError */
function checkOutcome(
  { tool, n, outcome }: NumberedCall,
  { redact = UNCHANGED }: Pick<AgentPlace, 'redact'>,
) {
  if (!outcome)
    throw new TypeError(
      `the call of '${redact(tool)}' has no outcome: pass the return value of settle(permit, at), or the outcome of a refused permit`,
    )
  checkTime(outcome.began, `calls[${n - 1}].outcome.began`)
  checkTime(outcome.ended, `calls[${n - 1}].outcome.ended`)
}

/** The outcome of a call that the framework, a person or another process has answered. With `error`, it failed. */
export function foreignOutcome(at: number, error?: string): CallOutcome {
  if (error === undefined) return { began: at, ended: at }
  const kind = { class: 'business', scope: 'request', rule: 'message' } as const
  return { began: at, ended: at, failure: { name: 'Error', message: error, ...kind } }
}

function modelDone({ at, text, hidden = 0, usage, ...turn }: Turn, place: AgentPlace): Stamped {
  const { commandExpected, price, redact = UNCHANGED } = place
  const { value, cut } = boundedJson(text, redact)
  const id = modelCall(place)
  const requested = [...(turn.calls ?? []), ...(turn.waiting ?? [])]
  const calls = requested.map(({ args, ...call }, index) => {
    // A model may write a whole call into the name of a tool.
    const tool = redact(call.tool)
    const { value, whole } = boundedJson(args, redact)
    const request = { id: `${id.effect}/${index + 1}`, tool, args: value }
    return { key: callKey(tool, whole), request, whole }
  })
  const reported = readUsage(usage)
  // The prompt is unknown here. Four characters a token is the rule of thumb of the providers for English.
  const asked = calls.length === 0 ? '' : canonical(calls.map(({ whole }) => whole))
  // One NaN in a total would disable every limit.
  const beside = Number.isSafeInteger(hidden) && hidden > 0 ? hidden : 0
  const written = text.length + beside + asked.length
  const output = Math.max(Math.ceil(written / 4), reported?.output ?? 0)
  const isWhole = reported !== undefined && isWholeUsage(reported, written)
  const tokens = isWhole ? reported : { input: 0, cached: 0, ...reported, output }
  return {
    type: 'model.done',
    ...id,
    text: String(value),
    calls: calls.map(({ request }) => request),
    usage: { ...tokens, usd: cost(price, tokens), ...(isWhole ? {} : { estimated: true }) },
    digest: digest([text, ...calls.map(({ key }) => key)]),
    ...(commandExpected ? { commandExpected } : {}),
    ...defined({ cut }),
    at,
  }
}

const kind = 'tool'

/** `more`: a later call of the turn ends after this one. */
function callEvents(call: NumberedCall, more: boolean, place: AgentPlace) {
  const { args, n } = call
  const { redact = UNCHANGED } = place
  const [tool, outcome] = [redact(call.tool), redact(call.outcome)]
  const { began: at, instead, probe, retryAt, over } = outcome
  const result = boundedJson(call.result, redact)
  const subject = instead?.by ?? tool
  const { value, whole } = boundedJson(args, redact)
  const id = { ...callId(place, n), subject, key: callKey(tool, whole) }
  const effects = place.writes?.includes(subject) ? 'write' : 'read'
  const mode = { effects, repeatable: effects === 'read' } as const
  const replaced = instead ? { instead: tool } : {}
  const asked = { ...id, subject: tool }
  const called: readonly Stamped[] = [
    ...(instead ? [{ ...asked, type: 'call.substituted', kind, ...instead, at } as const] : []),
    ...(probe ? [{ ...id, type: 'circuit.halfOpened', kind, at } as const] : []),
    { ...id, type: 'tool.called', args: value, attempt: 1, ...mode, ...replaced, at },
  ]
  return {
    // An open breaker refuses a call before it starts.
    started: retryAt === undefined ? called : [],
    // A call that exceeds a limit is recorded but not made.
    ended: over ? [] : endedEvents({ outcome, result }, id, effects, more ? { more } : {}),
  }
}

function endedEvents(
  { outcome, result }: Pick<CompletedCall, 'outcome'> & { readonly result: BoundedJson },
  id: ReturnType<typeof modelCall>,
  effects: 'read' | 'write',
  batch: { readonly more?: true },
): readonly Stamped[] {
  const { ended: at, failure, circuit, retryAt } = outcome
  if (retryAt !== undefined && failure)
    return [{ ...id, type: 'circuit.refused', kind, failure, retryAt, ...batch, at }]
  const events: Stamped[] = []
  if (circuit?.change === 'opened') {
    const { failures, retryAt } = circuit
    events.push({ ...id, type: 'circuit.opened', kind, failures, retryAt, at })
  }
  if (circuit?.change === 'closed') events.push({ ...id, type: 'circuit.closed', kind, at })
  if (failure) {
    events.push({ ...id, type: 'tool.failed', failure, attempt: 1, final: true, ...batch, at })
    return events
  }
  const { value, whole, cut } = result
  const answer = { result: value, digest: digest(whole), effects, ...batch, ...defined({ cut }) }
  return [...events, { ...id, type: 'tool.done', ...answer, at }]
}

function modelCall(place: AgentPlace) {
  const { model = 'model', turn } = place
  return { ...callId(place, 0), subject: model, key: callKey(model, turn) }
}

function callId({ agent = 'agent', turn }: AgentPlace, n: number) {
  const effect = `${agent}#${turn}`
  return { effect, region: '', call: `${effect}/${n}` }
}

const UNCHANGED: Redact = value => value

/** Characters kept of a text, of arguments or of a result. */
const KEPT_MAX = 16_384
/** Deeper values are kept as text, so that recursive readers do not overflow the stack. */
const DEPTH_MAX = 100

/**
 * Never throws, because frameworks pass arbitrary objects. `whole`: the uncut value, for digests. `cut`: its length in characters,
 * if it was cut. Bytes that count by their hash are not cut.
 */
export function boundedJson(value: unknown, redact: Redact = UNCHANGED) {
  const whole = redact(plain(value))
  const text = printed(whole)
  if (text.length <= KEPT_MAX) return { value: whole, whole, cut: undefined }
  const short = withoutBytes(text)
  return short.length <= KEPT_MAX
    ? { value: short, whole, cut: undefined }
    : { value: short.slice(0, KEPT_MAX), whole, cut: text.length }
}

type BoundedJson = ReturnType<typeof boundedJson>

function plain(value: unknown): Json {
  if (value === undefined) return null
  try {
    if (notJsonAt(value) === undefined && !isTooDeep(value, DEPTH_MAX)) return value as Json
    const text = textOf(value)
    if (text === undefined) return String(value)
    const read = JSON.parse(text) as Json
    return isTooDeep(read, DEPTH_MAX) ? text : read
  } catch {
    return `a foreign ${typeof value}`
  }
}

const textOfBytes = (bytes: Uint8Array): string =>
  bytesText(`${bytes.length} bytes`, new TextDecoder('latin1').decode(bytes))

/** Represents values that JSON lacks, so that different values stay different. `undefined` if JSON has no text for the value. */
function textOf(value: unknown): string | undefined {
  const seen = new WeakSet()
  return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, inner) {
    const own = this[key]
    if (typeof own === 'bigint') return String(own)
    if (typeof own !== 'object' || own === null) return inner
    if (seen.has(own)) return '[seen before]'
    seen.add(own)
    if (own instanceof ArrayBuffer) return textOfBytes(new Uint8Array(own))
    if (ArrayBuffer.isView(own))
      return textOfBytes(new Uint8Array(own.buffer, own.byteOffset, own.byteLength))
    if (own instanceof Map || own instanceof Set) return [...own]
    return own instanceof Error ? { ...own, name: own.name, message: own.message } : inner
  })
}
