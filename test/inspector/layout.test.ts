/** Both layouts of the drawing, on every included graph. */
import ELK from 'elkjs/lib/elk.bundled.js'
import { describe, expect, test } from 'vitest'
import { type Diagram, diagramOf } from '../../visualizer/src/layout/diagram.ts'
import { elkGraphOf, placedIn } from '../../visualizer/src/layout/elk-graph.ts'
import type { Placed, Rectangle } from '../../visualizer/src/layout/place.ts'
import { quickLayout } from '../../visualizer/src/layout/quick.ts'
import { GRAPHS, journalOf } from './journals.ts'

const elk = new (ELK as unknown as new () => InstanceType<typeof ELK.default>)()

const LAYOUTS: Readonly<Record<string, (diagram: Diagram) => Promise<Placed>>> = {
  quick: async diagram => quickLayout(diagram, 'right'),
  refined: async diagram => placedIn(await elk.layout(elkGraphOf(diagram, 'right'))),
}

const overlap = (a: Rectangle, b: Rectangle): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

const isInside = (inner: Rectangle, outer: Rectangle): boolean =>
  inner.x >= outer.x - 1 &&
  inner.y >= outer.y - 1 &&
  inner.x + inner.width <= outer.x + outer.width + 1 &&
  inner.y + inner.height <= outer.y + outer.height + 1

describe.each(GRAPHS)('graphs/%s', file => {
  test.each(Object.keys(LAYOUTS))(
    'has every state in its box, beside its siblings (%s)',
    async name => {
      const { graph } = await journalOf(file, 1)
      const diagram = diagramOf(graph.machine.chart, text => text.length * 7, new Map())
      const { boxes } = (await LAYOUTS[name]?.(diagram)) ?? { boxes: new Map() }
      for (const { id, parent } of diagram.nodes) {
        const box = boxes.get(id)
        expect([id, box !== undefined]).toEqual([id, true])
        if (parent !== undefined) expect([id, isInside(box, boxes.get(parent))]).toEqual([id, true])
        for (const other of diagram.nodes.filter(each => each.parent === parent && each.id !== id))
          expect([id, other.id, overlap(box, boxes.get(other.id))]).toEqual([id, other.id, false])
      }
    },
  )
})

test('the refined layout reads as the cycle runs', async () => {
  const { graph } = await journalOf('agent.yaml', 1)
  const diagram = diagramOf(graph.machine.chart, text => text.length * 7, new Map())
  const { boxes } = placedIn(await elk.layout(elkGraphOf(diagram, 'right')))
  const order = ['plan', 'act', 'observe', 'check'].toSorted(
    (a, b) => (boxes.get(a)?.x ?? 0) - (boxes.get(b)?.x ?? 0),
  )
  expect(order).toEqual(['plan', 'act', 'observe', 'check'])
})
