/**
 * The sweep: finds threads that no event would continue, so that the worker drives them and reports them. It first reads the waiting
 * threads once, page by page, and then only the families of threads that were driven since the last sweep. Its cost therefore does not
 * grow with the threads that have ended or wait.
 */
import type { Run } from '../../core/run/run.ts'
import { childrenWaitedFor } from '../../core/run/view.ts'
import { parentIn } from '../../core/watch/data/thread-name.ts'
import type { Reason } from '../../core/watch/reason/reason.ts'
import type { Clock } from '../../runtime/ports.ts'
import type { ThreadSummary } from '../../runtime/store/store.ts'
import { reportDeadlockOf } from '../../runtime/wait/deadlock.ts'
import type { StuckThread } from './changes.ts'
import type { Host } from './host.ts'

/** The time in ms between two sweeps, on the clock of the runtime, and between two pages. */
const SWEEP_EVERY = 60_000
const PAGE_EVERY = 1_000

/** The most threads of a page, and the most overdue threads that a sweep looks at. */
const PAGE = 200

/** A thread that has ended, and its parent or child that waits. */
type Pair = Readonly<{ ended: ThreadSummary; waiting: ThreadSummary }>

export class Sweep {
  readonly #host: Host
  readonly #page: number
  /** The pairs of parent and child in order, which are not read again before they change. */
  readonly #checked = new Set<string>()
  /** The place of the last change of a lease that the sweep has seen. */
  #cursor: number | undefined
  /** The last waiting thread that was read; `undefined` after all of them. */
  #after: string | undefined = ''
  /** The threads that were due at the last sweep: their last event, and since when they are due. */
  #due: ReadonlyMap<string, Readonly<{ seq: number; since: number }>> = new Map()

  constructor(host: Host, page = PAGE) {
    this.#host = host
    this.#page = page
  }

  /** Whether pages of waiting threads are left. */
  get isReading(): boolean {
    return this.#after !== undefined
  }

