/** Forks: threads that begin with the journal of another one, and what such a thread may do in the world. */
import type { Effect } from './effects.ts'
import type { Run } from './run.ts'
import type { AgentEvent, Stamped } from './watch/event/event.ts'
import { withoutBlocks } from './block-on-children.ts'
import { inheritForFork } from './watch/judge.ts'

/**
 * The run of a fork at its beginning. What it waits for takes as long as it would have taken; what was written before is its
 * parent's, and not undone by it.
 */
export function forkedRun(
  run: Run,
  event: Stamped<Extract<AgentEvent, { readonly type: 'forked' }>>,
): Run {
  const { effects, parent, at } = event
  const later = Math.max(0, at - run.at)
  // Whoever has started the other waits for that one.
  const { parent: _, ...own } = run
  return {
    ...own,
    watch: inheritForFork(run.watch),
    fork: { effects, origins: [...(run.fork?.origins ?? []), parent] },
    pending: run.pending.map(effect => delayEffect(effect, later)),
    compensable: [],
    uncompensatable: [
      ...new Set([...run.uncompensatable, ...run.compensable.map(({ tool }) => tool)]),
    ],
  }
}

/** An effect put off by so many ms. Starts of another process say nothing about this one's. */
function delayEffect(effect: Effect, later: number): Effect {
  if (effect.type === 'rollback') return { ...effect, starts: 0 }
  const due = effect.deadline === undefined ? {} : { deadline: effect.deadline + later }
  if (effect.type === 'invoke') {
    // What was allowed to the parent, it was allowed alone.
    const { permissions: _, ...rest } = effect.children ? withoutBlocks(effect) : effect
    return { ...rest, ...due, starts: Math.min(rest.starts, 1) }
  }
  if (effect.type === 'wait') return { ...effect, ...due }
  return {
    ...effect,
    ...due,
    ...(effect.chain ? { chain: effect.chain.map(({ to, at }) => ({ to, at: at + later })) } : {}),
  }
}

/** The run, if this event shows that the fork is on its own from here; otherwise the very same. */
export function diverge(run: Run, event: AgentEvent): Run {
  return run.fork && isAnsweredByParent(run) && isLiveEvent(event)
    ? { ...run, fork: { ...run.fork, diverged: true } }
    : run
}

/** Asked of the world, or refused by it, and not told from the parent's journal. */
function isLiveEvent(event: AgentEvent): boolean {
  if (event.type === 'tool.failed' || event.type === 'child.refused')
    return event.failure.rule === WRITE_REFUSED && !event.recorded
  return (
    (event.type === 'tool.called' ||
      event.type === 'child.started' ||
      event.type === 'model.called' ||
      event.type === 'circuit.refused') &&
    !event.recorded
  )
}

/** The rule of the failure by which a fork refuses a write. */
export const WRITE_REFUSED = 'fork'

/** The thread is answered from its parent's journal. */
export function isAnsweredByParent({ fork }: Run): boolean {
  return fork?.effects === 'recorded' && !fork.diverged
}

/** The thread may change nothing in the world. */
export function refusesWrites({ fork }: Run): boolean {
  return fork !== undefined && fork.effects !== 'live'
}

/** The thread that wrote row `seq` of this journal first: its calls bear that thread's name. `undefined`: this one did. */
export function originOf({ fork }: Run, seq: number): string | undefined {
  return fork?.origins.find(origin => seq <= origin.seq)?.thread
}
