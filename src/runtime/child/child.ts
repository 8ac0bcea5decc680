/** A graph run as a node: a child thread, journaled in its parent when it starts and when it has ended, and started once. Orphaned children are cancelled. */
import { originOf } from '../../core/fork.ts'
import { type Run, isOver } from '../../core/run/run.ts'
import { type Reserve, shareOf } from '../../core/watch/budget/account.ts'
import { scopeLimits } from '../../core/watch/budget/scope.ts'
import { type OfCall, type Spent, NOTHING_SPENT } from '../../core/watch/event/call-event.ts'
import type { ChildEvent, ChildLink, Item, AgentEvent } from '../../core/watch/event/event.ts'
import { type Json, defined, callKey, digest, draw } from '../../core/watch/data/json.ts'
import { childAnswer } from '../call/call-record.ts'
import type { CallIds } from '../call/call-ids.ts'
import { type CallId, lookUp, openCall } from '../call/callable.ts'
import type { CallContext, ThreadInit } from '../call/context.ts'
import { replayCall } from '../call/recording.ts'
import { quotedTexts } from '../../core/watch/answer/quoted-texts.ts'
import { VALUE_MAX } from '../call/stored-json.ts'
import { nextChange } from '../journal/journal.ts'
import type { ChildAnswer, ChildOptions, Graph } from '../ports.ts'
import { findStart, isWrongGraph } from '../store/source.ts'
import { isConflict, isUnknownThread } from '../store/store.ts'
import { Cancellation, cancelOnAbort } from '../time/cancellation.ts'
import { depthBelow, rejectChild } from './reject-child.ts'
import { type CallOfParent, checkLink, ForeignChild } from './child-link.ts'
import { cancelWithoutGraph } from './cancel-without-graph.ts'
import { childMayWrite, foreignAnswer, mayWrite } from './foreign-child.ts'
import { isReleased } from './hold.ts'
import { waitForChild } from './waiting.ts'
import { isExpired, pendingEffect, type QuestionedCall } from '../../core/run/effects.ts'
import { ReasonError } from '../../core/watch/reason/reason.ts'

type ChildStart = Readonly<{ graph: Graph; input: Json; options: ChildOptions }>

interface ChildCall extends Omit<ChildStart, 'graph'> {
  /** The graph's name in the spec. */
  readonly name: string
}

export async function childCall(
  context: CallContext,
  ids: CallIds,
  { name, input, options }: ChildCall,
): Promise<ChildAnswer> {
  const { ports, journal, cancellation, runningChildren, effect } = context
  cancellation.throwIfCancelled()
  const graph = lookUp('Error', 'graph', ports.graph.graphs ?? {}, name)
  const made = { subject: name, key: callKey(graph.machine.hash, input) }
  const call = await ids.of({ kind: 'graph', ...made })
  cancellation.throwIfCancelled()
  const id = { call, ...made, ...defined({ item: options.item }) }
  const record = context.records.calls.get(call)
  if (record?.state.kind === 'answered') return record.state.answer as ChildAnswer
  // The child of another thread continues there: it is not a child of this fork.
  const isForeign = record !== undefined && originOf(journal.run, record.called) !== undefined
  if (!record || isForeign) {
    const answer = replayCall(context, id) ?? rejectChild(context, id, { graph, input })
    if (answer) return answer as ChildAnswer
    if (isForeign && mayWrite(graph)) return foreignAnswer(context, id, record)
  }
  const answer = runChild(context, id, { graph, input, options })
  const family = runningChildren.get(effect) ?? new Set()
  runningChildren.set(effect, family.add(answer))
  try {
    return await answer
  } finally {
    family.delete(answer)
  }
}

/** Starts the child, or continues it, and drives it to its end. */
async function runChild(context: CallContext, id: CallId, child: ChildStart): Promise<ChildAnswer> {
  const { journal, cancellation, halted, withoutShare } = context
  const { fields, close } = openCall(context, id)
  const thread = `${journal.lease.thread}/${id.call}`
  const isNew = !journal.run.watch.account.reserved[id.call]
  if (isNew) {
    let reserved = childShare(context, child)
    // A share too small for one step waits for the rest of a sibling's share.
    while ((reserved.steps ?? 1) < 1 && hasSiblings(context)) {
      withoutShare.add(id.call)
      await nextChange(journal, cancellation)
      withoutShare.delete(id.call)
      reserved = childShare(context, child)
    }
    cancellation.throwIfCancelled()
    journal.take({ ...fields(), type: 'child.started', thread, reserved })
    cancellation.throwIfCancelled()
    await journal.flush()
  }
  const run = await driveToEnd(context, { ...id, thread }, { ...child, isNew })
  close()
  halted.throwIfCancelled()
  const quoted = quotedTexts(child.input, run.ended?.result ?? null)
  const { event, answer } = childDoneEvent(run, { ...fields(), thread }, quoted)
  journal.take(event)
  return answer
}

