/** Endpoints of graphs: specs, lint findings, worst cases and drawings. */
import { drawDot } from '../../../core/graph/draw/dot.ts'
import { drawMermaid } from '../../../core/graph/draw/mermaid.ts'
import { drawText } from '../../../core/graph/draw/text.ts'
import { identityOf } from '../../../runtime/store/source.ts'
import { inspectGraph } from '../../../host/overview.ts'
import type { Handlers } from './handler.ts'
import { graphNamed } from './threads.ts'

const DRAWERS = { text: drawText, mermaid: drawMermaid, dot: drawDot, json: JSON.stringify }

export const graphs: Handlers<'graphs' | 'graph' | 'drawing'> = {
  async graphs({ runtime }) {
    return { graphs: runtime.graphs.map(identityOf) }
  },

  async graph({ runtime, params: { graph = '' } }) {
    const held = graphNamed(runtime, graph)
    return { ...identityOf(held), ...inspectGraph(held) }
  },

  async drawing({ runtime, params: { graph = '' }, query }) {
    const { machine } = graphNamed(runtime, graph)
    const headers = { 'content-type': 'text/plain; charset=utf-8' }
    return new Response(DRAWERS[query.as](machine.chart), { headers })
  },
}
