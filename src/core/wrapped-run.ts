/** A thread without a machine: an agent that lives in another framework, and whose events were recorded with what the watchdog made of them. */
import type { Effect } from './effects.ts'
import { type Row, type Run, type Started, initialRun } from './run.ts'
import {
  INITIAL_STATE,
  type WatchdogState,
  endsTurn,
  termsFrom,
  foldEvent,
} from './watch/wrapped/state.ts'
import type { AgentEvent, Stamped } from './watch/event/event.ts'
import { customReason, STOPPED } from './watch/reason/reason.ts'
import type { Policy } from './watch/policy/policy.ts'
import { reviewQuestion } from './watch/wrapped/messages.ts'

export function isWrapped(event: AgentEvent | undefined): boolean {
  return event?.type === 'thread.started' && event.versions.wrapped !== undefined
}

/** The runs after each of its rows, which are all it has, from the first on; the recorded verdicts hold. */
export function wrappedRuns(rows: readonly Row[]): readonly Run[] {
  const [first] = rows
  if (!first) return []
  const terms = termsFrom(first.event)
  const born = initialRun(first.event as Stamped<Started>)
  let state = INITIAL_STATE
  return rows.map(row => {
    state = foldEvent(state, row.event, terms, row)[0]
    return runOf(born, state, row)
  })
}

function runOf(born: Run, state: WatchdogState, { event, findings, verdict, edges }: Row): Run {
  const { seq, at, watch, ended, because = STOPPED } = state
  const run = { ...born, seq, at, round: 1, watch, last: { findings, verdict, edges } }
  if (ended === undefined)
    return {
      ...run,
      pending:
        endsTurn(event) && state.pendingEscape?.route.rung !== 'review'
          ? []
          : [pendingOf(state, born.policy)],
    }
  return {
    ...run,
    ended: {
      outcome: ended === 'cancelled' ? 'cancelled' : 'stopped',
      reason: ended,
      because,
      result: null,
    },
  }
}

const STATE = 'agent'

/** What the agent does, or what a person is asked about it, as it stands in any other run. */
function pendingOf(
  { seq, turns, askedAt = 0, pendingEscape }: WatchdogState,
  { escape: { review } }: Policy,
): Effect {
  const of = { id: `${STATE}#${turns}`, state: STATE, region: '', node: STATE, since: seq }
  if (pendingEscape?.route.rung !== 'review')
    return { ...of, type: 'invoke', timeout: Number.POSITIVE_INFINITY, starts: 1 }
  const { route, because, considered } = pendingEscape
  const about = { from: route.from, because, considered, otherwise: review?.otherwise ?? 'stop' }
  return {
    ...of,
    type: 'interrupt',
    question: customReason(reviewQuestion(pendingEscape)),
    about,
    ...(review ? { deadline: askedAt + review.deadline } : {}),
  }
}
