/** Processes that stop at a commit: nothing of them reaches the store any more, and the next process continues the thread. */
import type { Ports } from '../../runtime/ports.ts'
import type { Store } from '../../runtime/store/store.ts'
import type { Injector } from '../inject/injector.ts'

/** Stops a simulated process. */
class Stopped extends Error {
  override readonly name = 'Stopped'
}

/** The ports of one process after the other. */
export class Processes {
  readonly #ports: Ports
  readonly #injector: Injector | undefined
  #count = 0

  /** Without an injector, no process stops. */
  constructor(ports: Ports, injector: Injector | undefined) {
    this.#ports = ports
    this.#injector = injector
  }

  /** Does work in processes, until one of them completes it. */
  async complete<T>(work: (ports: Ports) => Promise<T>): Promise<T> {
    for (;;) {
      const stop = Promise.withResolvers<never>()
      // The process may have done its work before the stop matters.
      stop.promise.catch(() => {})
      try {
        return await Promise.race([work(this.#next(stop.reject)), stop.promise])
      } catch (error) {
        if (!(error instanceof Stopped)) throw error
      }
    }
  }

  #next(stop: (error: Stopped) => void): Ports {
    const owner = `${this.#ports.owner}-${++this.#count}`
    if (!this.#injector) return this.#ports
    const store = storeOf(this.#ports.store, this.#injector, stop)
    return { ...this.#ports, store, owner, isOwnerDead: other => other !== owner }
  }
}

const COMMITS = ['append', 'submit', 'lease', 'renew', 'release', 'putBlob'] as const

/** A store that refuses all writes of a stopped process. */
function storeOf(store: Store, injector: Injector, stop: (error: Stopped) => void): Store {
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
      if (hits.some(({ effect }) => effect.crash === 'before')) throw end()
      await commit(...given)
      if (hits.length > 0) throw end()
      return undefined
    }
    Object.assign(guarded, { [name]: write })
  }
  return guarded
}
