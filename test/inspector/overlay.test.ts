/** The page folds rows without the machine: at every event it must show what the runtime's own fold says. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Row } from '../../src/core/run/run.ts'
import { indexOf } from '../../visualizer/src/data/chart-index.ts'
import { Costs } from '../../visualizer/src/data/costs.ts'
import { Journal } from '../../visualizer/src/data/journal.ts'
import { type Overlay, OverlayFold } from '../../visualizer/src/data/overlay.ts'
import { NO_USE } from '../../visualizer/src/data/state-use.ts'
import { arrowCounts } from '../../visualizer/src/drawing/arrow-counts.ts'
import { diagramOf } from '../../visualizer/src/layout/diagram.ts'
import { GRAPHS, journalOf, type TestJournal } from './journals.ts'

const SEEDS = [1, 2, 3, 4]

/** What the overlay must show after a row, by the fold of the runtime. */
function expectedAt({ graph, runs }: TestJournal, seq: number) {
  const run = runs[seq]
  if (!run) throw new Error(`no run after event ${seq}`)
  const { machine } = graph
  const states = new Map(machine.chart.states.map(state => [state.id, state]))
  const leaves = machine.chart.states.filter(({ kind }) => kind === 'atomic').map(({ id }) => id)
  const { toolCalls, modelCalls, tokens } = run.watch.account.spent
  return {
    active: [...machine.active(run.snapshot)].filter(id => states.has(id)).toSorted(),
    visits: leaves.map(id => [id, run.entries[id] ?? 0]),
    totals: { toolCalls, modelCalls, tokens },
  }
}

function shownAt({ graph }: TestJournal, overlay: Overlay) {
  const leaves = graph.machine.chart.states.filter(({ kind }) => kind === 'atomic')
  const { toolCalls, modelCalls, tokens } = overlay.totals
  return {
    active: [...overlay.active].toSorted(),
    visits: leaves.map(({ id }) => [id, overlay.visits.get(id) ?? 0]),
    totals: { toolCalls, modelCalls, tokens },
  }
}

