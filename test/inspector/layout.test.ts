/** Both layouts of the drawing, on every included graph. */
import ELK from 'elkjs/lib/elk.bundled.js'
import { describe, expect, test } from 'vitest'
import { type Diagram, diagramOf } from '../../visualizer/src/layout/diagram.ts'
import { elkGraphOf, placedIn } from '../../visualizer/src/layout/elk-graph.ts'
import { directionIn } from '../../visualizer/src/layout/direction.ts'
import type { Rectangle } from '../../visualizer/src/layout/place.ts'
import { quickLayout } from '../../visualizer/src/layout/quick.ts'
import { GRAPHS, journalOf } from './journals.ts'

const elk = new (ELK as unknown as new () => InstanceType<typeof ELK.default>)()

const LAYOUTS = {
  quick: async (diagram: Diagram) => quickLayout(diagram, 'right'),
  refined: async (diagram: Diagram) => placedIn(await elk.layout(elkGraphOf(diagram, 'right'))),
}

const overlap = (a: Rectangle, b: Rectangle): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

const isInside = (inner: Rectangle, outer: Rectangle): boolean =>
  inner.x >= outer.x - 1 &&
  inner.y >= outer.y - 1 &&
  inner.x + inner.width <= outer.x + outer.width + 1 &&
  inner.y + inner.height <= outer.y + outer.height + 1

describe.each(GRAPHS)('graphs/%s', file => {
  test.each(Object.entries(LAYOUTS))(
    'has every state in its box, beside its siblings (%s)',
    async (_name, layOut) => {
      const { graph } = await journalOf(file, 1)
      const diagram = diagramOf(graph.machine.chart, text => text.length * 7, new Map())
      const { boxes } = await layOut(diagram)
      const boxOf = (id: string): Rectangle => {
        const box = boxes.get(id)
        if (!box) throw new Error(`'${id}' has no box`)
        return box
      }
      for (const { id, parent } of diagram.nodes) {
        const box = boxOf(id)
        if (parent !== undefined) expect([id, isInside(box, boxOf(parent))]).toEqual([id, true])
        for (const other of diagram.nodes.filter(each => each.parent === parent && each.id !== id))
          expect([id, other.id, overlap(box, boxOf(other.id))]).toEqual([id, other.id, false])
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

test('a drawing reads from top to bottom where it is much larger that way', async () => {
  const { graph } = await journalOf('agent.yaml', 1)
  const diagram = diagramOf(graph.machine.chart, text => text.length * 7, new Map())
  const of = (width: number, height: number) => directionIn({ width, height }, diagram)
  expect([of(940, 460), of(940, 700), of(390, 380)]).toEqual(['right', 'down', 'down'])
  const { width, height } = quickLayout(diagram, 'right')
  expect(of(2 * width, 2 * height)).toBe('right')
})

/** A line of states, of which the last leads back to the third. */
function chain(length: number): Diagram {
  const ids = Array.from({ length }, (_, n) => `s${n}`)
  const nodes = ids.map((id, n) => ({
    ...{ id, name: id, kind: 'atomic' as const, role: 'tools' as const, initial: n === 0 },
    ...{ width: 150, height: 44 },
  }))
  const arrows = [...ids.slice(1).map((id, n) => [`s${n}`, id]), [`s${length - 1}`, 's2']]
  const edges = arrows.map(([source = '', target = '']) => ({
    ...{ id: `${source} ${target}`, source, target, label: 'done', labelWidth: 40 },
    ...{ style: 'outcome' as const, whenDone: false, edges: [] },
  }))
  return { nodes, edges, arrowOf: () => undefined, shownFor: state => state }
}

test.each(Object.entries(LAYOUTS))(
  'a long chain continues on the next line (%s)',
  async (_name, layOut) => {
    const ratioOf = async (length: number) => {
      const { width, height, boxes, routes } = await layOut(chain(length))
      expect(routes.size).toBe(layOut === LAYOUTS.quick ? 0 : length)
      for (const [id, box] of boxes)
        for (const [other, its] of boxes)
          if (id !== other) expect([id, other, overlap(box, its)]).toEqual([id, other, false])
      return width / height
    }
    expect(await ratioOf(24)).toBeLessThan(4)
    // A short chain stays one line.
    expect(await ratioOf(6)).toBeGreaterThan(4)
  },
)
