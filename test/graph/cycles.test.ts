/** The cycles of a chart, each with its ways out: what the page of a graph lists, and warns of. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cyclesOf } from '../../src/core/graph/draw/cycles.ts'
import { loadGraph } from '../../src/host/drive/load.ts'

const cyclesIn = async (name: string) =>
  cyclesOf((await loadGraph(join(import.meta.dirname, '../../graphs', name))).machine.chart)

describe('the cycles of a graph', () => {
  test('have their states once, their exits, and the rungs that lead out of them', async () => {
    const [first, second] = await cyclesIn('agent.yaml')
    expect(first).toEqual({
      states: ['plan', 'act', 'observe', 'check'],
      isCounted: true,
      exits: [{ from: 'check', by: 'done.goal', to: 'finished' }],
      escapes: ['plan', 'act', 'observe', 'check'].map(from => {
        return { from, by: 'alternative', to: 'replan' }
      }),
    })
    // `stop` ends the thread from everywhere, and a cancellation is a command.
    expect(second).toMatchObject({ states: ['replan', 'look', 'weigh'], escapes: [] })
    expect(second?.exits).toEqual([{ from: 'weigh', by: 'done.goal', to: 'finished' }])
  })

  test('of a hand-written statechart have the escapes of the boxes around them', async () => {
    const [cycle] = await cyclesIn('incident.yaml')
    expect(cycle?.escapes.map(({ by, to }) => [by, to.split('.').at(-1)])).toEqual([
      ['alternative', 'rollback'],
      ['review', 'expert'],
    ])
  })

  test('without an exit have none', async () => {
    expect(await cyclesIn('ring.yaml')).toMatchObject([{ states: ['A', 'B', 'C'], exits: [] }])
  })

  test('are missing where a graph only goes forward', async () => {
    expect(await cyclesIn('supervisor.reader.yaml')).toEqual([])
  })
})
