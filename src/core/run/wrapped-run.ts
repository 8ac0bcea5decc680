/** Runs of wrapped agents. Another framework executes them; the journal holds their events and the watchdog's verdicts. */
import type { Effect } from './effects.ts'
import { initialRun, type Row, type Run, type Started } from './run.ts'
import { NO_TALLY, tallyAfter } from './tally.ts'
import { defined } from '../watch/data/json.ts'
import type { AgentEvent, Stamped } from '../watch/event/event.ts'
import type { ReviewPolicy } from '../watch/policy/policy.ts'
import { customReason, STOPPED } from '../watch/reason/reason.ts'
import { reviewQuestion, endsTurn, foldEvent, INITIAL_STATE } from '../watch/wrapped/state.ts'
import { type WatchdogState, setupFrom } from '../watch/wrapped/state.ts'

export const isWrapped = (event: AgentEvent | undefined): boolean =>
  event?.type === 'thread.started' && event.versions.wrapped !== undefined

/** The run after each row of a journal. `rows` must start with the first row. The recorded verdicts apply. */
export function wrappedRuns(rows: readonly Row[]): readonly Run[] {
  const [first] = rows
  if (!first) return []
  const setup = setupFrom(first.event)
  const initial = initialRun(first.event as Stamped<Started>)
  let state = INITIAL_STATE
  let tally = NO_TALLY
  return rows.map(row => {
    state = foldEvent(state, row.event, setup, row)[0]
    tally = tallyAfter(tally, row.findings, row.verdict)
    return runOf({ ...initial, tally }, state, row)
  })
}

function runOf(initial: Run, state: WatchdogState, row: Row): Run {
  const { event, findings, verdict, edges } = row
  const { seq, at, watch, ended: reason, because = STOPPED } = state
  const run = { ...initial, seq, at, round: 1, watch, last: { findings, verdict, edges } }
  if (reason !== undefined) {
    const outcome = reason === 'cancelled' ? 'cancelled' : 'stopped'
    return { ...run, ended: { outcome, reason, because, result: null } }
  }
  const waits = endsTurn(event) && state.pendingEscape?.route.rung !== 'review'
  return { ...run, pending: waits ? [] : [effectOf(state, run.policy.escape.review)] }
}

const STATE = 'agent'

/** The work of the agent, or the review of an escape, as an effect. */
function effectOf(state: WatchdogState, review: ReviewPolicy | undefined): Effect {
  const { seq, turns, askedAt = 0, pendingEscape } = state
  const base = { id: `${STATE}#${turns}`, state: STATE, region: '', node: STATE, since: seq }
  if (pendingEscape?.route.rung !== 'review')
    return { ...base, type: 'invoke', timeout: Number.POSITIVE_INFINITY, starts: 1 }
  const { route, because, considered } = pendingEscape
  const about = { from: route.from, because, considered, otherwise: review?.otherwise ?? 'stop' }
  const question = customReason(reviewQuestion(pendingEscape))
  const deadline = review && askedAt + review.deadline
  return { ...base, type: 'interrupt', question, about, ...defined({ deadline }) }
}
