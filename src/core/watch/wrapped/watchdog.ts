/** The watchdog around an agent of another framework. It receives events and returns verdicts. */
import { checkTime } from '../data/duration.ts'
import { type Json, canonical, hash } from '../data/json.ts'
import { type Verdict, CONTINUE } from '../escape/ladder.ts'
import type { Stamped } from '../event/event.ts'
import { breakerCell } from '../failure/breaker.ts'
import { RESENT_WITHIN } from '../judge.ts'
import { watchParts } from '../parts.ts'
import {
  checkOptions,
  checkPrice,
  policyOf,
  type RecordRow,
  type WatchdogOptions,
} from './options.ts'
import { type ReviewAnswer, answerEvent, checkDecision } from './review-answer.ts'
import { type Turn, boundedJson, eventsOf, eventsOfCalls } from './turn.ts'
import { modelCalled } from './turn.ts'
import { type ArrivedCall, addWaiting, takeWaiting } from './waiting.ts'
import { noveltyOf } from './recent.ts'
import { foldEvent, restoreState, type WatchdogSetup } from './state.ts'
import type { EscapeVerdict, WatchdogState } from './state.ts'
import { type ToolGate, toolGate } from './tool-gate.ts'

/** The caller provides all times, in ms. A watch that has ended records nothing, until `userMessage`: check `state.ended`. */
export interface Watchdog extends ToolGate {
  /** Plain JSON. Store it with the agent's own state. */
  readonly state: WatchdogState
  /** The escape to take now: `rethink` in the next turn, `review` by asking a person, `stop` by ending. */
  readonly pendingEscape: EscapeVerdict | undefined
  /** The escape that the current turn carries out: the model rethinks. */
  readonly rethinking: EscapeVerdict | undefined
  /** Takes any event, as in a journal. */
  observe(event: Stamped): Verdict
  /** Returns the verdict that a model call would produce now. Changes nothing. */
  preview(at: number): Verdict
  /** Call before each model call. Check `state.ended` before you call the model. */
  beforeModelCall(at: number): Verdict
  /** Call after the model has answered and its tool calls have ended. */
  afterModelTurn(turn: Turn): Verdict
  /**
   * Call with the results of calls that waited, before the next model call. Each result counts once, and those of other calls are
   * ignored: you can pass all results of a history.
   */
  afterWaitingCalls(calls: readonly ArrivedCall[]): Verdict
  /**
   * Call with the first task and with each later message. A new message starts a new round: earlier calls and texts no longer
   * count as repetitions. A message that differs from recent ones only in numbers, times and ids starts a round if a tool has
   * answered something new since the last message; otherwise it only resets the limits of the round. The same message starts a
   * round only if a minute has passed since the last event. A watch that has ended continues in each case, with the limits that
   * are left.
   */
  userMessage(input: unknown, at: number): Verdict
  /** Call with a person's answer to the pending escape. After the deadline, `review.otherwise` applies instead. */
  resolveReview(decision: ReviewAnswer, at: number): Verdict
}

/**
 * @throws InvalidPolicy, TypeError for an unknown option
 * @example
 * const monitor = watchdog({ policy: { limits: { toolCalls: 25 } } })
 * monitor.beforeModelCall(Date.now())
 * monitor.afterModelTurn({ text: 'Looking.', calls: [{ tool: 'search', args: { q: 'x' }, result: 'none', outcome }], at: Date.now() })
 * if (monitor.state.because) throw new Error(explain(monitor.state.because))
 */
