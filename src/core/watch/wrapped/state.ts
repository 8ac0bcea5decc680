/** The watch over an agent that has no machine: one event in, the next state and a row out. Pure; all else around wrapped agents stands on it. */
import { resetForRound, renewLimits } from '../reset.ts'
import { withDegenerateOutput } from './degenerate-output.ts'
import type { DetectorErrors } from '../failure/detector-errors.ts'
import type { AgentEvent, Stamped } from '../event/event.ts'
import type { Finding } from '../event/finding.ts'
import type { Json } from '../data/json.ts'
import type { EscapeRoutes } from '../escape/rungs.ts'
import { CONTINUE, type Verdict } from '../escape/ladder.ts'
import { BUILT_IN, type WatchParts } from '../parts.ts'
import { withDefaults, type Policy } from '../policy/policy.ts'
import { cancelReasonOf, type Reason } from '../reason/reason.ts'
import type { WatchInput } from '../input.ts'
import { applyVerdict, judge, WATCH, type Watch } from '../judge.ts'
import { type RecentAnswers, rememberAnswer, NO_ANSWERS } from './recent-answers.ts'
import { type RecentMessages, rememberMessage, noveltyOf } from './recent-messages.ts'

/** A way out that was concluded. */
export type EscapeVerdict = Verdict & { readonly kind: 'escape' }

/** What the watchdog keeps between two events: plain JSON of bounded size, fit for a framework's checkpoint. */
export interface WatchdogState {
  readonly shape: number
  /** The number of the last event, and its time; -1 and 0 before the first. */
  readonly seq: number
  readonly at: number
  readonly watch: Watch
  /** Turns of the agent that have begun: calls of its model. */
  readonly turns: number
  /** The way out that has been concluded and not yet taken. */
  readonly pendingEscape?: EscapeVerdict
  /** The model thinks again: the way out that the turn under way carries out. */
  readonly rethinking?: EscapeVerdict
  /** When a person was asked about what is due, in ms. */
  readonly askedAt?: number
  /** The watch is over: the reason, in short and in full. */
  readonly ended?: string
  readonly because?: Reason
  readonly messages?: RecentMessages
  readonly answers?: RecentAnswers
}

/** Changed whenever a state holds other things than before: a stored one of another shape is begun anew. */
const SHAPE = 3

export const INITIAL_STATE: WatchdogState = { shape: SHAPE, seq: -1, at: 0, watch: WATCH, turns: 0 }

/** One line of a journal: an event, and what was seen and concluded. */
export interface WatchdogRow {
  readonly seq: number
  readonly event: Stamped
  readonly findings: readonly Finding[]
  readonly verdict: Verdict
  /** All parts of one's own that have broken so far; present where one of them did so with it. */
  readonly detectorErrors?: DetectorErrors
  /** Present where the watch ended with it: the reason, in short and in full. */
  readonly ended?: string
  readonly because?: Reason
}

/** What a wrap can make its agent do. Stopping it is always possible. */
export interface Capabilities {
  /** The next turn of the model can be told what was found, and can be made with another model where there is one. */
  readonly rethink: boolean
  /** A person can be asked, and the agent waits for the answer. */
  readonly ask: boolean
}

export interface WatchdogTerms {
  readonly agent: string
  readonly policy: Policy
  readonly can: Capabilities
  readonly parts: WatchParts
}

/** The part of a row that is not judged anew when a journal is read. */
export type RecordedJudgement = Pick<WatchdogRow, 'findings' | 'verdict' | 'detectorErrors'>

/** One event in; the next state, and the row for the journal out. After the end nothing is judged any more. `recorded`: what was concluded when it happened. */
export function foldEvent(
  state: WatchdogState,
  event: Stamped,
  terms: WatchdogTerms,
  recorded?: RecordedJudgement,
): readonly [WatchdogState, WatchdogRow] {
  const seq = state.seq + 1
  const stamped = event.at >= state.at ? event : { ...event, at: state.at }
  const at = stamped.at
  if (state.ended !== undefined && event.type !== 'message')
    return [
      { ...state, seq, at },
      { seq, event: stamped, findings: [], verdict: CONTINUE },
    ]
  const input = watchInputOf(state, stamped, terms)
  const judged = withDegenerateOutput(
    judge(state.watch, stamped, input, terms.policy),
    stamped,
    input,
    terms.policy,
  )
  const { findings, verdict, detectorErrors } = recorded ?? {
    ...judged,
    detectorErrors: judged.watch.detectorErrors,
  }
  const watch = detectorErrors ? { ...judged.watch, detectorErrors } : judged.watch
  const row = {
    seq,
    event: stamped,
    findings,
    verdict,
    ...(detectorErrors && detectorErrors !== state.watch.detectorErrors ? { detectorErrors } : {}),
  }
  const heard = noteEvent(
    { ...state, seq, at, watch: applyVerdict(watch, seq, verdict, terms.policy) },
    stamped,
  )
  if (verdict.kind !== 'escape') return [heard, { ...row, ...endedIn(heard) }]
  const { route } = verdict
  const next: WatchdogState = {
    ...heard,
    pendingEscape: verdict,
    ...(route.rung === 'stop'
      ? { ended: route.reason, ...(verdict.because[0] && { because: verdict.because[0].reason }) }
      : route.rung === 'review'
        ? { askedAt: at }
        : {}),
  }
  return [next, { ...row, ...endedIn(next) }]
}

