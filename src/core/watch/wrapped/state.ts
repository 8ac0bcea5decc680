/** The watchdog of an agent without a machine: takes one event, returns the next state and a row. Pure. */
import { type Reason, explain, cancelReasonOf } from '../reason/reason.ts'
import { type Json, defined } from '../data/json.ts'
import type { EscapeRoutes } from '../escape/rungs.ts'
import { type Verdict, CONTINUE } from '../escape/ladder.ts'
import type { AgentEvent, EventOf, Stamped, Finding } from '../event/event.ts'
import type { DetectorErrors } from '../failure/failure.ts'
import { type WatchInput, REGION } from '../regions.ts'
import { type WatchParts, BUILT_IN } from '../parts.ts'
import { applyVerdict, judge, renewLimits, RESENT_WITHIN } from '../judge.ts'
import { type Watch, resetForRound, WATCH } from '../judge.ts'
import { type Policy, withDefaults } from '../policy/policy.ts'
import { NO_ANSWERS, noveltyOf, rememberAnswer, rememberMessage } from './recent.ts'
import type { RecentAnswers, RecentMessages } from './recent.ts'
import type { WaitingCall } from './waiting.ts'

/** A verdict that takes an escape. */
export type EscapeVerdict = Verdict & { readonly kind: 'escape' }

/** What the watchdog keeps between two events: plain JSON of bounded size that fits into a framework's checkpoint. */
export interface WatchdogState {
  readonly shape: number
  /** Of the last event; -1 and 0 before the first. */
  readonly seq: number
  readonly at: number
  readonly watch: Watch
  /** The number of turns so far: calls of the model. */
  readonly turns: number
  /** An escape that is decided but not yet taken. */
  readonly pendingEscape?: EscapeVerdict
  /** The escape that the current turn carries out: the model rethinks. */
  readonly rethinking?: EscapeVerdict
  /** When a person was asked about the pending escape, in ms. */
  readonly askedAt?: number
  /** The watch has ended: the reason as a code and in full. */
  readonly ended?: string
  readonly because?: Reason
  readonly messages?: RecentMessages
  readonly answers?: RecentAnswers
  /** Calls without a result, the latest last. */
  readonly waiting?: readonly WaitingCall[]
}

/** Incremented with each change of the state's format. A stored state with another shape is discarded. */
const SHAPE = 3

export const INITIAL_STATE: WatchdogState = { shape: SHAPE, seq: -1, at: 0, watch: WATCH, turns: 0 }

/** One line of a journal: an event, its findings and its verdict. */
export interface WatchdogRow {
  readonly seq: number
  readonly event: Stamped
  readonly findings: readonly Finding[]
  readonly verdict: Verdict
  /** All errors of custom parts so far, if this event caused one. */
  readonly detectorErrors?: DetectorErrors
  /** Present if this event ended the watch: the reason as a code and in full. */
  readonly ended?: string
  readonly because?: Reason
}

/** What the integration can do with its agent. It can always stop it. */
export interface Capabilities {
  /** The next model call can include the finding, and can use another model if one is configured. */
  readonly rethink: boolean
  /** A person can be asked, and the agent waits for the answer. */
  readonly ask: boolean
}

export interface WatchdogSetup {
  readonly agent: string
  readonly policy: Policy
  readonly can: Capabilities
  readonly parts: WatchParts
}

/** Takes one event. Returns the next state and the row. `recorded` is the judgment of an event that is read from a journal. */
export function foldEvent(
  state: WatchdogState,
  event: Stamped,
  setup: WatchdogSetup,
  recorded?: Pick<WatchdogRow, 'findings' | 'verdict' | 'detectorErrors'>,
): readonly [WatchdogState, WatchdogRow] {
  const seq = state.seq + 1
  const stamped = event.at >= state.at ? event : { ...event, at: state.at }
  const { at } = stamped
  const ignored = { seq, event: stamped, findings: [], verdict: CONTINUE }
  if (state.ended !== undefined && event.type !== 'message') return [{ ...state, seq, at }, ignored]
  const input = watchInputOf(state, stamped, setup)
  const judged = judge(state.watch, stamped, input, setup.policy)
  const { findings, verdict } = recorded ?? judged
  const { detectorErrors } = recorded ?? judged.watch
  const watch = detectorErrors ? { ...judged.watch, detectorErrors } : judged.watch
  const judgedState = { ...state, seq, at, watch: applyVerdict(watch, seq, verdict, setup.policy) }
  const isSoon = at - state.at <= RESENT_WITHIN
  const next = withEscape(noteEvent(judgedState, stamped, isSoon), verdict)
  const { ended, because } = next
  const errors = detectorErrors !== state.watch.detectorErrors ? { detectorErrors } : {}
  const end = ended === undefined ? {} : { ended, because }
  return [next, { seq, event: stamped, findings, verdict, ...defined({ ...errors, ...end }) }]
}

