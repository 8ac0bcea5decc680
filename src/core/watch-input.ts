/** What the watchdog is told of a step of the machine. */
import type { Reason } from './watch/reason/reason.ts'
import { type Effect, pendingEffect } from './effects.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import { endsByCommand, type StepResult } from './apply-event.ts'
import type { Stamped } from './watch/event/event.ts'
import type { WatchInput } from './watch/input.ts'
import { escapeRoutesOf } from './escape-routes.ts'

export function watchInputOf(
  machine: AgentMachine,
  result: StepResult,
  event: Stamped,
): WatchInput {
  const { run, before, entered } = result
  const own = 'effect' in event ? pendingEffect(before.pending, event.effect) : undefined
  const state = entered.at(-1)?.state ?? own?.state ?? run.pending[0]?.state ?? ''
  const region = own?.region ?? ''
  return {
    seq: run.seq,
    region,
    entered: entered.length > 0 ? placesOf(machine, result) : [],
    unhandled: unhandledOf(result, own?.state ?? state),
    ...progressIn(machine, result),
    begins: beginsStep(result, own, event),
    waiting:
      before.ended !== undefined ||
      event.type === 'forked' ||
      (before.pending.length > 0 && before.pending.every(isWaitingForPerson)),
    over: run.snapshot.status !== 'active' || endsByCommand(result),
    ...dismissedBy(own, event),
    ways: escapeRoutesOf(machine, run, state),
    parts: machine.parts,
  }
}

function placesOf(machine: AgentMachine, { run, entered }: StepResult): WatchInput['entered'] {
  const hash = machine.hashOf(run.snapshot.context, run.policy.detect.ignore)
  return entered.map(({ state, region, phase }) => ({
    state,
    region,
    hash,
    phase: phase && run.entries[state] === 1,
  }))
}

/** Only entering a state follows a write to the channels that could have changed it. */
function progressIn(
  machine: AgentMachine,
  { run, entered }: StepResult,
): Pick<WatchInput, 'progress'> {
  if (!machine.measured) return {}
  return { progress: entered.length > 0 ? machine.measure(run.snapshot.context) : null }
}

/** What a person has just dismissed. */
function dismissedBy(own: Effect | undefined, event: Stamped): Pick<WatchInput, 'dismissed'> {
  return event.type === 'resume' &&
    event.decision === 'dismiss' &&
    own?.type === 'interrupt' &&
    own.about
    ? { dismissed: own.about.because }
    : {}
}

/** Work counts when it begins, waits and questions when they are over: a round of anything must meet the limit some time. */
function beginsStep({ meaning }: StepResult, own: Effect | undefined, event: Stamped): boolean {
  if (own?.type === 'invoke')
    return event.type === 'turn.started' && own.starts === 0 && own.resumed === undefined
  // A question about a call is part of its node's step; those of an escape have a budget of their own.
  if (own?.type === 'rollback') return false
  const asked = own?.type === 'interrupt' && (own.call !== undefined || own.about !== undefined)
  return own !== undefined && !asked && meaning.settles === own.id
}

/** A question, or a node that rests until one about its call is answered. */
function isWaitingForPerson(effect: Effect): boolean {
  return effect.type === 'interrupt' || (effect.type === 'invoke' && effect.blocked !== undefined)
}

/** An outcome without an edge, or a thread that has nothing left to do although it has not ended. */
function unhandledOf(result: StepResult, state: string): WatchInput['unhandled'] {
  const { run, meaning, unhandled, ignored } = result
  if (ignored || endsByCommand(result)) return undefined
  const [first] = meaning.events
  if (unhandled && first) {
    const {
      class: failureClass = 'unknown',
      reason = { code: 'no-edge', params: { state, outcome: first.type } } as Reason,
      as,
    } = meaning.failed ?? {}
    return {
      outcome: first.type,
      state,
      class: failureClass,
      reason,
      ...(as === undefined ? {} : { as }),
    }
  }
  // The way a person has chosen is about to be taken.
  if (run.pending.length > 0 || meaning.chosen || run.snapshot.status !== 'active') return undefined
  return {
    outcome: 'nothing',
    state,
    class: 'unknown',
    reason: { code: 'dead-end', params: { state } },
  }
}
