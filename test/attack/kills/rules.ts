/** What must hold in a store after a kill, and at its end. Each function returns the violations, one sentence each. */
import type { Row } from '../../../src/core/run/run.ts'
import type { Json } from '../../../src/core/watch/data/json.ts'
import { canonical } from '../../../src/core/watch/data/json.ts'
import { isDead } from '../../../src/adapters/node/ports.ts'
import type { Graph } from '../../../src/runtime/ports.ts'
import { foldRows, replay } from '../../../src/runtime/store/replay.ts'
import type { Store, ThreadSummary } from '../../../src/runtime/store/store.ts'
import type { Shop } from './shop.ts'
import { type Acknowledged, digestOf } from './witness.ts'

export interface Scene {
  readonly store: Store
  readonly shop: Shop
  /** By the names of the graphs. */
  readonly graphs: ReadonlyMap<string, Graph>
  /** The journals read so far. Only threads that have changed are read again. */
  readonly journals: Map<string, readonly Row[]>
}

/** Reads the journals that have changed. Returns their threads. */
export async function readJournals({ store, journals }: Scene): Promise<readonly ThreadSummary[]> {
  const changed: ThreadSummary[] = []
  for (const summary of await store.threads()) {
    if (journals.get(summary.thread)?.length === summary.seq + 1) continue
    journals.set(summary.thread, await store.rows(summary.thread))
    changed.push(summary)
  }
  return changed
}

export async function lostWrites(
  { store, journals }: Scene,
  acknowledged: readonly Acknowledged[],
): Promise<readonly string[]> {
  const lost: string[] = []
  for (const each of acknowledged)
    if (each.kind === 'rows') {
      const rows = journals.get(each.thread) ?? []
      for (const [seq, digest] of each.rows) {
        const row = rows[seq]
        if (row === undefined) lost.push(`row ${seq} of ${each.thread} is lost`)
        else if (digestOf(row) !== digest) lost.push(`row ${seq} of ${each.thread} has changed`)
      }
    } else if (each.kind === 'command') {
      const { state } = await store.command(each.thread, each.command)
      if (state === 'unknown') lost.push(`a command to ${each.thread} is lost`)
    } else if ((await store.getBlob(each.hash)) === undefined)
      lost.push(`the value ${each.hash} is lost`)
  return lost
}

/** A journal folds from its first row, and from its checkpoint to the same run. */
export async function brokenJournals(
  { store, journals, graphs }: Scene,
  changed: readonly ThreadSummary[],
): Promise<readonly string[]> {
  const broken: string[] = []
  for (const { thread, graph } of changed) {
    const machine = graphs.get(graph)?.machine
    if (!machine) throw new Error(`the graph ${graph} is unknown`)
    try {
      const whole = foldRows(machine, undefined, journals.get(thread) ?? [])
      const stored = await replay(machine, store, thread)
      if (canonical(whole as unknown as Json) !== canonical(stored as unknown as Json))
        broken.push(`the checkpoint of ${thread} differs from its journal`)
    } catch (error) {
      broken.push(`the journal of ${thread} does not fold: ${(error as Error).message}`)
    }
  }
  return broken
}

/** A thread with work left is due as soon as its driver is dead. */
export async function lostThreads({ store }: Scene): Promise<readonly string[]> {
  const due = new Set(await store.due(Date.now(), { isOwnerDead: isDead }))
  return (await store.threads()).flatMap(({ thread, status, lease }) => {
    const isDriven = lease !== undefined && lease.until > Date.now() && !isDead(lease.owner)
    return status !== 'active' || due.has(thread) || isDriven ? [] : `${thread} is not due`
  })
}

/** Every call was committed before it was performed, and no write was performed twice. */
export function repeatedWrites({ shop, journals }: Scene): readonly string[] {
  const called = new Set(
    [...journals].flatMap(([thread, rows]) =>
      rows.flatMap(({ event }) => (event.type === 'tool.called' ? `${thread}/${event.call}` : [])),
    ),
  )
  const early = shop.visits().filter(({ key }) => !called.has(key))
  const writes = shop.writes().map(({ key }) => key)
  const repeated = writes.filter((key, index) => writes.indexOf(key) < index)
  return [
    ...early.map(({ key }) => `${key} was performed before it was committed`),
    ...repeated.map(key => `${key} was written twice`),
  ]
}

const ONCE: Readonly<Record<string, readonly string[]>> = {
  order: ['reserve', 'charge'],
  courier: ['ship', 'mail'],
}

/** Every thread has ended, and a thread that ended well made each of its writes exactly once. */
export async function unfinishedThreads(scene: Scene): Promise<readonly string[]> {
  const { store, shop, journals } = scene
  const written = new Map<string, number>()
  for (const { key, tool } of shop.writes()) {
    const name = `${key.split('/').slice(0, -2).join('/')} ${tool}`
    written.set(name, (written.get(name) ?? 0) + 1)
  }
  const faults: string[] = []
  for (const { thread, graph, status, detail, outcome } of await store.threads()) {
    if ((await store.inbox(thread)).length > 0) faults.push(`${thread} has an unsettled command`)
    if (status !== 'ended') faults.push(`${thread} did not end: ${status}, ${detail}`)
    const rows = journals.get(thread) ?? []
    if (status === 'ended' && !mayEnd(outcome, detail, rows))
      faults.push(`${thread} ended with ${outcome}: ${detail}`)
    // Forks and imports share the writes of the threads that they copy. A person may have cancelled a round before its writes.
    const wasCancelled = rows.some(({ event }) => event.type === 'cancel')
    if (!thread.startsWith('order-') || outcome !== 'success' || wasCancelled) continue
    for (const tool of ONCE[graph] ?? []) {
      const times = written.get(`${thread} ${tool}`) ?? 0
      // Three kills in one call: the call fails, and the journal states that it had no effect.
      const expected = rows.some(({ event }) => isFailed(event, tool)) ? 0 : 1
      if (times !== expected)
        faults.push(`${thread} made the write ${tool} ${times} times; expected ${expected}`)
    }
  }
  return faults
}

function isFailed(event: Row['event'], tool: string): boolean {
  if (event.type !== 'tool.failed' || event.subject !== tool) return false
  return event.final && event.failure.class === 'persistent'
}

/** Threads end well, or a person cancelled them, or three processes died in one effect. */
function mayEnd(outcome = '', reason: string, rows: readonly Row[]): boolean {
  if (outcome === 'success' || outcome === 'cancelled') return true
  if (rows[0]?.event.type === 'thread.started' && 'parent' in rows[0].event) return true
  const starts = rows.flatMap(({ event }) => (event.type === 'turn.started' ? event.effect : []))
  const most = Math.max(...starts.map(id => starts.filter(other => other === id).length))
  return reason === 'failure.crash-loop' && most >= 3
}
