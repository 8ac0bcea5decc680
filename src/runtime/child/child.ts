/** A graph run as a node: a thread of its own, journalled here when it starts and when it has ended, never started twice. */
import { originOf } from '../../core/fork.ts'
import { isOver, type Run } from '../../core/run.ts'
import { shareOf } from '../../core/watch/budget/account.ts'
import type { ChildLink } from '../../core/watch/event.ts'
import type { Json } from '../../core/watch/json.ts'
import { draw } from '../../core/watch/random.ts'
import { boundsOf } from '../../core/watch/budget/scope.ts'
import { callKey } from '../../core/watch/signature.ts'
import type { Spent } from '../../core/watch/budget/spent.ts'
import type { Birth } from './carry.ts'
import { type ChildFields, endedChild } from './child-done.ts'
import { depthBelow, refusedChild } from './child-refused.ts'
import { Leave } from '../time/leave.ts'
import type { ChildAnswer, ChildOptions, Graph } from '../ports.ts'
import { change, rest } from './rest.ts'
import { isConflict } from '../store/store.ts'
import { played } from '../call/tape.ts'
import { counted, recorded, type Work } from '../call/work.ts'

interface ChildCall {
  readonly call: string
  /** The graph's name in the spec. */
  readonly name: string
  readonly input: Json
  readonly options: ChildOptions
}

export async function childCall(
  work: Work,
  { call, name, input, options }: ChildCall,
): Promise<ChildAnswer> {
  work.leave.stay()
  const graph = graphNamed(work.ports.graph, name)
  const key = callKey(graph.machine.hash, input)
  const before = recorded(work, call, name, key)
  if (before?.state.kind === 'answered') {
    work.out.delete(call)
    return before.state.answer as unknown as ChildAnswer
  }
  const fields = {
    effect: work.effect.id,
    region: work.effect.region,
    call,
    subject: name,
    key,
    ...(options.item ? { item: options.item } : {}),
  }
  // What another thread has started goes on there: it is no beginning of ours.
  const foreign = before !== undefined && originOf(work.journal.run, before.called) !== undefined
  if (!before || foreign) {
    const told = played(work, call, key)
    if (told) return told as unknown as ChildAnswer
    const refused = refusedChild(work, { graph, fields, input, foreign })
    if (refused) return refused
  }
  const answer = living(work, { graph, fields, input, options })
  const family = familyOf(work)
  family.add(answer)
  try {
    return await answer
  } finally {
    family.delete(answer)
  }
}

function familyOf({ families, effect }: Work): Set<Promise<unknown>> {
  const family = families.get(effect.id) ?? new Set()
  families.set(effect.id, family)
  return family
}

function graphNamed({ graphs = {} }: Graph, name: string): Graph {
  const graph = Object.hasOwn(graphs, name) ? graphs[name] : undefined
  if (!graph)
    throw new Error(
      `there is no graph named '${name}'; there are: ${Object.keys(graphs).join(', ') || '(none)'}`,
    )
  return graph
}

interface Living {
  readonly graph: Graph
  readonly fields: ChildFields
  readonly input: Json
  readonly options: ChildOptions
}

/** From its start, or from wherever it stands, to its end. */
async function living(work: Work, { graph, fields, input, options }: Living): Promise<ChildAnswer> {
  const { journal, lost } = work
  const { more, close } = counted(work, fields.call)
  const link: ChildLink = { call: fields.call, thread: `${journal.lease.thread}/${fields.call}` }
  if (!journal.run.watch.account.reserved[link.call]) {
    let reserved = shared(work, graph, options)
    // Where it is too little for a single step, what its brothers leave is waited for.
    for (; (reserved.steps ?? 1) < 1 && hasBrothers(work); reserved = shared(work, graph, options))
      await change(work)
    work.leave.stay()
    journal.take({
      ...fields,
      type: 'child.started',
      thread: link.thread,
      reserved,
      ...(more() ? { more: true as const } : {}),
    })
    work.leave.stay()
    await journal.flush()
  }
  const run = await ended(work, { graph, link, birth: birthOf(work, { fields, input }), options })
  close()
  lost.stay()
  const { event, answer } = endedChild(run, {
    ...fields,
    thread: link.thread,
    ...(more() ? { more: true as const } : {}),
  })
  journal.take(event)
  return answer
}

function shared(
  { journal, ports, effect }: Work,
  { machine }: Graph,
  { places = 1 }: ChildOptions,
): Partial<Spent> {
  const { watch, policy } = journal.run
  return shareOf(watch.account, policy.limits, {
    own: machine.policy.limits,
    shared: boundsOf(watch.scopes, policy.limits.scopes, {
      now: ports.clock.now(),
      account: watch.account,
    }),
    places: places + othersAtWork(journal.run, effect.id),
  })
}

/** What else goes on in the thread, in other regions, and has no share set aside yet. */
function othersAtWork({ pending, watch }: Run, id: string): number {
  const served = new Set([id, ...Object.values(watch.account.reserved).map(({ effect }) => effect)])
  return pending.filter(
    other => !served.has(other.id) && !(other.type === 'interrupt' && other.call),
  ).length
}

function hasBrothers({ journal, effect, leave }: Work): boolean {
  return (
    !leave.left &&
    Object.values(journal.run.watch.account.reserved).some(child => child.effect === effect.id)
  )
}

function birthOf({ journal }: Work, { fields, input }: Pick<Living, 'fields' | 'input'>): Birth {
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

interface Under {
  readonly graph: Graph
  readonly link: ChildLink
  readonly birth: Birth
  readonly options: ChildOptions
}

/** How long a child is left alone that another process drives, in ms. */
const BUSY = 1_000

/** Drives the child until it has ended. While it waits for people, so does the node, once there is nothing else to do. */
async function ended(work: Work, { graph, link, birth, options }: Under): Promise<Run> {
  const { ports, leave, lost } = work
  const stop = new Leave()
  const over = () => stop.leave(options.stop?.reason)
  const forget = leave.onLeave(reason => lost.left || stop.leave(reason))
  if (options.stop?.aborted) over()
  options.stop?.addEventListener('abort', over)
  try {
    for (;;) {
      try {
        const run = await work.carry({ ...ports, graph }, link.thread, {
          start: birth,
          stop,
          lost,
          attended: work,
        })
        if (isOver(run)) return run
        await rest(work, link, stop)
      } catch (error) {
        if (!isConflict(error) || lost.left) throw error
        await ports.clock.sleep(BUSY, leave.signal)
      }
    }
  } finally {
    forget()
    options.stop?.removeEventListener('abort', over)
  }
}