function childShare(context: CallContext, { graph, options }: ChildStart): Partial<Spent> {
  const { journal, ports, effect } = context
  const { watch, policy, pending } = journal.run
  const { account } = watch
  // Effects of other regions that have no share yet.
  const served = new Set([effect, ...Object.values(account.reserved).map(child => child.effect)])
  const siblings = pending.filter(
    other => !served.has(other.id) && !(other.type === 'interrupt' && other.call),
  )
  return shareOf(account, policy.limits, {
    own: graph.machine.policy.limits,
    shared: scopeLimits(watch.scopes, policy.limits.scopes, ports.clock.now(), account),
    places: (options.places ?? 1) + siblings.length,
  })
}

function hasSiblings({ journal, effect, cancellation }: CallContext): boolean {
  const { reserved } = journal.run.watch.account
  return !cancellation.cancelled && Object.values(reserved).some(child => child.effect === effect)
}

/** The delay before a child that another process drives is tried again, in ms. */
const BUSY = 1_000

/**
 * Drives the child until it has ended. While the child waits for people, its node waits, too. `isNew`: the thread must not exist yet. One
 * that does was not started by this call, whatever its first row says.
 */
async function driveToEnd(
  context: CallContext,
  id: CallId & ChildLink,
  { graph, input, options, isNew }: ChildStart & { readonly isNew: boolean },
): Promise<Run> {
  const { ports, cancellation, halted, drain, driveChild } = context
  const { call, thread, key } = id
  const { run, lease } = context.journal
  const { seq, limits } = run.watch.account.reserved[call] ?? { seq: run.seq, limits: {} }
  const parent = { thread: lease.thread, call, key }
  const depth = depthBelow(run) - 1
  const start: ThreadInit = {
    input,
    seed: Math.floor(draw(run.seed, call, 'seed') * 2 ** 31),
    parent: { ...parent, seq, limits, depth, ...defined({ item: options.item }) },
    ...defined({ lineage: run.lineage }),
  }
  const cancel = new Cancellation()
  const ends = [
    cancellation.onCancel(reason => halted.cancelled || cancel.cancel(reason)),
    cancelOnAbort(cancel, options.stop),
  ]
  const hold = () => context.journal.run.paused?.since
  const drive = { start, parent, cancel, leave: halted, drain, hold, drivenByParent: true as const }
  try {
    for (let fresh = isNew; ; fresh = false) {
      try {
        const run = await driveChild({ ...ports, graph }, thread, { ...drive, fresh })
        if (isOver(run)) return run
        const isMoving = () => isReleased(run.paused, hold())
        await waitForChild(context, { call, thread }, { stopped: cancel, isMoving })
      } catch (error) {
        if (drain?.cancelled && error === drain.signal.reason) await leaveWithParent(context, call)
        if (!isConflict(error) || halted.cancelled) throw error
        await ports.clock.sleep(BUSY, cancellation.signal)
      }
    }
  } finally {
    for (const end of ends) end()
  }
}

/** A child was drained. Its parent is left, too, once its other work has ended. @throws the reason */
function leaveWithParent(context: CallContext, call: string): Promise<never> {
  const { cancellation, drainedCalls, haltIfDrained } = context
  const { promise, reject } = Promise.withResolvers<never>()
  drainedCalls.add(call)
  cancellation.onCancel(reject)
  haltIfDrained()
  return promise
}

/** Characters of the result of one item of a map, which may have a million items. */
const ITEM_MAX = 16_384

/** The end of a child, as an event of its parent and as an answer for the node. */
function childDoneEvent(
  { ended, watch, wrote, unresolved = [] }: Run,
  fields: OfCall & { readonly item?: Item; readonly thread: string },
  quoted: readonly string[] = [],
): { readonly event: Extract<ChildEvent, { type: 'child.done' }>; readonly answer: ChildAnswer } {
  const { outcome = 'error', reason = 'not-ended', because, result = null } = ended ?? {}
  // An edge of a child that succeeds may handle a question without an answer, but not a write that was left in flight.
  const inDoubt = unresolved.filter(({ unanswered }) => outcome !== 'success' || !unanswered)
  const { length } = JSON.stringify(result)
  const fits = length <= (fields.item ? ITEM_MAX : VALUE_MAX)
  const event = {
    ...fields,
    type: 'child.done' as const,
    outcome,
    reason,
    ...(because && outcome !== 'success' ? { because } : {}),
    result: fits ? result : null,
    ...(fits ? {} : { cut: length }),
    spent: watch.account.spent,
    digest: digest([outcome, result]),
    effects: wrote ? ('write' as const) : ('read' as const),
    ...(inDoubt.length > 0 && { unresolved: toolsOf(inDoubt) }),
    ...(fits && quoted.length > 0 ? { quoted } : {}),
  }
  return { event, answer: childAnswer(event) }
}

