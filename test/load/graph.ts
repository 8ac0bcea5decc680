/** The graph of the load: a loop of steps with a pace, and a graph that waits for a person. */
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import type { Graph } from '../../src/runtime/ports.ts'

const model = () => ({}) as never

/** Takes `input.steps` steps of `input.pace` ms. */
export function ticking(): Graph {
  const { spec, faults } = readSpec({
    escapement: 1,
    id: 'ticking',
    start: 'tick',
    channels: {
      n: { type: 'integer', default: 0 },
      steps: { type: 'integer' },
      pace: { type: 'integer' },
    },
    input: ['steps', 'pace'],
    nodes: {
      tick: {
        use: './tick.ts#tick',
        out: ['n'],
        when: { finished: 'n >= steps' },
        on: { 'done.finished': 'end', done: 'tick' },
      },
      end: { final: 'success' },
    },
    limits: { steps: 100_000 },
    detect: { visits: { max: 32, window: '1ms' } },
  })
  if (faults) throw new Error(JSON.stringify(faults))
  return bindGraph(spec, {
    workspace: '.',
    model,
    nodes: {
      async tick({ input }) {
        const { n = 0, pace = 0 } = input as { n?: number; pace?: number }
        if (pace > 0) await new Promise(resolve => setTimeout(resolve, pace))
        return { n: n + 1 }
      },
    },
  })
}

export function waiting(): Graph {
  const { spec, faults } = readSpec({
    escapement: 1,
    id: 'waiting',
    start: 'ask',
    nodes: {
      ask: {
        use: 'human',
        question: 'Go on?',
        deadline: '1d',
        on: { 'human.approved': 'end', 'human.rejected': 'no', 'human.expired': 'no' },
      },
      end: { final: 'success' },
      no: { final: 'failure' },
    },
  })
  if (faults) throw new Error(JSON.stringify(faults))
  return bindGraph(spec, { workspace: '.', model })
}
