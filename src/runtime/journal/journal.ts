/** The journal of a thread that is being driven: takes events into the run at once, and into the store before anything is performed. */
import { advance } from '../../core/advance.ts'
import { type Row, type Run, wakeAt } from '../../core/run.ts'
import type { AgentEvent, Stamped } from '../../core/watch/event/event.ts'
import { packer } from '../store/checkpoint.ts'
import { pendingNotifications } from './pending-notifications.ts'
import type { Live, Ports, Clock } from '../ports.ts'

import type { Batch, Lease, Settlement } from '../store/store.ts'
import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import { statusOf } from '../../core/view.ts'
import { sharesOf } from '../../core/scope-shares.ts'
import type { Share } from '../../core/watch/budget/scope.ts'

export interface Journal {
  readonly run: Run
  readonly lease: Lease
  /** Stamps and folds an event. It is stored by the next `flush`. */
  take(event: AgentEvent): Run
  /** Stores all that was taken, as one transaction. After a failure it fails for ever: nothing may be performed any more. */
  flush(): Promise<void>
  /** Calls back after every event; returns what ends it. */
  onChange(listener: () => void): () => void
  /** The next batch settles this command. */
  settle(settlement: Settlement): void
  /** Whether this driver has settled it. */
  settled(command: string): boolean
  renewed(lease: Lease): void
  /** Tells whoever looks on. */
  show(news: Live): void
}

/** A checkpoint is due after so many events. */
export const CHECKPOINT_EVERY = 256

/** What has not been stored yet: rows, and the run after each. */
interface Fresh {
  readonly rows: Row[]
  readonly runs: Run[]
}

/** `ending` is called with a run that has ended, before that is stored. */
export function journalOf(
  ports: Ports,
  lease: Lease,
  start: Run,
  ending: (run: Run) => Promise<void> = async () => {},
): Journal {
  return new DrivenJournal(ports, lease, start, ending)
}

class DrivenJournal implements Journal {
  run: Run
  lease: Lease
  readonly #ports: Ports
  readonly #ending: (run: Run) => Promise<void>
  readonly #pack: ReturnType<typeof packer>
  readonly #sharesOf: ReturnType<typeof publishShares>
  readonly #listeners = new Set<() => void>()
  readonly #settled = new Set<string>()
  #fresh: Fresh = { rows: [], runs: [] }
  #settling: Settlement[] = []
  /** The checkpoints that were due before the last row stored. */
  #checkpoints: number
  #stored = Promise.resolve()

  constructor(ports: Ports, lease: Lease, start: Run, ending: (run: Run) => Promise<void>) {
    this.run = start
    this.lease = lease
    this.#ports = ports
    this.#ending = ending
    this.#pack = packer(ports.graph.machine.logs)
    this.#sharesOf = publishShares(ports.clock)
    this.#checkpoints = Math.floor((start.seq + 1) / CHECKPOINT_EVERY)
  }

  take(event: AgentEvent): Run {
    const { clock, graph } = this.#ports
    const stamped = { ...event, at: Math.max(clock.now(), this.run.at) } as Stamped
    this.run = advance(graph.machine, this.run, stamped)
    this.#fresh.rows.push(rowOf(this.run, stamped))
    this.#fresh.runs.push(this.run)
    for (const listener of this.#listeners) listener()
    return this.run
  }

  flush(): Promise<void> {
    this.#stored = this.#stored.then(() => this.#write())
    return this.#stored
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  settle(settlement: Settlement): void {
    this.#settling.push(settlement)
    this.#settled.add(settlement.command)
  }

  settled(command: string): boolean {
    return this.#settled.has(command)
  }

  show(news: Live): void {
    try {
      this.#ports.live?.(news)
    } catch {
      // A viewer that throws must not disturb the run.
    }
  }

  renewed(lease: Lease): void {
    this.lease = lease
  }

  async #write(): Promise<void> {
    const { rows, runs } = this.#fresh
    if (rows.length === 0 && this.#settling.length === 0) return
    if (this.run.ended) await this.#ending(this.run)
    const { run, lease } = this
    const due = Math.floor((run.seq + 1) / CHECKPOINT_EVERY)
    const checkpoint =
      due > this.#checkpoints ? { checkpoint: { seq: run.seq, ...this.#pack(run) } } : {}
    this.#checkpoints = due
    const shares = this.#sharesOf(lease.thread, run)
    const batch = {
      lease,
      rows,
      settled: this.#settling,
      ...standingOf(this.#ports, run),
      ...checkpoint,
      ...(shares ? { shares } : {}),
    }
    this.#fresh = { rows: [], runs: [] }
    this.#settling = []
    await this.#ports.store.append(batch)
    this.show({ kind: 'rows', thread: lease.thread, rows, runs })
  }
}

type Standing = Pick<Ports, 'notifiers'> & { readonly graph: Pick<Ports['graph'], 'machine'> }

/** What a store must know of a run to tell who is due. A notice that is owed is due at once. */
export function standingOf(
  { graph, notifiers }: Standing,
  run: Run,
): Pick<Batch, 'wakeAt' | 'summary'> {
  return {
    wakeAt: pendingNotifications(run, notifiers).length > 0 ? run.at : wakeAt(run),
    summary: summaryOf(graph.machine, run),
  }
}

/** The row of the last event of a run. */
export function rowOf({ seq, last }: Run, event: Stamped): Row {
  const { findings, verdict, edges } = last
  return last.ignored || last.ended
    ? { seq, event, ...last }
    : { seq, event, findings, verdict, edges }
}

/** The line of a thread in a list. */
export function summaryOf(machine: AgentMachine, run: Run): Batch['summary'] {
  const status = statusOf(run)
  return {
    graph: machine.id,
    specHash: machine.hash,
    status,
    detail: run.ended?.reason ?? run.pending.map(({ state }) => state).join(', '),
    ...(status === 'ended' && run.ended ? { outcome: run.ended.outcome } : {}),
    seq: run.seq,
    at: run.at,
    startedAt: run.startedAt,
  }
}

/** What a thread has to tell as its run stands, if it differs from what it told last. */
export function publishShares(
  clock: Clock,
): (thread: string, run: Run) => readonly Share[] | undefined {
  let last = ''
  return (thread, run) => {
    if (!run.policy.limits.scopes) return undefined
    const shares = sharesOf(thread, run).map(share => ({ ...share, key: keyAt(clock, share.key) }))
    const text = JSON.stringify(shares)
    if (text === last || shares.length === 0) return undefined
    last = text
    return shares
  }
}

/** Times of a virtual clock mean nothing to the threads of the world: they share with one another alone. */
export function keyAt({ virtual }: Clock, key: string): string {
  return virtual ? `${key} (virtual)` : key
}
