/** A large cyclic graph for the drawing: stages with two parallel regions each, in a ring. */
import { nodePorts } from '../../../src/adapters/node/ports.ts'
import { bindGraph } from '../../../src/kit/bind/bind.ts'
import type { Json } from '../../../src/core/watch/data/json.ts'
import { readSpec } from '../../../src/core/graph/spec/read.ts'
import { drive } from '../../../src/runtime/drive/drive.ts'
import type { Graph } from '../../../src/runtime/ports.ts'
import type { Store } from '../../../src/runtime/store/store.ts'

/** Nodes of a region, and regions of a stage. */
const LINE = 5
const SIDES = ['left', 'right'] as const

/** A graph of at least `nodes` nodes, whose ring is passed `rounds` times. */
export function stagedGraph(nodes: number, rounds: number): Graph {
  const stages = Math.ceil((nodes - 2) / (LINE * SIDES.length + 1))
  const ring = Array.from({ length: stages }, (_, stage) => [
    `stage${stage}`,
    {
      regions: Object.fromEntries(SIDES.map(side => [side, lineOf(`s${stage}${side}`)])),
      on: { done: stage === stages - 1 ? 'check' : `stage${stage + 1}` },
    },
  ])
  const steps = rounds * (stages * SIDES.length * LINE + stages + 1)
  const { spec, faults } = readSpec({
    escapement: 1,
    id: `stages-${nodes}`,
    start: 'stage0',
    channels: { round: { type: 'integer', default: 0 } },
    nodes: {
      ...Object.fromEntries(ring),
      check: {
        use: 'pass',
        out: { round: 'round' },
        when: { finished: `round >= ${rounds}` },
        on: { 'done.finished': 'end', done: 'stage0' },
      },
      end: { final: 'success' },
    },
    limits: { steps: steps * 2 },
    accept: ['*'],
  } as Json)
  if (faults) throw new Error(JSON.stringify(faults))
  const bound = bindGraph(spec)
  let round = 0
  return { ...bound, nodes: { ...bound.nodes, check: async () => ({ round: ++round }) } }
}

function lineOf(prefix: string): Json {
  const names = Array.from({ length: LINE }, (_, index) => `${prefix}${index}`)
  const line = names.map((name, index) => [
    name,
    { use: 'pass', on: { done: names[index + 1] ?? `${prefix}done` } },
  ])
  return {
    start: `${prefix}0`,
    nodes: { ...Object.fromEntries(line), [`${prefix}done`]: { final: 'success' } },
  }
}

/** Runs the graph as a thread that has its name. */
export async function runStages(graph: Graph, store: Store): Promise<string> {
  const thread = graph.machine.id
  await drive(nodePorts({ graph, store }), thread, { start: { input: {}, seed: 1 } })
  return thread
}
