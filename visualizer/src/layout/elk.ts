/** The layout of ELK, in a worker that is loaded when it is needed. https://eclipse.dev/elk */
import ELK from 'elkjs/lib/elk-api.js'
import type { Diagram } from './diagram.ts'
import { startElk } from './elk-worker.ts'
import { elkGraphOf, placedIn } from './elk-graph.ts'
import type { Direction, Placed } from './place.ts'

/** After this time the quick layout stays. Layouts of dense graphs can take minutes. */
const TIMEOUT_MS = 3_000

/** @throws Error if ELK fails or takes too long */
export async function elkLayout(diagram: Diagram, direction: Direction): Promise<Placed> {
  const elk = new ELK({ workerFactory: startElk })
  const timeout = Promise.withResolvers<never>()
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    // A busy machine loads the worker slowly, which says nothing about the graph.
    await elk.layout({ id: 'ready' })
    timer = setTimeout(() => timeout.reject(new Error('layout timeout')), TIMEOUT_MS)
    const graph = elkGraphOf(diagram, direction)
    return placedIn(await Promise.race([elk.layout(graph), timeout.promise]))
  } finally {
    clearTimeout(timer)
    elk.terminateWorker()
  }
}
