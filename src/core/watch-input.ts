/** Builds the input of the watchdog from a step of the machine. */
import { endsByCommand, type StepResult } from './apply-event.ts'
import { type Effect, pendingEffect } from './effects.ts'
import { MachineRoutes } from './escape-routes.ts'
import type { Stamped } from './watch/event/event.ts'
import type { WatchInput } from './watch/regions.ts'

export function watchInputOf(result: StepResult, event: Stamped): WatchInput {
  const { machine, run, before, entered } = result
  const own = 'effect' in event ? pendingEffect(before.pending, event.effect) : undefined
  const state = entered.at(-1)?.state ?? own?.state ?? run.pending[0]?.state ?? ''
  return {
    seq: run.seq,
    region: own?.region ?? '',
    entered: entered.length > 0 ? enteredIn(result) : [],
    unhandled: unhandledOf(result, own?.state ?? state),
    ...progressIn(result),
    begins: beginsStep(result, own, event),
    waiting:
      before.ended !== undefined ||
      event.type === 'forked' ||
      (before.pending.length > 0 && before.pending.every(isWaitingForPerson)),
    over: run.snapshot.status !== 'active' || endsByCommand(result),
    ...dismissedBy(own, event),
    ways: new MachineRoutes(machine, run, state),
    parts: machine.parts,
  }
}

function enteredIn({ machine, run, entered }: StepResult): WatchInput['entered'] {
  const hash = machine.hashOf(run.snapshot.context, run.policy.detect.ignore)
  return entered.map(({ state, region, phase }) => {
    return { state, region, hash, phase: phase && run.entries[state] === 1 }
  })
}

/** Measures progress after a state is entered. Other events write no channels. */
function progressIn({ machine, run, entered }: StepResult) {
  if (!machine.measured) return {}
  return { progress: entered.length > 0 ? machine.measure(run.snapshot.context) : null }
}

function dismissedBy(own: Effect | undefined, event: Stamped): Pick<WatchInput, 'dismissed'> {
  if (event.type !== 'resume' || event.decision !== 'dismiss') return {}
  return own?.type === 'interrupt' && own.about ? { dismissed: own.about.because } : {}
}

/** Work counts when it starts, waits and questions when they end. Every kind of round must reach the limit eventually. */
function beginsStep({ meaning }: StepResult, own: Effect | undefined, event: Stamped): boolean {
  if (own?.type === 'invoke')
    return event.type === 'turn.started' && own.starts === 0 && own.resumed === undefined
  // A question about a call belongs to the step of its node. Escapes have their own budget.
  if (own === undefined || own.type === 'rollback') return false
  if (own.type === 'interrupt' && (own.call || own.about)) return false
  return meaning.settles === own.id
}

/** Whether the effect is a question, or a node blocked by one. */
function isWaitingForPerson(effect: Effect): boolean {
  return effect.type === 'interrupt' || (effect.type === 'invoke' && effect.blocked !== undefined)
}

/** An outcome without an edge, or a thread that has no pending work and has not ended. */
function unhandledOf(result: StepResult, state: string): WatchInput['unhandled'] {
  const { run, meaning, unhandled, ignored } = result
  if (ignored || endsByCommand(result)) return undefined
  const [first] = meaning.events
  if (unhandled && first) {
    const outcome = first.type
    if (meaning.failed) return { outcome, state, ...meaning.failed }
    const reason = { code: 'no-edge', params: { state, outcome } } as const
    return { outcome, state, class: 'unknown', reason }
  }
  // The run takes the chosen route next.
  if (run.pending.length > 0 || meaning.chosen || run.snapshot.status !== 'active') return undefined
  const reason = { code: 'dead-end', params: { state } } as const
  return { outcome: 'nothing', state, class: 'unknown', reason }
}