export function watchdog(options: WatchdogOptions = {}): Watchdog {
  checkOptions(options)
  const { agent = 'agent', thread = agent, record = NO_RECORD } = options
  const { redact } = record
  const parts = watchParts(options.parts ?? {}, redact)
  const policy = policyOf(options.policy ?? {}, parts)
  const can = { rethink: true, ask: true, ...options.can }
  const setup: WatchdogSetup = { agent, policy, parts, can }
  let state = restoreState(options.state, parts)

  const fold = (event: Stamped): Verdict => {
    checkEvent(event)
    const [next, row] = foldEvent(state, event, setup)
    state = next
    record(row, thread)
    return row.verdict
  }
  const observe = (event: Stamped): Verdict => {
    if (state.seq < 0) fold(startedEvent(setup, null, event.at))
    return fold(event)
  }
  /** The turn that ends the watch is recorded as a whole. */
  const observeAll = (events: readonly Stamped[]): Verdict =>
    state.ended === undefined ? decisiveVerdict(events.map(observe)) : CONTINUE
  const nextCall = (at: number) => modelCalled(at, { ...options, turn: state.turns + 1 })
  return {
    ...toolGate({ ...options, redact }, policy, () => state),
    get state() {
      return state
    },
    get pendingEscape() {
      return state.pendingEscape
    },
    get rethinking() {
      return state.rethinking
    },
    observe: event => (event.type === 'message' ? observe(event) : observeAll([event])),
    preview: at => foldEvent(state, nextCall(at), setup)[1].verdict,
    beforeModelCall(at) {
      checkTime(at)
      return observeAll([nextCall(at)])
    },
    userMessage(input, at) {
      const { value } = boundedJson(input, redact)
      if (state.seq < 0) return fold(startedEvent(setup, value, at))
      return isNewMessage(state, value, at)
        ? observe({ type: 'message', input: value, at })
        : CONTINUE
    },
    afterModelTurn(turn) {
      const { tokens, usd } = state.watch.account.spent
      // The caller may observe events that have a cost of their own: only an earlier turn without one lacks a price.
      if (tokens > 0 && usd === 0) checkPrice(options)
      const place = { ...options, redact, turn: state.turns }
      const events = eventsOf(turn, place)
      if (state.ended !== undefined) return CONTINUE
      const verdict = observeAll(events)
      const { waiting = [] } = state
      if (turn.waiting?.length) state = { ...state, waiting: addWaiting(waiting, turn, place.turn) }
      return verdict
    },
    afterWaitingCalls(arrived) {
      if (state.ended !== undefined) return CONTINUE
      const { calls, waiting } = takeWaiting(state.waiting ?? [], arrived)
      if (calls.length > 0) state = { ...state, waiting }
      return observeAll(eventsOfCalls(calls, { ...options, redact }))
    },
    resolveReview: (decision, at) => observeAll([answerEvent(state, setup, decision, at)]),
  }
}

const NO_RECORD: RecordRow = () => {}

/** @throws TypeError */
function checkEvent(event: Stamped): void {
  checkTime(event.at)
  if (event.type === 'resume') checkDecision(event.decision)
}

/** The first verdict of a turn that stops the agent, else the last escape, else a warning. */
function decisiveVerdict(verdicts: readonly Verdict[]): Verdict {
  const escapes = verdicts.filter(({ kind }) => kind === 'escape') as readonly EscapeVerdict[]
  return (
    escapes.find(({ route }) => route.rung === 'stop') ??
    escapes.at(-1) ??
    verdicts.find(({ kind }) => kind === 'warn') ??
    CONTINUE
  )
}

/** A message does not answer an open question. A harness that repeats itself at once says nothing new to a working agent. */
function isNewMessage(state: WatchdogState, message: Json, at: number): boolean {
  const { ended, pendingEscape, messages = [] } = state
  if (ended !== undefined) return true
  if (pendingEscape?.route.rung === 'review') return false
  return at - state.at > RESENT_WITHIN || noveltyOf(messages, message) !== 'none'
}

const WRAPPED = 'wrapped'

/** Whether the version of a thread is that of a watched agent. Versions of graphs are hashes. */
export const isWrappedHash = (specHash: string): boolean => specHash.startsWith(`${WRAPPED} `)

function startedEvent({ policy, parts, agent }: WatchdogSetup, input: Json, at: number): Stamped {
  return {
    type: 'thread.started',
    input,
    seed: 0,
    // A wrapped agent has no spec.
    specHash: `${WRAPPED} ${hash(canonical(agent))}`,
    policy,
    versions: { ...parts.versions, wrapped: agent },
    at,
  }
}

/** The number of threads in memory. Beyond it, the thread without a call for the longest time is dropped. */
const THREADS_MAX = 1_000

export interface Watches<W> {
  /** The watchdog of the latest call, also after later calls. */
  readonly watchdog: Watchdog
  /** The watch of a thread. Without a thread, a new watch. */
  open(thread?: string): W
  /** The watch of a known thread. */
  find(thread: string): W | undefined
}

/** A given `thread` or `state` belongs to one conversation: all calls share its watch. `id` returns a different id each time. */
export function watchesOf<W extends { readonly watchdog: Watchdog }>(
  options: WatchdogOptions,
  id: () => string,
  make: (monitor: Watchdog) => W,
): Watches<W> {
  checkPrice(options)
  const { thread: only, state, agent = 'agent', breakers = breakerCell(), ...rest } = options
  const open = (thread: string) =>
    make(watchdog({ ...rest, agent, breakers, thread, ...(state ? { state } : {}) }))
  const single = only !== undefined || state !== undefined ? open(only ?? agent) : undefined
  const byThread = new Map<string, W>()
  let latest = single ?? open(agent)
  return {
    watchdog: new Proxy({} as Watchdog, { get: (_, key) => Reflect.get(latest.watchdog, key) }),
    open(thread) {
      if (thread === undefined) latest = single ?? open(`${agent}-${id()}`)
      else {
        latest = byThread.get(thread) ?? open(thread)
        byThread.delete(thread)
        byThread.set(thread, latest)
        const [oldest] = byThread.keys()
        if (byThread.size > THREADS_MAX && oldest !== undefined) byThread.delete(oldest)
      }
      return latest
    },
    find: thread => byThread.get(thread) ?? (thread === only ? single : undefined),
  }
}
