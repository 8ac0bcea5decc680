/** A graph run as a node: a thread of its own, journalled here when it starts and when it has ended, never started twice. */
import { ReasonError } from '../../core/watch/reason/reason.ts'
import { originOf } from '../../core/fork.ts'
import { isOver, type Run } from '../../core/run.ts'
import { shareOf } from '../../core/watch/budget/limits.ts'
import type { ChildLink } from '../../core/watch/event/event.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { draw, callKey } from '../../core/watch/data/signature.ts'
import { scopeLimits } from '../../core/watch/budget/scope.ts'
import type { Spent } from '../../core/watch/event/spent.ts'
import type { ThreadInit } from '../call/drive-child.ts'
import { type ChildFields, childDoneEvent } from './child-done.ts'
import { depthBelow, rejectChild } from './child-refused.ts'
import { Cancellation } from '../time/cancellation.ts'
import type { ChildAnswer, ChildOptions, Graph } from '../ports.ts'
import { nextChange, waitForChild } from './wait-for-child.ts'
import { isConflict } from '../store/store.ts'
import { replayCall } from '../call/recording.ts'
import { countCall, recordFor, type EffectContext } from '../call/effect-context.ts'

interface ChildCall {
  readonly call: string
  /** The graph's name in the spec. */
  readonly name: string
  readonly input: Json
  readonly options: ChildOptions
}

export async function childCall(
  context: EffectContext,
  { call, name, input, options }: ChildCall,
): Promise<ChildAnswer> {
  context.cancellation.throwIfCancelled()
  const graph = graphNamed(context.ports.graph, name)
  const key = callKey(graph.machine.hash, input)
  const before = recordFor(context, call, name, key)
  if (before?.state.kind === 'answered') {
    context.out.delete(call)
    return before.state.answer as unknown as ChildAnswer
  }
  const fields = {
    effect: context.effect.id,
    region: context.effect.region,
    call,
    subject: name,
    key,
    ...(options.item ? { item: options.item } : {}),
  }
  // What another thread has started goes on there: it is no beginning of ours.
  const foreign = before !== undefined && originOf(context.journal.run, before.called) !== undefined
  if (!before || foreign) {
    const told = replayCall(context, call, key)
    if (told) return told as unknown as ChildAnswer
    const refused = rejectChild(context, { graph, fields, input, foreign })
    if (refused) return refused
  }
  const answer = runChild(context, { graph, fields, input, options })
  const family = familyOf(context)
  family.add(answer)
  try {
    return await answer
  } finally {
    family.delete(answer)
  }
}

function familyOf({ families, effect }: EffectContext): Set<Promise<unknown>> {
  const family = families.get(effect.id) ?? new Set()
  families.set(effect.id, family)
  return family
}

function graphNamed({ graphs = {} }: Graph, name: string): Graph {
  const graph = Object.hasOwn(graphs, name) ? graphs[name] : undefined
  if (!graph)
    throw new ReasonError('Error', {
      code: 'unknown-name',
      params: { kind: 'graph', name, known: Object.keys(graphs) },
    })
  return graph
}

interface ChildTerms {
  readonly graph: Graph
  readonly fields: ChildFields
  readonly input: Json
  readonly options: ChildOptions
}

/** From its start, or from wherever it stands, to its end. */
async function runChild(
  context: EffectContext,
  { graph, fields, input, options }: ChildTerms,
): Promise<ChildAnswer> {
  const { journal, lost } = context
  const { more, close } = countCall(context, fields.call)
  const link: ChildLink = { call: fields.call, thread: `${journal.lease.thread}/${fields.call}` }
  if (!journal.run.watch.account.reserved[link.call]) {
    let reserved = childShare(context, graph, options)
    // Where it is too little for a single step, what its brothers leave is waited for.
    for (
      ;
      (reserved.steps ?? 1) < 1 && hasSiblings(context);
      reserved = childShare(context, graph, options)
    )
      await nextChange(context)
    context.cancellation.throwIfCancelled()
    journal.take({
      ...fields,
      type: 'child.started',
      thread: link.thread,
      reserved,
      ...(more() ? { more: true as const } : {}),
    })
    context.cancellation.throwIfCancelled()
    await journal.flush()
  }
  const run = await driveToEnd(context, {
    graph,
    link,
    init: threadInit(context, { fields, input }),
    options,
  })
  close()
  lost.throwIfCancelled()
  const { event, answer } = childDoneEvent(run, {
    ...fields,
    thread: link.thread,
    ...(more() ? { more: true as const } : {}),
  })
  journal.take(event)
  return answer
}

function childShare(
  { journal, ports, effect }: EffectContext,
  { machine }: Graph,
  { places = 1 }: ChildOptions,
): Partial<Spent> {
  const { watch, policy } = journal.run
  return shareOf(watch.account, policy.limits, {
    own: machine.policy.limits,
    shared: scopeLimits(watch.scopes, policy.limits.scopes, ports.clock.now(), watch.account),
    places: places + siblingsInThread(journal.run, effect.id),
  })
}

/** What else goes on in the thread, in other regions, and has no share set aside yet. */
function siblingsInThread({ pending, watch }: Run, id: string): number {
  const served = new Set([id, ...Object.values(watch.account.reserved).map(({ effect }) => effect)])
  return pending.filter(
    other => !served.has(other.id) && !(other.type === 'interrupt' && other.call),
  ).length
}

function hasSiblings({ journal, effect, cancellation }: EffectContext): boolean {
  return (
    !cancellation.cancelled &&
    Object.values(journal.run.watch.account.reserved).some(child => child.effect === effect.id)
  )
}

function threadInit(
  { journal }: EffectContext,
  { fields, input }: Pick<ChildTerms, 'fields' | 'input'>,
): ThreadInit {
  const { run, lease } = journal
  const { call, item } = fields
  const { seq, limits } = run.watch.account.reserved[call] ?? { seq: run.seq, limits: {} }
  return {
    input,
    seed: Math.floor(draw(run.seed, call, 'seed') * 2 ** 31),
    parent: {
      thread: lease.thread,
      seq,
      call,
      limits,
      depth: depthBelow(run) - 1,
      ...(item ? { item } : {}),
    },
    ...(run.lineage ? { lineage: run.lineage } : {}),
  }
}

interface DriveChildTerms {
  readonly graph: Graph
  readonly link: ChildLink
  readonly init: ThreadInit
  readonly options: ChildOptions
}

/** How long a child is left alone that another process drives, in ms. */
const BUSY = 1_000

/** Drives the child until it has ended. While it waits for people, so does the node, once there is nothing else to do. */
async function driveToEnd(
  context: EffectContext,
  { graph, link, init, options }: DriveChildTerms,
): Promise<Run> {
  const { ports, cancellation, lost } = context
  const stop = new Cancellation()
  const over = () => stop.cancel(options.stop?.reason)
  const forget = cancellation.onCancel(reason => lost.cancelled || stop.cancel(reason))
  if (options.stop?.aborted) over()
  options.stop?.addEventListener('abort', over)
  try {
    for (;;) {
      try {
        const run = await context.driveChild({ ...ports, graph }, link.thread, {
          start: init,
          stop,
          lost,
          attended: context,
        })
        if (isOver(run)) return run
        await waitForChild(context, link, stop)
      } catch (error) {
        if (!isConflict(error) || lost.cancelled) throw error
        await ports.clock.sleep(BUSY, cancellation.signal)
      }
    }
  } finally {
    forget()
    options.stop?.removeEventListener('abort', over)
  }
}
