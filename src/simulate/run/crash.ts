/** Faults of the platform at a commit: a process stops, the disk is full, or the clock jumps. The next process continues the thread. */
import type { Clock, Ports } from '../../runtime/ports.ts'
import { type Store, StoreUnavailable } from '../../runtime/store/store.ts'
import type { Effect } from '../scenario/effect.ts'
import type { Injector } from '../inject/injector.ts'

/** Stops a simulated process. */
class Stopped extends Error {
  override readonly name = 'Stopped'
}

/** The commit failed because the disk is full. */
class DiskFull extends StoreUnavailable {
  constructor() {
    super('database or disk is full (simulated)')
  }
}

/** From the second process in a row on that stops before it has stored anything, the next one starts after a pause (ms). At most this many do so. */
const RESTART = 1_000
const RESTARTS_MAX = 100

/** The processes stopped one after the other, and none has stored anything. */
class NeverStarts extends StoreUnavailable {
  constructor() {
    super(`the process stopped ${RESTARTS_MAX} times in a row before a commit (simulated)`)
  }
}

/** The time until there is space again, in ms, and how often in a row a thread waits for it. */
const REPAIR = 60_000
const REPAIRS_MAX = 20

/** The ports of one process after the other. */
export class Processes {
  readonly #ports: Ports
  readonly #injector: Injector | undefined
  #count = 0
  /** How far the clock of the processes is ahead, in ms. */
  #skew = 0
  /** The processes that have stopped since the last commit. */
  #stops = 0

  /** Without an injector, no process stops. */
  constructor(ports: Ports, injector: Injector | undefined) {
    this.#ports = ports
    this.#injector = injector
  }

  /** Does work in processes, until one of them completes it. */
  async complete<T>(work: (ports: Ports) => Promise<T>): Promise<T> {
    for (let repairs = 0; ; ) {
      const stop = Promise.withResolvers<never>()
      // The process may have done its work before the stop matters.
      stop.promise.catch(() => {})
      try {
        return await Promise.race([work(this.#next(stop.reject)), stop.promise])
      } catch (error) {
        if (error instanceof DiskFull && repairs++ < REPAIRS_MAX)
          await this.#ports.clock.sleep(REPAIR)
        else if (!(error instanceof Stopped)) throw error
        else await this.#restart()
      }
    }
  }

  /** A process that has stored something is followed by the next one at once. @throws NeverStarts */
  async #restart(): Promise<void> {
    if (this.#stops >= RESTARTS_MAX) throw new NeverStarts()
    if (this.#stops > 1) await this.#ports.clock.sleep(RESTART)
  }

  #next(stop: (error: Stopped) => void): Ports {
    const owner = `${this.#ports.owner}-${++this.#count}`
    if (!this.#injector) return this.#ports
    const skew = (ms: number) => {
      this.#skew += ms
    }
    const committed = () => {
      this.#stops = 0
    }
    const stopped = (error: Stopped) => {
      this.#stops++
      stop(error)
    }
    const store = storeOf(this.#ports.store, this.#injector, { stop: stopped, skew, committed })
    const { clock: exact } = this.#ports
    const now = () => exact.now() + this.#skew
    const clock: Clock = { ...exact, now }
    const isOwnerDead = (other: string) => other !== owner
    return { ...this.#ports, store, clock, wall: now, owner, isOwnerDead }
  }
}

const COMMITS = ['append', 'submit', 'join', 'lease', 'renew', 'release', 'putBlob'] as const

interface Controls {
  readonly stop: (error: Stopped) => void
  readonly skew: (ms: number) => void
  readonly committed: () => void
}

/** A store that refuses all writes of a stopped process. */
function storeOf(store: Store, injector: Injector, { stop, skew, committed }: Controls): Store {
  let stopped: Stopped | undefined
  const end = () => {
    stopped = new Stopped('the process stopped')
    stop(stopped)
    return stopped
  }
  const guarded = { ...store }
  for (const name of COMMITS) {
    const commit = store[name].bind(store) as (...given: readonly unknown[]) => Promise<unknown>
    const write = async (...given: readonly unknown[]) => {
      if (stopped) throw stopped
      if (name !== 'append') return commit(...given)
      const { hits } = injector.meet('commit', '', { node: '', visit: 1, attempt: 1 })
      const has = (test: (effect: Effect) => unknown) => hits.some(({ effect }) => test(effect))
      if (has(({ crash }) => crash === 'before')) throw end()
      if (has(({ full }) => full)) throw new DiskFull()
      await commit(...given)
      committed()
      for (const { effect } of hits) skew(effect.skew ?? 0)
      if (has(({ crash }) => crash === 'after')) throw end()
      return undefined
    }
    Object.assign(guarded, { [name]: write })
  }
  return guarded
}
