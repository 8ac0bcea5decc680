/** The sweep: finds threads that no event would continue, so that the worker drives them and reports them. */
import type { Run } from '../core/run.ts'
import { childrenWaitedFor } from '../core/view.ts'
import { parentIn } from '../core/watch/data/thread-name.ts'
import type { Reason } from '../core/watch/reason/reason.ts'
import type { ThreadSummary } from '../runtime/store/store.ts'
import type { StuckThread } from './changes.ts'
import type { Host } from './host.ts'

/** The time in ms between two sweeps, on the clock of the runtime. */
export const SWEEP_EVERY = 60_000

export class Sweep {
  readonly #host: Host
  /** The pairs of parent and child in order, which are not read again before they change. */
  readonly #checked = new Set<string>()
  /** The threads that were due at the last sweep: their last event, and since when they are due. */
  #due: ReadonlyMap<string, Readonly<{ seq: number; since: number }>> = new Map()

  constructor(host: Host) {
    this.#host = host
  }

  /**
   * Finds threads that wait although the end of their parent or child was stored. Driving such a thread is enough: its driver looks
   * at the parent and at the children. Also finds threads that were due at the last sweep and have not moved since.
   */
  async find(now: number): Promise<readonly StuckThread[]> {
    const threads = new Map((await this.#host.store.threads()).map(of => [of.thread, of]))
    const found: StuckThread[] = []
    for (const child of threads.values()) found.push(...(await this.#findPair(child, threads)))
    const stuck = new Map(found.map(each => [each.thread, each]))
    return [...stuck.values(), ...(await this.#findOverdue(now, threads))]
  }

  async #findPair(
    child: ThreadSummary,
    threads: ReadonlyMap<string, ThreadSummary>,
  ): Promise<readonly StuckThread[]> {
    const parent = threads.get(parentIn(child.thread) ?? '')
    if (!parent) return []
    const [ended, waiting] = child.status === 'ended' ? [child, parent] : [parent, child]
    if (ended.status !== 'ended' || waiting.status !== 'waiting') return []
    if (this.#host.drives(waiting.thread) || !this.#host.owns(waiting)) return []
    const pair = `${child.thread} ${child.seq} ${parent.seq}`
    if (this.#checked.has(pair)) return []
    // Names are only a hint: another thread may have the name of a child.
    const isLinked = ({ run }: { readonly run: Run }) =>
      waiting === child
        ? run.parent?.thread === parent.thread
        : childrenWaitedFor(run).some(({ thread }) => thread === child.thread)
    // A thread that cannot be read here is continued elsewhere.
    if (!(await this.#host.runOf(waiting.thread).then(isLinked, () => false))) {
      this.#checked.add(pair)
      return []
    }
    const reason: Reason =
      waiting === child
        ? { code: 'orphaned-thread', params: { parent: parent.thread } }
        : { code: 'lost-wake-up', params: { child: child.thread } }
    return [{ thread: waiting.thread, graph: waiting.graph, reason }]
  }

  async #findOverdue(
    now: number,
    threads: ReadonlyMap<string, ThreadSummary>,
  ): Promise<readonly StuckThread[]> {
    const before = this.#due
    const due = (await this.#host.due(now)).flatMap(thread => threads.get(thread) ?? [])
    const next = new Map<string, Readonly<{ seq: number; since: number }>>()
    const found: StuckThread[] = []
    for (const { thread, graph, seq, wakeAt = now } of due) {
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