function withEscape(state: WatchdogState, verdict: Verdict): WatchdogState {
  if (verdict.kind !== 'escape') return state
  const { route, because } = verdict
  const next = { ...state, pendingEscape: verdict }
  if (route.rung === 'review') return { ...next, askedAt: state.at }
  if (route.rung !== 'stop') return next
  return { ...next, ended: route.reason, ...(because[0] && { because: because[0].reason }) }
}

/** Whether the event ends the agent's turn: an answer without a call. */
export const endsTurn = (event: AgentEvent): boolean =>
  event.type === 'model.done' && event.calls.length === 0

/** The setup of a recorded watch, from its first event. The recorded verdicts reflect its capabilities. */
export function setupFrom(event: Stamped): WatchdogSetup {
  const { policy, versions } = event as EventOf<'thread.started'>
  return {
    agent: versions.wrapped ?? 'agent',
    policy: withDefaults(policy),
    can: { rethink: true, ask: true },
    parts: BUILT_IN,
  }
}

/** The effect of an event on the turn, independent of findings. `isSoon`: it follows the event before at once. */
function noteEvent(state: WatchdogState, event: AgentEvent, isSoon: boolean): WatchdogState {
  switch (event.type) {
    case 'model.called': {
      const { pendingEscape, rethinking: _, ...rest } = state
      const turn = { ...rest, turns: state.turns + 1 }
      if (pendingEscape?.route.rung === 'rethink') return { ...turn, rethinking: pendingEscape }
      return pendingEscape ? { ...turn, pendingEscape } : turn
    }
    case 'resume': {
      const { pendingEscape, askedAt: _, ...rest } = state
      const { decision } = event
      if (decision !== 'stop' && decision !== 'rejected') return rest
      const code = decision === 'stop' ? 'review-stopped' : 'review-rejected'
      const cause = pendingEscape?.because[0]?.reason
      return { ...rest, ended: decision, because: { code, ...(cause && { cause }) } }
    }
    case 'thread.started':
      return event.input === null ? state : { ...state, messages: rememberMessage([], event.input) }
    case 'message':
      return noteMessage(state, event.input, isSoon)
    case 'tool.called': {
      const { answers = NO_ANSWERS } = state
      return answers.called ? state : { ...state, answers: { ...answers, called: true } }
    }
    case 'tool.done': {
      const { answers = NO_ANSWERS } = state
      const next = rememberAnswer(answers, event)
      return next === answers ? state : { ...state, answers: next }
    }
    case 'cancel':
      return { ...state, ended: 'cancelled', because: cancelReasonOf(event.reason) }
    default:
      return state
  }
}

/**
 * A message starts a new round, unless it is sent soon, only its numbers are new, and the agent has learned nothing since the last one.
 * In a chat without calls, a number is what the message is about.
 */
function noteMessage(state: WatchdogState, message: Json, isSoon: boolean): WatchdogState {
  const { messages: before = [], answers = NO_ANSWERS, ended, watch } = state
  const { called, ...known } = answers
  const noted = { messages: rememberMessage(before, message), answers: { ...known, news: false } }
  const novelty = noveltyOf(before, message)
  const isCounted = novelty === 'added' || (novelty === 'numbers' && called === true)
  if (isSoon && ended === undefined && isCounted && !answers.news)
    return { ...state, ...noted, watch: renewLimits(watch) }
  const { shape, seq, at, turns, waiting } = state
  const reset = { ...resetForRound(watch), version: watch.version }
  return { shape, seq, at, turns, ...noted, ...defined({ waiting }), watch: reset }
}

