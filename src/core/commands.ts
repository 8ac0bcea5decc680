/** Commands of people that leave the current state without a question: an escape, a stop, a dismissal. An open review about it is answered. */
import { callsInDoubt, type Effect, type Interrupt } from './run/effects.ts'
import { choiceOf } from './escape-routes.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import { IGNORED, type Interpretation, NOTHING } from './interpretation.ts'
import { onAnswer } from './questions.ts'
import { isStateless } from './run/restriction.ts'
import type { Run } from './run/run.ts'
import { isReason } from './watch/escape/rungs.ts'
import { NOTHING_SPENT } from './watch/event/call-event.ts'
import type { EventOf, Finding, Stamped } from './watch/event/event.ts'
import { customReason, type Reason } from './watch/reason/reason.ts'

type Chosen = NonNullable<Interpretation['chosen']> & { readonly question?: string }
type EscapeRequest = Pick<EventOf<'escape'>, 'rung' | 'to'>

/** The route that a person takes out of the current state, or why it is not available. */
export function escapeOf(machine: AgentMachine, run: Run, request: EscapeRequest): Chosen | Reason {
  const [open] = callsInDoubt(run.pending)
  // A write in flight would be left with an unknown outcome, and a question about one without an answer.
  if (open) return { code: 'call-unresolved', params: { call: open.tool } }
  const asked = run.pending.find(isReview)
  const effect =
    asked ?? inquiry(run.pending.find(other => other.type !== 'rollback' && !isStateless(other)))
  if (!effect) return { code: 'dead-end', params: { state: String(run.pending[0]?.state ?? '') } }
  const route = choiceOf({ machine, run, effect }, request)
  if (isReason(route)) return route
  const of = { route, because: effect.about?.because ?? [] }
  return asked ? { ...of, question: asked.id } : of
}

const isReview = (effect: Effect): effect is Interrupt =>
  effect.type === 'interrupt' && effect.about !== undefined

const ASKED: Reason = { code: 'escape-by-person' }

/** The review that the watchdog would ask in the state of an effect. */
function inquiry(effect: Effect | undefined): Interrupt | undefined {
  if (!effect) return undefined
  const { id, state, region, node, since } = effect
  const finding: Finding = {
    kind: 'loop',
    detector: 'person',
    region,
    id: `person ${state}`,
    members: [state],
    period: 1,
    repeats: 1,
    onset: since,
    noticed: since,
    states: [state],
    events: [],
    burned: NOTHING_SPENT,
    reason: ASKED,
  }
  const about = { from: state, because: [finding], considered: [], otherwise: 'stop' as const }
  return { id, state, region, node, since, type: 'interrupt', question: ASKED, about }
}

export function onEscape(
  machine: AgentMachine,
  run: Run,
  event: EventOf<'escape'>,
): Interpretation {
  const chosen = escapeOf(machine, run, event)
  if (isReason(chosen)) return IGNORED
  const { route, because, question } = chosen
  const finishes = question === undefined ? {} : { finishes: question }
  return { events: [], ...finishes, chosen: { route, because } }
}

export function onStop({ reason }: EventOf<'stop'>): Interpretation {
  return {
    events: [{ type: 'escape', region: '', rung: 'stop' }],
    reason: 'stopped',
    because: customReason(reason),
    ends: 'stopped',
  }
}

/** Ends the open review about a dismissed finding. */
export function onDismiss(
  machine: AgentMachine,
  run: Run,
  { finding, at }: Stamped<EventOf<'dismiss'>>,
): Interpretation {
  const effect = run.pending.find(
    each => isReview(each) && each.about?.because.some(({ id }) => id === finding.id),
  )
  if (!effect) return NOTHING
  const answer = { type: 'resume', effect: effect.id, decision: 'dismiss', at } as const
  return onAnswer({ machine, run, effect }, answer)
}
