/** Moves a waiting thread of an earlier version of a graph to the version of a port. Performs nothing. */
import { machineAt, migrationRefusal, waitingThread } from '../../core/migration.ts'
import { destinationFaults, type Destination } from '../../core/migration.ts'
import type { Run } from '../../core/run/run.ts'
import { defined } from '../../core/watch/data/json.ts'
import type { EventOf } from '../../core/watch/event/event.ts'
import { factsOf } from '../../core/watch/failure/failure.ts'
import { faultLine, firstFaults } from '../../core/watch/data/fault.ts'
import type { Reason } from '../../core/watch/reason/reason.ts'
import { advanceRow } from '../journal/advance-row.ts'
import { standingOf } from '../journal/journal.ts'
import type { Ports } from '../ports.ts'
import { packer } from '../store/checkpoint.ts'
import { withLease } from '../store/lease.ts'
import { replay } from '../store/replay.ts'
import { isGraphOf, machineOfVersion, putSource, startOf, withLeft } from '../store/source.ts'
import { UnknownThread } from '../store/store.ts'

/** What a migration changes. */
export interface Migration {
  /** The hashes of both versions. */
  readonly version: { readonly from: string; readonly to: string }
  readonly node: { readonly from: string; readonly to: string }
  /** The names of the channels that are new, gone, or have another value. */
  readonly channels: string[]
}

export type MigrationResult =
  | { readonly migration: Migration; readonly refused?: undefined }
  | { readonly refused: Reason; readonly migration?: undefined }

/** What the migration of a thread would change, or why it is refused. Stores nothing. @throws UnknownThread, StoreUnavailable */
export async function previewMigration(ports: Ports, thread: string): Promise<MigrationResult> {
  const planned = await planMigration(ports, thread)
  return 'refused' in planned ? planned : { migration: planned.migration }
}

/** `id` and `once` name the request. @throws UnknownThread, ThreadPruned, StoreUnavailable, Conflict while a process drives the thread */
export async function migrateThread(
  given: Ports,
  thread: string,
  { id: command, once }: { readonly id?: string; readonly once?: string } = {},
): Promise<MigrationResult> {
  // A thread of this version may be driven.
  const { started } = await startOf(given.store, thread)
  if (await isGraphOf(given.store, started, given.graph)) return alreadyMigrated(given)
  return withLease(given, thread, async (lease, ports) => {
    const planned = await planMigration(ports, thread)
    if ('refused' in planned) return planned
    const { store, graph } = ports
    const { event, run, migration } = planned
    const source = await putSource(store, graph.source)
    const machine = await withLeft(store, graph.machine, event.left)
    const stamped = { ...event, source, epoch: lease.epoch, ...defined({ command }) }
    const [next, row] = advanceRow({ ...ports, graph: { ...graph, machine } }, run, stamped)
    const checkpoint = { seq: next.seq, ...packer(machine.logs)(next) }
    const standing = { ...standingOf(ports, next), checkpoint }
    await store.append({ lease, rows: [row], ...standing, ...defined({ once }) })
    return { migration }
  })
}

interface Planned {
  readonly run: Run
  readonly event: EventOf<'migrated'>
  readonly migration: Migration
}

type Refused = { readonly refused: Reason }

async function planMigration(ports: Ports, thread: string): Promise<Planned | Refused> {
  const { store, graph, redact } = ports
  const { started, left } = await startOf(store, thread)
  const { id, hash, parts } = graph.machine
  if (await isGraphOf(store, started, graph)) return alreadyMigrated(ports)
  if (!graph.migrate) return refuse('no-migration', { graph: id })
  const { specHash, source, versions } = started
  const version = { specHash, versions, ...defined({ source }) }
  const machine = await withLeft(store, await machineOfVersion(store, version), left)
  const run = await replay(machine, store, thread)
  if (!run) throw new UnknownThread(thread)
  const refused = migrationRefusal(run)
  if (refused) return { refused }
  const waiting = waitingThread(machineAt(machine, run), run, specHash)
  let to: Destination | undefined
  try {
    to = graph.migrate(waiting)
  } catch (error) {
    const { name, message } = factsOf(error, redact)
    return refuse('invalid-migration', { faults: [`migrate: ${name}: ${message}`] })
  }
  if (to === undefined) return refuse('migration-declined', { graph: id, node: waiting.node })
  const faults = destinationFaults(graph.machine, run, to)
  if (faults.length > 0)
    return refuse('invalid-migration', { faults: redact(firstFaults(faults, faultLine)) })
  const { node, channels } = redact(to)
  const changed = new Set([...Object.keys(waiting.channels), ...Object.keys(channels)])
  const isChanged = (name: string) =>
    JSON.stringify(waiting.channels[name]) !== JSON.stringify(channels[name])
  return {
    run,
    event: {
      type: 'migrated',
      specHash: hash,
      versions: { ...parts.versions, ...graph.versions },
      left: [...left, version],
      node,
      channels,
    },
    migration: {
      version: { from: specHash, to: hash },
      node: { from: waiting.node, to: node },
      channels: [...changed].filter(isChanged).toSorted(),
    },
  }
}

const alreadyMigrated = ({ graph }: Ports): Refused =>
  refuse('already-migrated', { graph: graph.machine.id })

type MigrationCode =
  | 'already-migrated'
  | 'no-migration'
  | 'migration-declined'
  | 'invalid-migration'

const refuse = <C extends MigrationCode>(code: C, params: Reason<C>['params']): Refused => ({
  refused: { code, params } as Reason,
})