/** A step of a wrapped agent is a turn: one call of its model. */
function watchInputOf(state: WatchdogState, event: Stamped, setup: WatchdogSetup): WatchInput {
  const { seq, pendingEscape, askedAt } = state
  const dismisses = event.type === 'resume' && event.decision === 'dismiss'
  return {
    seq: seq + 1,
    region: '',
    entered: [],
    countsAsStep: event.type === 'model.called',
    waiting: askedAt !== undefined || event.type === 'message',
    wholeAnswers: true,
    ...(dismisses && pendingEscape && { dismissed: pendingEscape.because }),
    routes: escapeRoutesOf(setup),
    parts: setup.parts,
  }
}

/** The only state has no edges, so the routes depend on the capabilities. */
function escapeRoutesOf({ agent, can }: WatchdogSetup): EscapeRoutes {
  return {
    alternatives: () => [],
    rethinks: () => can.rethink,
    rollback: () => ({ code: 'no-savepoint' }),
    leads: () => false,
    restrict: () => ({ code: 'cannot-restrict' }),
    review: () => can.ask,
    state: agent,
  }
}

/** Reads a state from a checkpoint. Detector states of another version are reset; a state of another format is discarded. */
export function restoreState(stored: WatchdogState | undefined, parts: WatchParts): WatchdogState {
  const { version } = parts.detectors
  if (!isSound(stored)) return { ...INITIAL_STATE, watch: { ...WATCH, version } }
  const { watch } = stored
  const current =
    watch.version === version &&
    Object.values(watch.regions).every(region => hasShapeOf(region, REGION))
  return current ? stored : { ...stored, watch: { ...watch, version, regions: {} } }
}

function isSound(stored: WatchdogState | undefined): stored is WatchdogState {
  if (stored?.shape !== SHAPE || !hasShapeOf(stored, INITIAL_STATE)) return false
  return Object.entries(OPTIONAL).every(([key, model]) => {
    const value = stored[key as keyof typeof OPTIONAL]
    return value === undefined || hasShapeOf(value, model)
  })
}

const ESCAPE = { kind: '', route: { rung: '', region: '' }, because: [], considered: [] }
const OPTIONAL = {
  messages: [],
  answers: NO_ANSWERS,
  waiting: [],
  pendingEscape: ESCAPE,
  rethinking: ESCAPE,
}

/** Whether a value has all fields of a model with the same types. A `null` in the model allows any value. */
function hasShapeOf(value: unknown, model: unknown): boolean {
  if (model === null) return true
  if (typeof value !== typeof model || value === null) return false
  if (Array.isArray(value) !== Array.isArray(model)) return false
  if (typeof model !== 'object') return true
  const fields = value as Readonly<Record<string, unknown>>
  return Object.entries(model).every(([key, inner]) => hasShapeOf(fields[key], inner))
}

/** Asks the model to rethink. */
export function rethinkMessage({ because: [finding] }: EscapeVerdict): string {
  return `You are repeating yourself${finding ? `: ${explain(finding.reason)}` : ''}. Change your approach, or say what is missing.`
}

/** Asks a person for a decision. */
export const reviewQuestion = ({ because: [finding] }: EscapeVerdict): string =>
  `The agent is stuck${finding ? `: ${explain(finding.reason)}` : ''}. Continue?`

/** Says why the agent was stopped. */
export function stopMessage(state: Pick<WatchdogState, 'ended' | 'because'>): string {
  const { ended = 'stopped', because } = state
  return `Stopped by the watchdog (${ended})${because ? `: ${explain(because)}` : ''}.`
}

type Exit = { readonly state: WatchdogState; readonly pendingEscape: EscapeVerdict | undefined }

/** The open question for a person. */
export const questionOf = ({ pendingEscape }: Pick<Exit, 'pendingEscape'>): string | undefined =>
  pendingEscape?.route.rung === 'review' ? reviewQuestion(pendingEscape) : undefined

/** The last message of an agent that must return now: why it was stopped, or the question for a person. */
export const exitMessage = ({ state, pendingEscape }: Exit): string | undefined =>
  state.ended === undefined ? questionOf({ pendingEscape }) : stopMessage(state)
