/** Data for store tests: small rows, and batches under a lease. */
import type { Row } from '../../src/core/run/run.ts'
import type { AgentEvent, PersonEvent } from '../../src/core/watch/event/event.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import type { Batch, Lease, LeaseRequest, Store } from '../../src/runtime/store/store.ts'

export const ALIVE = () => false

export function terms(owner = 'host/1/a', more: Partial<LeaseRequest> = {}): LeaseRequest {
  return { owner, now: 0, until: 1_000, isOwnerDead: ALIVE, ...more }
}

/** A row that says `output`. */
export function row(seq: number, output: Json = `row ${seq}`): Row {
  const event: AgentEvent = { type: 'node.done', effect: `act#${seq}`, region: '', output }
  return {
    seq,
    event: { ...event, at: seq * 10 },
    findings: [],
    verdict: { kind: 'continue' },
    edges: ['act.done'],
  }
}

export function rowsBetween(first: number, last: number): readonly Row[] {
  return Array.from({ length: last - first + 1 }, (_, index) => row(first + index))
}

interface More extends Partial<Omit<Batch, 'lease' | 'rows' | 'summary'>> {
  readonly summary?: Partial<Batch['summary']>
}

/** A batch of rows with the summary that belongs to them. `wakeAt` is absent unless given. */
export function batch(lease: Lease, rows: readonly Row[], { summary, ...more }: More = {}): Batch {
  const seq = rows.at(-1)?.seq ?? -1
  return {
    lease,
    rows,
    wakeAt: undefined,
    summary: {
      graph: 'ring',
      specHash: 'hash',
      status: 'active',
      detail: 'act',
      seq,
      startedAt: 0,
      at: seq * 10,
      ...summary,
    },
    ...more,
  }
}

/** A thread with rows 0 to `last`, and the lease under which they were written. */
export async function begun(
  store: Store,
  thread: string,
  last = 0,
  more: More = {},
): Promise<Lease> {
  const lease = await store.lease(thread, terms())
  await store.append(batch(lease, rowsBetween(0, last), more))
  return lease
}

export function cancel(reason: string): PersonEvent {
  return { type: 'cancel', reason }
}

export async function seqs(store: Store, thread: string): Promise<readonly number[]> {
  return (await store.rows(thread)).map(({ seq }) => seq)
}