const stateOf = ({ event }: Row) => ('effect' in event ? event.effect.replace(/#\d+$/, '') : '')

const IN_VAIN = new Set(['tool.failed', 'model.failed', 'circuit.refused'])

/** The turns of a state that failed without a failed call. */
const failedAlone = (rows: readonly Row[], state: string): number =>
  rows.filter((row, place) => {
    if (row.event.type !== 'node.failed' || stateOf(row) !== state) return false
    const started = rows.findLastIndex(
      (each, at) => at < place && each.event.type === 'turn.started' && stateOf(each) === state,
    )
    const turn = rows.slice(started, place).filter(each => stateOf(each) === state)
    return !turn.some(({ event }) => IN_VAIN.has(event.type))
  }).length

describe.each(GRAPHS)('a run of graphs/%s', file => {
  test.each(SEEDS)(
    'shows at every event the states, visits and totals of the runtime (seed %i)',
    async seed => {
      const journal = await journalOf(file, seed)
      const fold = new OverlayFold(indexOf(journal.graph.machine.chart), () => fold.snapshot())
      for (const row of journal.rows) {
        fold.take(row)
        expect({ seq: row.seq, ...shownAt(journal, fold.snapshot()) }).toEqual({
          seq: row.seq,
          ...expectedAt(journal, row.seq),
        })
      }
    },
  )

  test('says of each state how long it was active, what it has cost, and what failed in it', async () => {
    const { graph, rows, runs } = await journalOf(file, 2)
    const states = new Map(graph.machine.chart.states.map(state => [state.id, state]))
    const fold = new OverlayFold(indexOf(graph.machine.chart), () => fold.snapshot())
    const times = new Map<string, number>()
    const costs = new Costs()
    for (const [seq, row] of rows.entries()) {
      const before = runs[seq - 1]
      const ms = before ? row.event.at - before.at : 0
      const active = before ? [...graph.machine.active(before.snapshot)] : []
      for (const state of active.filter(id => states.has(id)))
        times.set(state, (times.get(state) ?? 0) + ms)
      fold.take(row)
    }
    const { uses } = fold.snapshot()
    const lines = costs.until(rows, rows.length)
    for (const id of states.keys()) {
      const use = uses.get(id) ?? NO_USE
      const of = lines.filter(({ state }) => state === id)
      expect([id, use.ms]).toEqual([id, times.get(id) ?? 0])
      expect(use.usd).toBeCloseTo(
        of.reduce((sum, { usd }) => sum + usd, 0),
        9,
      )
      const calls = of.reduce((sum, { failed }) => sum + failed, 0)
      expect([id, use.failed]).toEqual([id, calls + failedAlone(rows, id)])
    }
  })

  test('counts every taken edge for exactly one arrow of the drawing', async () => {
    const { graph, rows } = await journalOf(file, 1)
    const { chart } = graph.machine
    const journal = new Journal(indexOf(chart))
    journal.add(rows)
    const diagram = diagramOf(chart, text => text.length * 7, new Map())
    const counts = arrowCounts(journal.overlayAt(journal.end), diagram)
    const taken = rows.flatMap(({ edges }) => edges)
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(taken.length)
    for (const id of new Set(taken)) {
      const arrows = diagram.edges.filter(({ edges }) => edges.includes(id))
      const sum = arrows.reduce((all, arrow) => all + (counts.get(arrow.id) ?? 0), 0)
      expect([id, sum]).toEqual([id, expect.any(Number)])
      expect(sum).toBeGreaterThanOrEqual(taken.filter(edge => edge === id).length)
    }
  })
})

describe('a journal in the page', () => {
  test('is the same in whatever batches, order and repetition its rows arrive', async () => {
    const { graph, rows } = await journalOf('agent.yaml', 1)
    const index = indexOf(graph.machine.chart)
    const whole = new Journal(index)
    whole.add(rows)
    const arrival = fc
      .shuffledSubarray([...rows.keys(), ...rows.keys()], { minLength: 0 })
      .map(some => [...some, ...rows.keys()])
    fc.assert(
      fc.property(
        arrival,
        fc.nat({ max: rows.length - 1 }),
        fc.integer({ min: 1, max: 9 }),
        (order, at, size) => {
          const journal = new Journal(index)
          for (let from = 0; from < order.length; from += size)
            journal.add(order.slice(from, from + size).flatMap(seq => rows[seq] ?? []))
          expect(journal.rows).toEqual(rows)
          expect(journal.overlayAt(at)).toEqual(whole.overlayAt(at))
          const prefix = new OverlayFold(index, () => whole.overlayAt(0))
          for (const row of rows.slice(0, at + 1)) prefix.take(row)
          expect(journal.overlayAt(at)).toEqual(prefix.snapshot())
        },
      ),
      { numRuns: 60 },
    )
  })

  test('is the same at any event of a long run as a fold from its start', async () => {
    const { graph, rows } = await journalOf('agent.yaml', 1)
    const { at: start = 0 } = rows[0]?.event ?? {}
    const length = (rows.at(-1)?.event.at ?? 0) - start
    const long = Array.from({ length: 1_300 }, (_, seq): Row => {
      const lap = Math.floor(seq / rows.length)
      const row = rows[seq % rows.length] as Row
      return { ...row, seq, event: { ...row.event, at: row.event.at + lap * length } }
    })
    const index = indexOf(graph.machine.chart)
    const journal = new Journal(index)
    journal.add(long)
    const prefix = new OverlayFold(index, () => prefix.snapshot())
    const seqs = new Set([0, 498, 499, 500, 501, 999, 1_000, 1_234, 1_299])
    for (const row of long) {
      prefix.take(row)
      if (seqs.has(row.seq)) expect(journal.overlayAt(row.seq)).toEqual(prefix.snapshot())
    }
  })

  test('shows nothing after a gap until the gap closes', async () => {
    const { graph, rows } = await journalOf('agent.yaml', 1)
    const journal = new Journal(indexOf(graph.machine.chart))
    journal.add(rows.filter(({ seq }) => seq !== 5))
    expect(journal.end).toBe(4)
    journal.add(rows.filter(({ seq }) => seq === 5))
    expect(journal.end).toBe(rows.length - 1)
  })

  test('calls its readers once for many batches', () => {
    const waiting: (() => void)[] = []
    const journal = new Journal(undefined, call => waiting.push(call))
    let calls = 0
    journal.subscribe(() => calls++)
    const row = {
      event: { type: 'continue', at: 1 },
      findings: [],
      verdict: { kind: 'continue' },
      edges: [],
    } as const
    for (let seq = 0; seq < 500; seq++) journal.add([{ seq, ...row }])
    expect(waiting).toHaveLength(1)
    waiting[0]?.()
    expect(calls).toBe(1)
  })
})
