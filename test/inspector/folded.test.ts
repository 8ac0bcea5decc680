/** Drawings with closed boxes. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arrowCounts } from '../../visualizer/src/drawing/arrow-counts.ts'
import { Journal } from '../../visualizer/src/data/journal.ts'
import { indexOf } from '../../visualizer/src/data/chart-index.ts'
import { type Diagram, diagramOf } from '../../visualizer/src/layout/diagram.ts'
import { closedAtFirst, folded } from '../../visualizer/src/layout/folded.ts'
import { stagedGraph } from '../bench/inspector/stages.ts'
import { GRAPHS, journalOf } from './journals.ts'

const diagramWith = (chart: Parameters<typeof diagramOf>[0]): Diagram =>
  diagramOf(chart, text => text.length * 7, new Map())

const boxesOf = ({ nodes }: Diagram): readonly string[] =>
  nodes.filter(({ role }) => role === 'group').map(({ id }) => id)

describe('a drawing with closed boxes', () => {
  test.each(GRAPHS)(
    'of %s joins only boxes that are shown, and counts every crossing',
    async file => {
      const { graph, rows } = await journalOf(file, 7)
      const { chart } = graph.machine
      const whole = diagramWith(chart)
      const journal = new Journal(indexOf(chart))
      journal.add(rows)
      const overlay = journal.overlayAt(journal.end)
      const counts = arrowCounts(overlay, whole)
      fc.assert(
        fc.property(fc.subarray([...boxesOf(whole)]), boxes => {
          const shown = folded(whole, new Set(boxes))
          const ids = new Set(shown.nodes.map(({ id }) => id))
          for (const { source, target } of shown.edges) {
            expect(ids).toContain(source)
            expect(ids).toContain(target)
          }
          for (const { id } of whole.nodes) expect(ids).toContain(shown.shownFor(id))
          const crossing = whole.edges.filter(
            ({ source, target }) =>
              shown.shownFor(source) !== shown.shownFor(target) ||
              shown.shownFor(source) === source,
          )
          const sum = (of: ReadonlyMap<string, number>) =>
            [...of.values()].reduce((a, b) => a + b, 0)
          const expected = crossing.reduce((all, { id }) => all + (counts.get(id) ?? 0), 0)
          expect(sum(arrowCounts(overlay, shown))).toBe(expected)
        }),
      )
    },
  )

  test('starts with so many closed that at most sixty are shown', () => {
    const whole = diagramWith(stagedGraph(200, 1).machine.chart)
    const shown = folded(whole, closedAtFirst(whole, undefined))
    expect(whole.nodes.length).toBeGreaterThan(200)
    expect(shown.nodes.length).toBeLessThanOrEqual(60)
    const states = shown.nodes.flatMap(({ id, inside = [id] }) => inside)
    expect(states.length).toBeGreaterThan(200)
  })

  test('starts with every box of a small graph open', async () => {
    const { graph } = await journalOf('release.yaml', 1)
    expect(closedAtFirst(diagramWith(graph.machine.chart), undefined)).toEqual(new Set())
  })

  test('starts with the boxes around the selected state open', async () => {
    const whole = diagramWith(stagedGraph(200, 1).machine.chart)
    const hidden = whole.nodes.find(({ id }) => id.endsWith('s9left2'))?.id ?? ''
    const shown = folded(whole, closedAtFirst(whole, hidden))
    expect(shown.shownFor(hidden)).toBe(hidden)
  })
})
