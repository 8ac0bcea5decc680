/** Forks: threads that start with the journal of another thread. The start of a fork says which external effects it may have. */
import { uncontrolled } from './run/control.ts'
import { withoutBlocks } from './questions.ts'
import { childCall, questionsLeft, withUnresolved } from './doubts.ts'
import { type Effect, pendingEffect, type QuestionedCall } from './run/effects.ts'
import type { Run } from './run/run.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import { logOf } from './graph/channels.ts'
import type { Snapshot } from './graph/machine.ts'
import { defined, type Json } from './watch/data/json.ts'
import type { AgentEvent, EventOf, Origin, Stamped } from './watch/event/event.ts'
import { inheritForFork } from './watch/judge.ts'

/** The rule of the failure with which a fork refuses a write. */
export const WRITE_REFUSED = 'fork'

/** The first run of a fork. Deadlines keep the time they had left. The earlier writes belong to the parent: the fork cannot compensate them. */
export function forkedRun(
  machine: AgentMachine,
  run: Run,
  { effects, parent, at, channels = {}, unresolved = [] }: Stamped<EventOf<'forked'>>,
): Run {
  const delay = Math.max(0, at - run.at)
  const { parent: _, ...rest } = uncontrolled(run)
  const tools = run.compensable.map(({ tool }) => tool)
  const children = childrenIn(run, unresolved)
  const left = children.filter(({ effect }) => !pendingEffect(run.pending, effect))
  const pending = run.pending.map(effect => delayEffect(withChildren(effect, children), delay))
  const questions = run.ended ? [] : questionsLeft({ ...run, at }, { before: [], kept: [] }, left)
  return {
    ...rest,
    snapshot: withChannels(machine, run.snapshot, channels),
    // A rollback keeps the edited values.
    savepoint: {
      ...run.savepoint,
      snapshot: withChannels(machine, run.savepoint.snapshot, channels),
    },
    watch: inheritForFork(run.watch),
    fork: { effects, origins: [...(run.fork?.origins ?? []), parent] },
    pending: [...pending, ...questions],
    ...(children.length > 0 && { wrote: true }),
    ...(run.ended && left.length > 0 && { unresolved: withUnresolved(run.unresolved, left) }),
    compensable: [],
    uncompensatable: [
      ...new Set([...run.uncompensatable, ...tools, ...left.map(({ tool }) => tool)]),
    ],
  }
}

/** The calls of children that go on in the parent: what they have written is unknown here. */
const childrenIn = ({ watch }: Run, calls: readonly string[]): readonly QuestionedCall[] =>
  calls.flatMap(call => {
    const child = watch.account.reserved[call]
    return child ? [childCall({ ...child, call }, child.subject)] : []
  })

/** The children of a node count as writes in flight, until the node knows their answers from the journal of the parent. */
function withChildren(effect: Effect, children: readonly QuestionedCall[]): Effect {
  const own = children.filter(child => child.effect === effect.id)
  if (effect.type !== 'invoke' || own.length === 0) return effect
  return { ...effect, writing: [...(effect.writing ?? []), ...own] }
}

function withChannels(
  { logs }: AgentMachine,
  snapshot: Snapshot,
  channels: Readonly<Record<string, Json>>,
): Snapshot {
  const edited = Object.entries(channels).map(([name, value]) => {
    const items = Array.isArray(value) ? value : [value]
    return [name, logs.has(name) ? logOf(items) : value]
  })
  if (edited.length === 0) return snapshot
  return { ...snapshot, context: { ...snapshot.context, ...Object.fromEntries(edited) } }
}

/** Delays an effect by `ms`. Limits the starts counted by the parent, which ran in another process. */
function delayEffect(effect: Effect, ms: number): Effect {
  if (effect.type === 'rollback') return { ...effect, starts: 0 }
  const due = effect.deadline === undefined ? {} : { deadline: effect.deadline + ms }
  if (effect.type === 'invoke') {
    // The permissions of the parent do not extend to the fork.
    const free = effect.children ? withoutBlocks(effect) : effect
    const { permissions: _, expired: __, ...rest } = free
    return { ...rest, ...due, starts: Math.min(rest.starts, 1) }
  }
  if (effect.type === 'wait') return { ...effect, ...due }
  const chain = effect.chain?.map(({ to, at }) => ({ to, at: at + ms }))
  return { ...effect, ...due, ...defined({ chain }) }
}

/** Marks the fork as diverged if the event shows it. Otherwise returns the same run. */
export function diverge(run: Run, event: AgentEvent): Run {
  return run.fork && isAnsweredByParent(run) && isLiveEvent(event)
    ? { ...run, fork: { ...run.fork, diverged: true } }
    : run
}

/** Whether the event comes from, or asks for, a live call, and not from the journal of the parent. */
function isLiveEvent(event: AgentEvent): boolean {
  switch (event.type) {
    case 'tool.failed':
    case 'child.refused':
      return event.failure.rule === WRITE_REFUSED && !event.recorded
    case 'tool.called':
    case 'child.started':
    case 'model.called':
    case 'circuit.refused':
      return !event.recorded
    default:
      return false
  }
}

/** Whether the journal of the parent answers the calls of the thread. */
export const isAnsweredByParent = ({ fork }: Run): boolean =>
  fork?.effects === 'recorded' && !fork.diverged

/** Whether the thread is a fork that must not write. */
export const refusesWrites = ({ fork }: Run): boolean =>
  fork !== undefined && fork.effects !== 'live'

/** The thread that first wrote row `seq` of this journal: its calls carry its name. Returns `undefined` for this thread. */
export const originOf = ({ fork }: Run, seq: number): Origin | undefined =>
  fork?.origins.find(origin => seq <= origin.seq)
