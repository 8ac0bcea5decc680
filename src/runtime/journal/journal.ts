/** The journal of a driven thread: `take` applies an event to the run at once, `flush` stores the rows. Effects are performed after a flush. */
import type { Interrupt } from '../../core/run/effects.ts'
import { type Run, wakeAt } from '../../core/run/run.ts'
import { activeStates, sharesOf, statusOf } from '../../core/run/view.ts'
import { waitsOf } from '../../core/waits.ts'
import type { AgentEvent } from '../../core/watch/event/event.ts'
import { defined } from '../../core/watch/data/json.ts'
import type { Clock, Graph, Live, LiveRow, Ports } from '../ports.ts'
import type { Notifier } from '../notifier.ts'
import { packer } from '../store/checkpoint.ts'
import type { Batch, Lease, Settlement } from '../store/store.ts'
import type { Cancellation } from '../time/cancellation.ts'
import { advanceRow } from './advance-row.ts'

/** Events between two checkpoints. */
const CHECKPOINT_EVERY = 256

export class Journal {
  run: Run
  lease: Lease
  /** Returns an event that follows a row at once, in the same transaction. */
  followUp: (item: LiveRow) => AgentEvent | undefined = () => undefined
  readonly #ports: Ports
  readonly #onEnd: (run: Run) => Promise<void>
  readonly #pack: ReturnType<typeof packer>
  readonly #listeners = new Set<() => void>()
  readonly #settled = new Set<string>()
  /** The shares that were stored last, as JSON. */
  #shares = ''
  /** The rows that are not stored yet. */
  #items: LiveRow[] = []
  #settling: Settlement[] = []
  /** The name of the request that the next batch carries out. */
  #once: string | undefined
  /** The open calls whose child was reported to have ended. */
  readonly endedChildren = new Set<string>()
  /** The number of checkpoints due up to the last stored row. */
  #checkpoints: number
  #stored = Promise.resolve()

  /** `onEnd` is called with a run that has ended, before its end is stored. */
  constructor(ports: Ports, lease: Lease, start: Run, onEnd = async (_: Run): Promise<void> => {}) {
    this.run = start
    this.lease = lease
    this.#ports = ports
    this.#onEnd = onEnd
    this.#pack = packer(ports.graph.machine.logs)
    this.#checkpoints = Math.floor((start.seq + 1) / CHECKPOINT_EVERY)
  }

