/** Migration: a waiting thread of an earlier version of a graph continues in a node of this version, with the channels that the hook of the graph returns. */
import { uncontrolled } from './run/control.ts'
import type { Effect } from './run/effects.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import { itemsOf, type Log } from './graph/channels.ts'
import type { Step } from './graph/machine.ts'
import { isStateless, restrictionsIn } from './run/restriction.ts'
import type { Run } from './run/run.ts'
import type { Fault } from './watch/data/fault.ts'
import { defined, type Json, isMap, mapFields, notJsonAt } from './watch/data/json.ts'
import type { EventOf, Stamped } from './watch/event/event.ts'
import { inheritForMigration } from './watch/judge.ts'
import type { Reason } from './watch/reason/reason.ts'

/** A waiting thread of an earlier version of a graph, as the hook of the graph receives it. */
export interface WaitingThread {
  /** The hash of the version that the thread runs, as `runtime.unreachable()` lists it. */
  readonly version: string
  /** The node that waits: the one that a review is about, or the set of regions around it. */
  readonly node: string
  /** The channels that have a value. An append channel is a list. */
  readonly channels: Readonly<Record<string, Json>>
}

/** Where a thread continues: it starts this node, and these are its channels. */
export interface Destination {
  readonly node: string
  readonly channels: Readonly<Record<string, Json>>
}

/**
 * Moves a waiting thread of an earlier version to this version of the graph. Returns `undefined` for a thread that it cannot move. Pure.
 * @example const migrate: Migrate = ({ node, channels }) => ({ node: node === 'check' ? 'review' : node, channels })
 */
export type Migrate = (thread: WaitingThread) => Destination | undefined

/** Why a thread cannot migrate now. Its node starts again in the new version: work in progress would be lost or repeated. */
export function migrationRefusal(run: Run): Reason | undefined {
  const { ended, parent, pending, compensable, watch } = run
  if (ended) return { code: 'thread-ended', params: { reason: ended.reason } }
  if (parent) return { code: 'child-migration', params: { parent: parent.thread } }
  const [child] = Object.values(watch.account.reserved)
  if (child) return { code: 'child-unresolved', params: { graph: child.subject } }
  const open = compensable.find(({ done }) => done === undefined)
  if (open) return { code: 'call-unresolved', params: { call: open.tool } }
  const refusals = pending.flatMap(effect => effectRefusal(effect) ?? [])
  // A person can resolve the call. Whether its node has written is known afterwards.
  return refusals.find(({ code }) => code === 'call-unresolved') ?? refusals[0]
}

function effectRefusal(effect: Effect): Reason | undefined {
  const { node } = effect
  switch (effect.type) {
    case 'wait':
      return undefined
    case 'rollback':
      return { code: 'node-in-progress', params: { node } }
    case 'interrupt': {
      const { call } = effect
      if (!call || call.proposed !== undefined) return undefined
      return { code: 'call-unresolved', params: { call: call.tool } }
    }
    case 'invoke': {
      const [writing] = effect.writing ?? []
      if (writing) return { code: 'call-unresolved', params: { call: writing.tool } }
      if (effect.wrote) return { code: 'node-has-written', params: { node } }
      return effect.starts > 0 && effect.blocked === undefined
        ? { code: 'node-in-progress', params: { node } }
        : undefined
    }
  }
}

/** A thread as the hook receives it. `machine` is that of its own version. */
export function waitingThread(machine: AgentMachine, run: Run, version: string): WaitingThread {
  const { context } = run.snapshot
  const all = mapFields(context, (value, name) =>
    machine.logs.has(name) ? (itemsOf(value as unknown as Log) as Json) : (value ?? undefined),
  )
  const effect = run.pending.find(other => !isStateless(other))
  return { version, node: effect ? nodeOf(effect) : '', channels: all as Destination['channels'] }
}

function nodeOf(effect: Effect): string {
  if (effect.region !== '') return effect.region.split('.')[0] ?? ''
  return (effect.type === 'interrupt' && effect.about?.from) || effect.node
}

/** What of the result of a hook does not fit this version of the graph. */
export function destinationFaults(machine: AgentMachine, run: Run, to: unknown): readonly Fault[] {
  const foreign = notJsonAt(to)
  if (foreign !== undefined) return [{ path: 'migrate', message: `is not JSON: ${foreign}` }]
  if (!(isMap(to) && typeof to.node === 'string' && isMap(to.channels)))
    return [{ path: 'migrate', message: 'expected { node, channels }' }]
  const channels = machine.checkChannels(to.channels)
  // Without valid channels, no node can be entered.
  if (channels.length > 0) return channels
  const { snapshot } = machine.start(to.channels)
  const canEnter = (node: string) => machine.can(snapshot, entering(node))
  const known = machine.chart.states.map(({ id }) => id).filter(canEnter)
  const unknown = { path: 'node', message: `unknown node '${to.node}'; nodes: ${known.join(', ')}` }
  const queued = run.queue.flatMap(({ input }, index) =>
    machine
      .checkInput(input)
      .map(({ path, message }) => ({ path: `queue.${index}.${path}`, message })),
  )
  return [...(canEnter(to.node) ? [] : [unknown]), ...queued]
}

const entering = (to: string) => ({ type: 'escape', region: '', rung: 'alternative', to })

/** The run before its first step in this version, and the step. Spending, policy, lessons, breakers and a pause stay. */
export function migrateRun(
  machine: AgentMachine,
  run: Run,
  event: Stamped<EventOf<'migrated'>>,
): readonly [Run, Step] {
  const { paused, savepointDue: _, ...rest } = run
  const { seq, at } = run
  const { left, specHash, versions, source } = event
  const { snapshot } = machine.start(event.channels)
  // The tools of earlier writes may be gone.
  const tools = run.compensable.map(({ tool }) => tool)
  const migrated: Run = {
    ...uncontrolled(rest),
    ...(paused && { paused: defined({ since: paused.since, reason: paused.reason }) }),
    ...(run.fork && { fork: { ...run.fork, diverged: true } }),
    version: { left, specHash, versions, ...defined({ source }) },
    watch: inheritForMigration(run.watch),
    opening: { seq, context: snapshot.context },
    savepoint: { seq, at, snapshot, pending: [] },
    pending: restrictionsIn(run),
    answers: [],
    compensable: [],
    uncompensatable: [...new Set([...run.uncompensatable, ...tools])],
  }
  return [migrated, machine.step(snapshot, entering(event.node))]
}

/** The machine that folds an event: that of the version which the thread ran at the time. */
export function machineAt(machine: AgentMachine, run: Run, event?: Stamped): AgentMachine {
  if (!machine.left) return machine
  const { length } = event?.type === 'migrated' ? event.left : (run.version?.left ?? [])
  return machine.left[length] ?? machine
}