/** `pay and ship (2 calls)`: one question is about all of them. */
function toolsOf(calls: readonly QuestionedCall[]): string {
  const names = calls.map(({ tool }) => tool)
  const counted = [...new Set(names)].map(name => {
    const { length } = names.filter(each => each === name)
    return length > 1 ? `${name} (${length} calls)` : name
  })
  return new Intl.ListFormat('en-US').format(counted)
}

const REASON = 'parent-continued'

type Orphaning = Pick<CallContext, 'ports' | 'journal' | 'driveChild' | 'halted'> & {
  /** The effects at work, which end their children themselves. */
  readonly running: ReadonlyMap<string, unknown>
}

/** The open children of nodes that were left, or whose time has passed, and that no longer work. */
export const orphansOf = ({ journal, running }: Pick<Orphaning, 'journal' | 'running'>) =>
  Object.entries(journal.run.watch.account.reserved).filter(([, { effect }]) => {
    const pending = pendingEffect(journal.run.pending, effect)
    return !running.has(effect) && (!pending || isExpired(pending))
  })

export async function cancelOrphans(context: Orphaning): Promise<void> {
  const { ports, journal, driveChild, halted } = context
  const orphans = orphansOf(context)
  if (orphans.length === 0) return
  const cancel = new Cancellation()
  cancel.cancel(new ReasonError('AbortError', { code: REASON }))
  for (const [call, child] of orphans) {
    if (halted.cancelled) return
    const graph = ports.graph.graphs?.[child.subject] ?? ports.graph
    const parent = { thread: journal.lease.thread, call, key: child.key }
    const driveToEnd = () =>
      driveChild({ ...ports, graph }, child.thread, {
        ...{ parent, cancel, leave: halted, drivenByParent: true as const },
      })
    const writes = childMayWrite(ports.graph, child.subject)
    const event = await cancelOrphan(ports, parent, { ...child, writes }, driveToEnd)
    if (event && !halted.cancelled) journal.take(event)
  }
}

/** How the child has ended; `undefined` while another process drives it, which then receives a cancel command. */
async function cancelOrphan(
  ports: CallContext['ports'],
  parent: CallOfParent,
  child: Reserve & { readonly writes: boolean },
  driveToEnd: () => Promise<Run>,
): Promise<AgentEvent | undefined> {
  const { call } = parent
  const { effect, region, subject, key, thread, limits, item } = child
  const fields = { effect, region, call, subject, key, thread, ...defined({ item }) }
  const spent = { ...NOTHING_SPENT, ...limits }
  const nothing = { result: null, digest: digest(null), effects: 'read' } as const
  const unread = { ...fields, type: 'child.done', ...nothing } as const
  // Its journal cannot be read: its last write may be in flight.
  const unknown = child.writes
    ? ({ ...unread, effects: 'write', unresolved: subject } as const)
    : unread
  try {
    // The journal of an imported thread may name any thread of the store.
    const stored = await findStart(ports.store, thread)
    if (stored) checkLink(stored, parent)
    return childDoneEvent(await driveToEnd(), fields).event
  } catch (error) {
    // The process ended after `child.started` was stored and before the child began, or the name is taken.
    if (isUnknownThread(error) || error instanceof ForeignChild)
      return { ...unread, outcome: 'cancelled', reason: 'not-started', spent: NOTHING_SPENT }
    // The graph of the child was removed or changed by a deploy.
    const end = isWrongGraph(error)
      ? await cancelWithoutGraph(ports, thread, REASON).catch(failed => failed as Error)
      : (error as Error)
    if (!end) return { ...unknown, outcome: 'cancelled', reason: REASON, spent }
    if (!isConflict(end)) return { ...unknown, outcome: 'error', reason: end.message, spent }
    await ports.store
      .submit(thread, `left ${call}`, { type: 'cancel', reason: REASON })
      .catch(() => {})
    return undefined
  }
}
