/** One turn of a thread for DBOS: drives it until it ends or waits. The lease only guards; DBOS decides when and where. */
import { systemClock } from '../../adapters/node/ports.ts'
import { isOver, type Run, wakeAt } from '../../core/run/run.ts'
import { defined } from '../../core/watch/data/json.ts'
import { identityOf, isWrongGraph, WrongGraph } from '../../runtime/store/source.ts'
import { isConflict, isStoreUnavailable } from '../../runtime/store/store.ts'
import type { Graph } from '../../runtime/ports.ts'
import type { Host } from '../drive/host.ts'
import type { ThreadWork, Turned } from './workflows.ts'

/** The delay in ms before a thread is driven again that did not move, or that another process drives. */
const RETRY_DELAY = 1_000
/** The delay in ms before another process may take a thread whose graph this one does not hold. */
const FOREIGN_DELAY = 2_000

/** @throws the error of a thread that cannot continue here */
export async function turnOf(host: Host, graphs: readonly Graph[], work: ThreadWork) {
  const { thread } = work
  for (let waited = false; ; ) {
    const before = (await host.store.thread(thread).catch(() => undefined))?.seq
    try {
      const waits = host.isVirtual
      const run = await host.driveOne(thread, { waits, ...startOf(graphs, work) })
      await host.wakeParentOf(run)
      return turned(run, { hasMoved: run.seq !== before, waits })
    } catch (error) {
      // A process that ends leaves its workflows to the others, which take them over.
      if (host.draining.aborted) return new Promise<never>(() => {})
      if (isWrongGraph(error))
        return { is: 'waiting', at: systemClock.now() + FOREIGN_DELAY } as const
      if (isConflict(error)) {
        const at = await leaseEnd(host, thread)
        // The driver may have died. If it lives, its lease is renewed.
        if (waited) return { is: 'waiting', at } as const
        waited = true
        await systemClock.sleep(at - systemClock.now(), host.draining).catch(() => {})
        continue
      }
      if (!isStoreUnavailable(error) || !error.isTemporary) throw error
      await systemClock.sleep(RETRY_DELAY)
    }
  }
}

/** `waits`: the turn sleeps in virtual time. Then only a command continues the thread. */
function turned(run: Run, of: { readonly hasMoved: boolean; readonly waits: boolean }): Turned {
  if (isOver(run)) return { is: 'over' }
  const at = of.waits ? undefined : wakeAt(run)
  const soonest = systemClock.now() + (of.hasMoved ? 0 : RETRY_DELAY)
  return { is: 'waiting', ...defined({ at: at && Math.max(at, soonest) }) }
}

/** The start of a new thread. @throws WrongGraph if this process does not hold its graph */
function startOf(graphs: readonly Graph[], { thread, graph: of, start }: ThreadWork) {
  if (!start) return {}
  const identities = graphs.map(identityOf)
  const graph = graphs.find(
    (_, nth) => identities[nth]?.graph === of.graph && identities[nth]?.specHash === of.specHash,
  )
  if (!graph) throw new WrongGraph(thread, of, identities)
  return { graph, start }
}

async function leaseEnd({ store }: Host, thread: string): Promise<number> {
  const until = (await store.thread(thread).catch(() => undefined))?.lease?.until ?? 0
  return Math.max(until, systemClock.now() + RETRY_DELAY)
}
