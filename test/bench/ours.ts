/** The agent of `lap.ts` as a graph spec of ours: watchdog with every detector on, gate, journal. */
import { nodePorts } from '../../src/adapters/node/ports.ts'
import { type AgentMachine, machineOfSpec } from '../../src/core/graph/agent-machine.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import type { Run } from '../../src/core/run/run.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Graph, Node, Tool } from '../../src/runtime/ports.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { LAP, type Length, lookUp, messageOf, questionOf } from './lap.ts'

export const THREAD = 'bench'

/** The machine of the agent. All detectors are on, and none reports a finding. */
export function machineOf(length: Length): AgentMachine {
  const { spec, faults } = readSpec(sourceOf(length))
  if (faults) throw new Error(JSON.stringify(faults))
  return machineOfSpec(spec)
}

function sourceOf({ laps, messages }: Length): Json {
  const said: Readonly<Record<string, Json>> =
    messages === 'each step' ? { out: { messages: 'note' } } : {}
  return {
    escapement: 1,
    id: 'bench',
    start: 'plan',
    channels: {
      lap: { type: 'integer', default: 0 },
      messages: { type: 'string', reducer: 'append' },
    },
    nodes: {
      plan: { use: 'pass', ...said, on: { done: 'act' } },
      act: { use: 'tool', tool: 'lookUp', ...said, on: { done: 'observe' } },
      observe: { use: 'pass', out: { messages: 'note', lap: 'lap' }, on: { done: 'check' } },
      check: {
        use: 'pass',
        ...said,
        when: { finished: `lap >= ${laps}` },
        on: { 'done.finished': 'end', done: 'plan' },
      },
      end: { final: 'success' },
    },
    tools: { lookUp: { use: 'flaky' } },
    limits: { steps: laps * LAP + 1, toolCalls: laps + 1 },
    detect: { visits: { max: 32, window: '1ms' } },
  }
}

/** Runs the agent to its end. Calls `onLap` at the start of each lap. */
export async function ourRun(
  store: Store,
  length: Length,
  onLap: (lap: number) => void = () => {},
): Promise<Run> {
  const steps = length.laps * LAP
  const graph = graphOf(length, onLap)
  const run = await drive(nodePorts({ graph, store }), THREAD, { start: { input: {}, seed: 1 } })
  if (run.ended?.reason !== 'goal' || run.watch.account.spent.steps !== steps)
    throw new Error(
      `the run ended by ${run.ended?.reason} after ${run.watch.account.spent.steps} steps`,
    )
  return run
}

/** The agent with its code. */
export function graphOf(length: Length, onLap: (lap: number) => void = () => {}): Graph {
  return {
    machine: machineOf(length),
    nodes: nodesOf(length, onLap),
    tools: { lookUp: TOOL },
    models: {},
    source: sourceOf(length),
  }
}

function nodesOf(
  { messages }: Length,
  onLap: (lap: number) => void,
): Readonly<Record<string, Node>> {
  let lap = 0
  const said = () => (messages === 'each step' ? { note: messageOf(lap) } : {})
  return {
    plan: async () => {
      onLap(lap)
      return said()
    },
    act: async task => {
      await task.call('lookUp', { q: questionOf(lap) })
      return said()
    },
    observe: async () => {
      lap += 1
      return { note: messageOf(lap), lap }
    },
    check: async () => said(),
  }
}

const TOOL: Tool = {
  name: 'lookUp',
  description: 'Looks something up.',
  parameters: { type: 'object' },
  effects: 'read',
  idempotent: true,
  timeout: 30_000,
  parse: args => args,
  execute: args => lookUp(args as { q: string }),
}
