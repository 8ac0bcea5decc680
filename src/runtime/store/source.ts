/** The graph of a thread: its source, stored under its name, and its identity. A thread runs only in the version that its first event records. */
import { codedError, guardOf } from '../../core/watch/data/fault.ts'
import { type Json, defined } from '../../core/watch/data/json.ts'
import { isBelow } from '../../core/watch/data/thread-name.ts'
import { VERSION } from '../../core/watch/parts.ts'
import { identityOfSpec } from '../../core/graph/spec/identity.ts'
import type { Spec } from '../../core/graph/spec/spec.ts'
import { type AgentMachine, machineOfSpec } from '../../core/graph/agent-machine.ts'
import type { Row, Run, Started } from '../../core/run/run.ts'
import type {
  EventOf,
  GraphVersion,
  MigratedVersion,
  Stamped,
} from '../../core/watch/event/event.ts'
import { StoreUnavailable, UnknownThread } from './store.ts'
import type { GraphIdentity, Store, ThreadSummary } from './store.ts'
import { isNameOf, nameOfValue } from './value-name.ts'
import { upcastSource } from './upcast.ts'

type Graph = Readonly<{ machine: Pick<AgentMachine, 'id' | 'hash'>; source: Json }>

/** The host does not hold the graph of a thread, or not this version of it. Nothing was performed. */
export class WrongGraph extends codedError('WrongGraph', 'wrong-graph') {
  /** The graph of the thread. */
  readonly recorded: GraphIdentity
  readonly held: readonly GraphIdentity[]

  /** `isNew`: the thread was to start with the graph. */
  constructor(
    thread: string,
    recorded: GraphIdentity,
    held: readonly GraphIdentity[],
    { isNew = false } = {},
  ) {
    const here = `held here: ${held.map(nameOf).join(', ') || 'no graph'}`
    super(
      isNew
        ? `the runtime does not hold the graph ${nameOf(recorded)} of the new thread '${thread}'; ${here}. Add it to \`graphs\` of the runtime.`
        : `thread '${thread}' runs the graph ${nameOf(recorded)}; ${here}. Pass that version of the graph, or start another thread.`,
    )
    this.recorded = recorded
    this.held = held
  }
}

/** Whether an error is a `WrongGraph`. */
export const isWrongGraph = guardOf(WrongGraph)

export function identityOf({ machine }: Graph): GraphIdentity {
  return { graph: machine.id, specHash: machine.hash }
}

export const nameOf = ({ graph, specHash }: GraphIdentity): string => `'${graph}' (${specHash})`

/** Whether a thread runs this graph. Other releases named it by another hash: their stored source is compared. */
export async function isGraphOf(store: Store, started: Started, graph: Graph): Promise<boolean> {
  const { specHash, source = specHash, versions } = started
  if (specHash === graph.machine.hash) return true
  if (versions.escapement === VERSION) return false
  const stored = await store.getBlob(source)
  if (stored === undefined) return false
  return identitiesIn(upcastSource(versions.escapement, stored)) === identitiesIn(graph.source)
}

/** The identities of the specs in a source: a spec alone, or a spec with those of its library. */
function identitiesIn(source: Json): string {
  const { spec = source, library = {} } = source as { spec?: Json; library?: Record<string, Json> }
  const all = [spec, ...Object.values(library)].map(each => identityOfSpec(each as unknown as Spec))
  return all.join()
}

/**
 * The first event of a stored thread, with the version of the graph that the thread runs now. `left`: the versions before, oldest
 * first.
 */
export type StoredStart = Readonly<{
  summary: ThreadSummary
  started: Stamped<Started>
  left: readonly GraphVersion[]
}>

export async function findStart(store: Store, thread: string): Promise<StoredStart | undefined> {
  const [[first], summary] = await Promise.all([store.rows(thread, -1, 1), store.thread(thread)])
  if (!summary || first?.event.type !== 'thread.started') return undefined
  const started = first.event
  // Only a migration and another release change the identity of a thread.
  const moved =
    summary.specHash === started.specHash ? undefined : await lastMigration(store, thread)
  if (!moved) return { summary, started, left: [] }
  const { source: _, ...rest } = started
  const { specHash, source, versions, left } = moved
  return { summary, started: { ...rest, specHash, versions, ...defined({ source }) }, left }
}