/** The agent has said its word and called nothing: its run is over everywhere, and whoever talks with it is next. */
export function endsTurn(event: AgentEvent): boolean {
  return event.type === 'model.done' && event.calls.length === 0
}

/** The watch that a first event begins, read from a journal. What the wrap could do is in the verdicts. */
export function termsFrom(event: Stamped): WatchdogTerms {
  const { policy, versions } = event as Extract<Stamped, { type: 'thread.started' }>
  return {
    agent: versions.wrapped ?? 'agent',
    policy: withDefaults(policy),
    can: { rethink: true, ask: true },
    parts: BUILT_IN,
  }
}

/** What an event means for the turn, whatever the watchdog makes of it. */
function noteEvent(state: WatchdogState, event: AgentEvent): WatchdogState {
  switch (event.type) {
    case 'model.called': {
      const { pendingEscape, rethinking: _, ...rest } = state
      const turn = { ...rest, turns: state.turns + 1 }
      return pendingEscape?.route.rung === 'rethink'
        ? { ...turn, rethinking: pendingEscape }
        : pendingEscape
          ? { ...turn, pendingEscape }
          : turn
    }
    case 'resume': {
      const { pendingEscape, askedAt: __, ...rest } = state
      return event.decision === 'stop' || event.decision === 'rejected'
        ? { ...rest, ended: event.decision, because: becauseOf(event.decision, pendingEscape) }
        : rest
    }
    case 'thread.started':
      return event.input === null ? state : { ...state, messages: rememberMessage([], event.input) }
    case 'message':
      return noteMessage(state, event.input)
    case 'tool.done': {
      const { answers = NO_ANSWERS } = state
      const next = rememberAnswer(answers, event)
      return next === answers ? state : { ...state, answers: next }
    }
    case 'cancel':
      return {
        ...state,
        ended: 'cancelled',
        because: cancelReasonOf(event.reason),
      }
    default:
      return state
  }
}

/** Somebody says something that is new at least in its numbers: to an agent that has learned nothing from the last message, these are no news. */
function noteMessage(state: WatchdogState, said: Json): WatchdogState {
  const { messages: before = [], answers = NO_ANSWERS } = state
  const told = { messages: rememberMessage(before, said), answers: { ...answers, news: false } }
  if (state.ended === undefined && noveltyOf(before, said) === 'numbers' && !answers.news)
    return { ...state, ...told, watch: renewLimits(state.watch) }
  const {
    pendingEscape: _,
    askedAt: __,
    ended: ___,
    because: ____,
    rethinking: _____,
    ...rest
  } = state
  return {
    ...rest,
    ...told,
    watch: { ...resetForRound(state.watch), version: state.watch.version },
  }
}

function endedIn({ ended, because }: WatchdogState): Pick<WatchdogRow, 'ended' | 'because'> {
  return ended === undefined ? {} : { ended, ...(because && { because }) }
}

/** What a person decided, and why the person was asked. */
function becauseOf(decision: 'stop' | 'rejected', due: EscapeVerdict | undefined): Reason {
  const code = decision === 'stop' ? 'review-stopped' : 'review-rejected'
  const cause = due?.because[0]?.reason
  return cause ? { code, cause } : { code }
}

/** A step of a wrapped agent is a turn: a call of its model. */
function watchInputOf(
  { seq, pendingEscape, askedAt }: WatchdogState,
  event: Stamped,
  { agent, can, parts }: WatchdogTerms,
): WatchInput {
  const dismissed =
    event.type === 'resume' && event.decision === 'dismiss' && pendingEscape
      ? { dismissed: pendingEscape.because }
      : {}
  return {
    seq: seq + 1,
    region: '',
    entered: [],
    begins: event.type === 'model.called',
    waiting: askedAt !== undefined || event.type === 'message',
    ...dismissed,
    ways: escapeRoutesOf(agent, can),
    parts,
  }
}

/** There is one state, and no edge leads out of it; what can be done is what the wrap can do. */
function escapeRoutesOf(agent: string, { rethink, ask }: Capabilities): EscapeRoutes {
  return {
    alternatives: () => [],
    rethinks: () => rethink,
    rollback: () => ({ code: 'no-savepoint' }),
    leads: () => false,
    review: () => ask,
    state: agent,
  }
}
