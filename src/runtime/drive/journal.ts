/** The journal of a thread that is being driven: takes events into the run at once, and into the store before anything is performed. */
import { advance } from '../../core/advance.ts'
import { type Row, type Run, wakeAt } from '../../core/run.ts'
import type { AgentEvent, Stamped } from '../../core/watch/event.ts'
import { packer } from '../store/checkpoint.ts'
import { pendingNotifications } from '../people/pending-notifications.ts'
import type { Live, Ports } from '../ports.ts'
import { publishShares } from './publish-shares.ts'
import { summaryOf } from '../store/summary.ts'
import type { Batch, Lease, Settlement } from '../store/store.ts'

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

/** `ending` is told of a run that has ended, before that is stored. */
export function journalOf(
  ports: Ports,
  lease: Lease,
  start: Run,
  ending: (run: Run) => Promise<void> = async () => {},
): Journal {
  const { machine } = ports.graph
  const { clock, store } = ports
  const pack = packer(machine.logs)
  const told = publishShares(clock)
  const listeners = new Set<() => void>()
  let run = start
  let held = lease
  let fresh: Fresh = { rows: [], runs: [] }
  let settling: Settlement[] = []
  const known = new Set<string>()
  let checkpointed = Math.floor((start.seq + 1) / CHECKPOINT_EVERY)
  let stored = Promise.resolve()

  const show = (news: Live) => {
    try {
      ports.live?.(news)
    } catch {
      // Whoever looks on must not disturb the run.
    }
  }
  const write = async () => {
    const { rows, runs } = fresh
    if (rows.length === 0 && settling.length === 0) return
    if (run.ended) await ending(run)
    const due = Math.floor((run.seq + 1) / CHECKPOINT_EVERY)
    const checkpoint = due > checkpointed ? { checkpoint: { seq: run.seq, ...pack(run) } } : {}
    checkpointed = due
    const shares = told(held.thread, run)
    const batch = {
      lease: held,
      rows,
      settled: settling,
      ...standingOf(ports, run),
      ...checkpoint,
      ...(shares ? { shares } : {}),
    }
    fresh = { rows: [], runs: [] }
    settling = []
    await store.append(batch)
    show({ kind: 'rows', thread: held.thread, rows, runs })
  }
  return {
    get run() {
      return run
    },
    get lease() {
      return held
    },
    take(event) {
      const stamped = { ...event, at: Math.max(clock.now(), run.at) } as Stamped
      run = advance(machine, run, stamped)
      fresh.rows.push(rowOf(run, stamped))
      fresh.runs.push(run)
      for (const listener of listeners) listener()
      return run
    },
    flush() {
      stored = stored.then(write)
      return stored
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    settle(settlement) {
      settling.push(settlement)
      known.add(settlement.command)
    },
    settled: command => known.has(command),
    show,
    renewed: lease => {
      held = lease
    },
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