/** The version of a thread since its last migration, which is in its checkpoint or in a later row. */
async function lastMigration(store: Store, thread: string): Promise<MigratedVersion | undefined> {
  const { rows = [], checkpoint } = (await store.load(thread)) ?? {}
  return migrationIn(rows) ?? (checkpoint?.run as Partial<Run> | undefined)?.version
}

/** The last migration among rows. */
export const migrationIn = (rows: readonly Row[]): EventOf<'migrated'> | undefined =>
  rows.flatMap(({ event }) => (event.type === 'migrated' ? event : [])).at(-1)

/** A machine that also folds the rows of the versions that a thread has left. @throws StoreUnavailable */
export async function withLeft<M extends AgentMachine>(
  store: Pick<Store, 'getBlob'>,
  machine: M,
  left: readonly GraphVersion[],
): Promise<M> {
  if (left.length === 0) return machine
  return { ...machine, left: await Promise.all(left.map(of => machineOfVersion(store, of))) }
}

/** The machine of a stored version. It folds rows, whose findings are recorded: custom parts are not needed. */
export async function machineOfVersion(store: Pick<Store, 'getBlob'>, of: GraphVersion) {
  const name = of.source ?? of.specHash
  const stored = await store.getBlob(name)
  if (stored === undefined)
    throw new StoreUnavailable(`the store does not hold the version ${name} of a graph`)
  const source = upcastSource(of.versions.escapement, stored)
  const { spec = source } = source as { spec?: Json }
  return machineOfSpec(spec as unknown as Spec)
}

/** A thread and its stored descendants, sorted by name. Empty: unknown thread. @throws StoreUnavailable if one has lost its start */
export async function familyOf(store: Store, root: string): Promise<readonly StoredStart[]> {
  const names = (await store.threads()).map(({ thread }) => thread)
  const family = names.filter(name => name === root || isBelow(name, root)).toSorted()
  const starts = await Promise.all(
    family.map(async name => {
      const start = await findStart(store, name)
      // A thread that was removed meanwhile is no longer listed.
      if (start || !(await store.thread(name))) return start
      throw new StoreUnavailable(
        `thread '${name}' is damaged: its first event is missing; restore the store from a backup`,
      )
    }),
  )
  // Earlier versions started independent threads under such names, too.
  const isMember = ({ summary, started }: StoredStart) => summary.thread === root || started.parent
  return starts.flatMap(start => (start && isMember(start) ? [start] : []))
}

/** The first event of a stored thread, and its summary. @throws UnknownThread */
export async function startOf(store: Store, thread: string): Promise<StoredStart> {
  const start = await findStart(store, thread)
  if (!start) throw new UnknownThread(thread)
  return start
}

/** Checks that a stored thread runs this graph. A renamed node would else change the ids of its effects. @throws WrongGraph */
export async function checkGraph(
  store: Store,
  { summary, started }: StoredStart,
  graph: Graph,
): Promise<void> {
  if (await isGraphOf(store, started, graph)) return
  const recorded = { graph: summary.graph, specHash: started.specHash }
  throw new WrongGraph(summary.thread, recorded, [identityOf(graph)])
}

/** Names of the sources that a store holds: a graph that runs a thousand times is named once. */
const STORED = new WeakMap<Store, WeakMap<object, string>>()

/** Stores a source and returns its name. */
export async function putSource(store: Store, source: Json): Promise<string> {
  const names = STORED.get(store) ?? new WeakMap<object, string>()
  const isObject = typeof source === 'object' && source !== null
  const known = isObject ? names.get(source) : undefined
  if (known !== undefined) return known
  const name = nameOfValue('graph', source)
  await store.putBlob(name, source)
  if (isObject) STORED.set(store, names.set(source, name))
  return name
}

/** The source of the graph of a thread. @throws StoreUnavailable when it is missing or damaged. */
export async function getSource(store: Store, thread: string, started: Started): Promise<Json> {
  const { source, specHash, versions } = started
  const name = source ?? specHash
  const stored = await store.getBlob(name)
  if (stored === undefined)
    throw new StoreUnavailable(
      `the store does not hold the graph of '${thread}' (${name}), which is required to read the thread`,
    )
  // In threads of the first version, `specHash` is not the hash of the stored source.
  if (source !== undefined && !isNameOf(source, stored))
    throw new StoreUnavailable(
      `the graph of '${thread}' is damaged in the store: the value stored as ${name} is another one; restore the store from a backup, or start the thread again`,
    )
  return upcastSource(versions.escapement, stored)
}