  /** Adds the time to an event, applies it to the run, and queues its row. The next `flush` stores the row. */
  take(event: AgentEvent): Run {
    const next = this.followUp(this.#add(event))
    if (next) this.#add(next)
    for (const listener of this.#listeners) listener()
    return this.run
  }

  /** The last row that no flush has stored yet. */
  get unstored(): LiveRow | undefined {
    return this.#items.at(-1)
  }

  #add(event: AgentEvent): LiveRow {
    const { thread } = this.lease
    const isFollowed = () => this.#ports.isAttended?.(thread) ?? false
    const [run, row] = advanceRow(this.#ports, this.run, event, isFollowed)
    this.run = run
    const item = { row, run }
    this.#items.push(item)
    return item
  }

  /** Stores all events since the last flush in one transaction. After a failure every later flush fails, too. */
  flush(): Promise<void> {
    this.#stored = this.#stored.then(() => this.#write())
    return this.#stored
  }

  /** A child has ended while its call is open in this process. Wakes the wait for it. */
  reportEnd(call: string): void {
    this.endedChildren.add(call)
    for (const listener of this.#listeners) listener()
  }

  /** Calls back after every event, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Adds a settlement to the next batch. */
  settle(settlement: Settlement): void {
    this.#settling.push(settlement)
    this.#settled.add(settlement.command)
  }

  /** The next batch carries out the request of this name, unless the store knows it: then its flush rejects with `ThreadPruned`. */
  carryOut(once: string): void {
    this.#once = once
  }

  /** Whether this driver has settled a command. */
  settled(command: string): boolean {
    return this.#settled.has(command)
  }

  /** Publishes a live update. */
  show(update: Live): void {
    try {
      this.#ports.live?.(update)
    } catch {
      // An error in a viewer must not disturb the run.
    }
  }

  async #write(): Promise<void> {
    const items = this.#items
    if (items.length === 0 && this.#settling.length === 0) return
    if (this.run.ended) await this.#onEnd(this.run)
    const { run, lease } = this
    const due = Math.floor((run.seq + 1) / CHECKPOINT_EVERY)
    const { wakeAt, summary } = standingOf(this.#ports, run)
    const rows = items.map(({ row }) => row)
    const batch: { -readonly [Key in keyof Batch]: Batch[Key] } = {
      lease,
      rows,
      settled: this.#settling,
      wakeAt,
      summary,
    }
    if (due > this.#checkpoints) batch.checkpoint = { seq: run.seq, ...this.#pack(run) }
    this.#checkpoints = due
    const shares = this.#changedShares()
    if (shares) batch.shares = shares
    if (this.#once !== undefined) batch.once = this.#once
    this.#items = []
    this.#settling = []
    this.#once = undefined
    const { store, clock, graph } = this.#ports
    // Virtual time waits for the store.
    await clock.during(() => store.append(batch))
    this.show({ kind: 'rows', thread: lease.thread, graph: graph.machine.id, items })
  }

  /** The thread's shares of its scopes, if they have changed. */
  #changedShares(): Batch['shares'] {
    const { run, lease } = this
    if (!run.policy.limits.scopes) return undefined
    const shares = sharesOf(lease.thread, run).map(share => ({
      ...share,
      key: scopeKeyOf(this.#ports.clock, share.key),
    }))
    const text = JSON.stringify(shares)
    if (text === this.#shares || shares.length === 0) return undefined
    this.#shares = text
    return shares
  }
}

/** Resolves with the next event, or as soon as one of these is cancelled. */
export function nextChange(journal: Journal, ...stops: readonly Cancellation[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const ends = [journal.onChange(resolve), ...stops.map(stop => stop.onCancel(() => resolve()))]
  promise.then(() => {
    for (const end of ends) end()
  })
  return promise
}

/** What a store needs to list a thread and to know when it is due. A pending notification is due at once. */
export function standingOf(
  { graph, notifiers }: Pick<Ports, 'notifiers'> & { readonly graph: Pick<Graph, 'machine'> },
  run: Run,
): Pick<Batch, 'wakeAt' | 'summary'> {
  const { machine } = graph
  const status = statusOf(run)
  const waits = waitsOf(run)
  const { steps, tokens, usd } = run.watch.account.spent
  return {
    wakeAt: pendingNotifications(run, notifiers).length > 0 ? run.at : wakeAt(run),
    summary: {
      graph: machine.id,
      specHash: machine.hash,
      status,
      detail: run.ended?.reason ?? activeStates(run).join(', '),
      ...defined({ outcome: status === 'ended' ? run.ended?.outcome : undefined }),
      seq: run.seq,
      at: run.at,
      startedAt: run.startedAt,
      ...defined({ waits: waits.length > 0 ? waits : undefined }),
      tally: { ...run.tally, spent: { steps, tokens, usd } },
    },
  }
}

/** A notification that was not sent yet. */
export type PendingNotification = Readonly<{
  question: Interrupt
  step: number
  notifier: Notifier
}>

/** The notifications of open questions that were not sent yet, with their notifiers. */
export function pendingNotifications({ pending }: Run, notifiers: readonly Notifier[] = []) {
  return pending.flatMap(question =>
    notifiers.flatMap(notifier =>
      question.type === 'interrupt' && isPending(question, notifier)
        ? [{ question, step: question.step ?? 0, notifier }]
        : [],
    ),
  )
}

const isPending = ({ to, told = [] }: Interrupt, { name, to: served }: Notifier): boolean =>
  !told.includes(name) && (served === undefined || (to !== undefined && served.includes(to)))

/** Threads under a virtual clock share only with one another: their times mean nothing to other threads. */
export const scopeKeyOf = ({ virtual }: Clock, key: string): string =>
  virtual ? `${key} (virtual)` : key
