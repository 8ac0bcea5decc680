/** The virtual time of stories that an engine such as LangGraph or DBOS performs. */
import type { Ports } from '../../src/runtime/ports.ts'

/** Virtual time stands still while the engine of a host works, outside of its drives. */
export function engineTime(ports: Ports) {
  let resume = () => {}
  let leases = 0
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    resume = resolve
    void ports.clock.during(() => promise)
  }
  const { lease, release } = ports.store
  const store = {
    ...ports.store,
    lease: (...of: Parameters<typeof lease>) => {
      if (leases++ === 0) resume()
      return lease(...of)
    },
    release: async (...of: Parameters<typeof release>) => {
      await release(...of)
      if (--leases === 0) hold()
    },
  }
  const work = async <T>(run: () => Promise<T>): Promise<T> => {
    hold()
    try {
      return await run()
    } finally {
      resume()
    }
  }
  return { ports: { ...ports, store }, work }
}