  /**
   * Finds threads that wait although the end of their parent or child was stored. Driving such a thread is enough: its driver looks
   * at the parent and at the children. Also finds threads that were due at the last sweep and have not moved since. Reports the
   * deadlocks that no process has reported.
   */
  async find(now: number): Promise<readonly StuckThread[]> {
    const threads = [...(await this.#changed()), ...(await this.#nextPage())]
    const { store } = this.#host
    const ports = { store, wake: (id: string) => this.#host.wakeThread(id) }
    for (const { thread, waits } of threads) if (waits) await reportDeadlockOf(ports, thread)
    const found = new Map<string, StuckThread>()
    for (const thread of threads)
      for (const pair of await this.#pairsOf(thread)) {
        const stuck = await this.#stuckIn(pair)
        if (stuck) found.set(stuck.thread, stuck)
      }
    return [...found.values(), ...(await this.#findOverdue(now))]
  }

  /** The threads that were driven since the last sweep. No other thread can have lost a wake-up. */
  async #changed(): Promise<readonly ThreadSummary[]> {
    const { store } = this.#host
    const isFirst = this.#cursor === undefined
    const { threads, cursor } = await store.driven(this.#cursor)
    this.#cursor = cursor
    if (isFirst) return []
    const found = await Promise.all(threads.map(({ thread }) => store.thread(thread)))
    return found.filter(each => each !== undefined)
  }

  async #nextPage(): Promise<readonly ThreadSummary[]> {
    if (this.#after === undefined) return []
    const limit = this.#page
    const page = await this.#host.store.page({ status: 'waiting', after: this.#after, limit })
    this.#after = page.length < limit ? undefined : page.at(-1)?.thread
    return page
  }

  /** The pairs of a thread with its parent and its children. */
  async #pairsOf(of: ThreadSummary): Promise<readonly Pair[]> {
    const { store } = this.#host
    const parent = parentIn(of.thread)
    const above = parent === undefined ? undefined : await store.thread(parent)
    const other = of.status === 'ended' ? 'waiting' : 'ended'
    const below: ThreadSummary[] = []
    for (let after: string | undefined = ''; after !== undefined; ) {
      const query = { prefix: `${of.thread}/`, status: other, after, limit: this.#page } as const
      const page: readonly ThreadSummary[] = await store.page(query)
      below.push(...page.filter(({ thread }) => parentIn(thread) === of.thread))
      after = page.length < this.#page ? undefined : page.at(-1)?.thread
    }
    return [...(above ? [above] : []), ...below].flatMap(relative => {
      const [ended, waiting] = of.status === 'ended' ? [of, relative] : [relative, of]
      return ended.status === 'ended' && waiting.status === 'waiting' ? [{ ended, waiting }] : []
    })
  }

  async #stuckIn({ ended, waiting }: Pair): Promise<StuckThread | undefined> {
    const { thread, graph } = waiting
    if (this.#host.drives(thread) || !this.#host.owns(waiting)) return undefined
    const isOrphan = parentIn(thread) === ended.thread
    const pair = `${ended.thread} ${ended.seq} ${thread} ${waiting.seq}`
    if (this.#checked.has(pair)) return undefined
    // Names are only a hint: another thread may have the name of a child.
    const isLinked = ({ run }: { readonly run: Run }) =>
      isOrphan
        ? run.parent?.thread === ended.thread
        : childrenWaitedFor(run).some(child => child.thread === ended.thread)
    // A thread that cannot be read here is continued elsewhere.
    if (!(await this.#host.runOf(thread).then(isLinked, () => false))) {
      this.#checked.add(pair)
      return undefined
    }
    const reason: Reason = isOrphan
      ? { code: 'orphaned-thread', params: { parent: ended.thread } }
      : { code: 'lost-wake-up', params: { child: ended.thread } }
    return { thread, graph, reason }
  }

  async #findOverdue(now: number): Promise<readonly StuckThread[]> {
    const before = this.#due
    const names = await this.#host.due(now, this.#page)
    const due = await Promise.all(names.map(name => this.#host.store.thread(name)))
    const next = new Map<string, Readonly<{ seq: number; since: number }>>()
    const found: StuckThread[] = []
    for (const { thread, graph, seq, wakeAt = now } of due.filter(each => each !== undefined)) {
      const known = before.get(thread)
      const isSame = known?.seq === seq
      const since = isSame ? known.since : Math.min(wakeAt, now)
      next.set(thread, { seq, since })
      if (!isSame || this.#host.drives(thread)) continue
      const seconds = Math.round((now - since) / 1_000)
      found.push({ thread, graph, reason: { code: 'overdue-thread', params: { seconds } } })
    }
    this.#due = next
    return found
  }
}

interface SweepOptions {
  /** Ends the worker, which does not wait for a sweep. */
  readonly stop: AbortSignal
  readonly onStuck: (found: StuckThread) => void
}

/**
 * The sweeps of a worker. A sweep reads many threads, so threads that are due are driven meanwhile. Virtual time waits for a sweep.
 */
export function sweepsOf(host: Host, clock: Clock, { stop, onStuck }: SweepOptions) {
  const sweep = new Sweep(host)
  /** Threads that were found and not driven yet. */
  const stuck = new Set<string>()
  let nextAt = clock.now()
  let running: Promise<void> | undefined
  let failure: { readonly error: unknown } | undefined
  const find = async () => {
    const all = await sweep.find(clock.now())
    if (stop.aborted) return
    for (const found of all) {
      stuck.add(found.thread)
      onStuck(found)
      host.changes.report({ kind: 'stuck', ...found })
    }
    nextAt = clock.now() + (sweep.isReading ? PAGE_EVERY : SWEEP_EVERY)
  }
  return {
    stuck,
    get nextAt() {
      return nextAt
    },
    /** Starts a sweep if one is due. @throws the error of the previous sweep, once */
    async start(): Promise<void> {
      const failed = failure
      failure = undefined
      if (failed) throw failed.error
      if (running || clock.now() < nextAt) return
      running = find()
        .catch(error => {
          failure = { error }
        })
        .finally(() => {
          running = undefined
        })
      if (clock.virtual) await running
    },
  }
}
