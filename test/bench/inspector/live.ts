/** `page.live`: a thread that gets 2,000 events a second while the page shows it. */
import { memoryStore } from '../../../src/runtime/store/memory-store.ts'
import type { Graph, Node } from '../../../src/runtime/ports.ts'
import { type Figure, figure } from '../figure.ts'
import type { Length } from '../lap.ts'
import { graphOf, THREAD } from '../ours.ts'
import { commitsUntilEnd } from './probe.ts'
import { servePage } from './serving.ts'

const LAPS_A_SECOND = 200
const LENGTH: Length = { laps: LAPS_A_SECOND * 6, messages: 'each lap' }

export async function liveFigures(): Promise<readonly Figure[]> {
  const store = memoryStore()
  const graph = paced(graphOf(LENGTH))
  const serving = await servePage(store, [graph])
  try {
    const page = await serving.open()
    const thread = await serving.runtime.start(graph, {}, { thread: THREAD, seed: 1 })
    await page.goto(`${serving.url}/#/threads/${THREAD}`)
    await page.getByText('LIVE', { exact: true }).waitFor()
    const counting = commitsUntilEnd(page)
    await thread.result()
    const [rows, ended] = [await store.rows(THREAD), performance.now()]
    await page.getByText('ENDED success').waitFor()
    const lag = performance.now() - ended
    const { commits, frames, shown } = await counting
    const seconds = ((rows.at(-1)?.event.at ?? 0) - (rows[0]?.event.at ?? 0)) / 1_000
    return [
      figure({ name: 'page.live.rate', value: rows.length / seconds, unit: 'events a second' }),
      figure({
        ...{ name: 'page.live.dropped', value: rows.length - 1 - shown },
        ...{ unit: 'events', atMost: 0 },
      }),
      figure({
        ...{ name: 'page.live.commitsPerFrame', value: commits / frames },
        ...{ unit: 'commits', atMost: 1 },
      }),
      figure({ name: 'page.live.lag', value: lag, unit: 'ms' }),
    ]
  } finally {
    await serving.close()
  }
}

/** The graph, whose laps start at fixed times. */
function paced(graph: Graph): Graph {
  const { plan } = graph.nodes as { plan: Node }
  let lap = 0
  let start: number | undefined
  const pacedPlan: Node = async task => {
    start ??= performance.now()
    const due = start + (lap++ * 1_000) / LAPS_A_SECOND
    while (performance.now() < due) await new Promise(resolve => setTimeout(resolve, 1))
    return plan(task)
  }
  return { ...graph, nodes: { ...graph.nodes, plan: pacedPlan } }
}
