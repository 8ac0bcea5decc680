/** `map.100x10`: 100 children of ten steps each, compared with the same 1,000 steps in one thread; both in memory with watchdog and gate. */
import { nodePorts } from '../../src/adapters/node/ports.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { type Figure, figure } from './figure.ts'
import { interleaved, timed } from './measure.ts'
import { warmedUp } from './warm-up.ts'

const CHILDREN = 100
const STEPS = 10

export async function mapping(): Promise<readonly Figure[]> {
  await warmedUp()
  const plain = graphOf(laps(CHILDREN * STEPS))
  const mapped = graphOf(over(CHILDREN), { worker: graphOf(laps(STEPS)) })
  const perStep = (ms: number) => (ms * 1_000) / (CHILDREN * STEPS)
  const { map, step } = await interleaved(
    {
      map: async () => perStep(await timed(() => ended(mapped))),
      step: async () => perStep(await timed(() => ended(plain))),
    },
    { rounds: 25, warmUp: 15 },
  )
  return [
    figure({ name: 'map.step', value: map, unit: 'µs' }),
    figure({ name: 'map.plain', value: step, unit: 'µs' }),
    figure({ name: `map.${CHILDREN}x${STEPS}`, value: map / step, unit: 'times', atMost: 1.2 }),
  ]
}

async function ended(graph: Graph): Promise<void> {
  const { ended } = await drive(nodePorts({ graph, store: memoryStore() }), 'bench', {
    start: { input: {}, seed: 1 },
  })
  if (ended?.outcome !== 'success') throw new Error(`the run ended by ${ended?.reason}`)
}

/** A graph with one counting node, `A`. */
export function graphOf(parts: object, graphs: Readonly<Record<string, Graph>> = {}): Graph {
  const { spec, faults } = readSpec({
    escapement: 1,
    id: 'bench',
    start: 'A',
    limits: { steps: 100_000, toolCalls: 100_000 },
    detect: { recurrence: false },
    ...parts,
  })
  if (faults) throw new Error(JSON.stringify(faults))
  return bindGraph(spec, {
    workspace: '.',
    model: () => ({}) as never,
    nodes: 'A' in spec.nodes ? { A: count } : {},
    graphs,
  })
}

const count = async (task: { readonly input: Readonly<Record<string, Json>> }) => ({
  n: Number(task.input.n) + 1,
})

/** Repeats the node `A` this often. */
export function laps(steps: number): object {
  const nodes = {
    A: {
      use: './count.ts#count',
      in: ['n'],
      out: { n: 'n' },
      when: { enough: `n >= ${steps}` },
      on: { done: 'A', 'done.enough': 'end' },
    },
    end: { final: 'success' },
  }
  return { id: 'worker', channels: { n: { type: 'integer', default: 0 }, item: {} }, nodes }
}

function over(items: number): object {
  const inline = { escapement: 1, ...laps(STEPS), start: 'A' }
  const nodes = {
    each: { use: 'map', over: 'items', graph: 'worker', on: { done: 'end' } },
    end: { final: 'success' },
  }
  return {
    start: 'each',
    channels: {
      items: { type: 'array', default: Array.from({ length: items }, (_, index) => index) },
    },
    nodes,
    graphs: { worker: inline },
  }
}
