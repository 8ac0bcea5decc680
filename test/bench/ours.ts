/** The agent of `lap.ts` as a graph spec of ours: watchdog with every detector on, gate, journal. */
import { nodePorts } from '../../src/adapters/node/ports.ts'
import { type AgentMachine, machineOfSpec } from '../../src/core/graph/agent-machine.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import type { Run } from '../../src/core/run.ts'
import type { Json } from '../../src/core/watch/json.ts'
import { drive } from '../../src/runtime/drive.ts'
import type { Node, Ports, Tool } from '../../src/runtime/ports.ts'
import type { Store } from '../../src/runtime/store.ts'
import { LAP, lookUp, messageOf, questionOf } from './lap.ts'

export const THREAD = 'bench'

/** The law of an agent that goes round so often. No detector is off, and none has a reason to speak. */
export function machineOfLaps(laps: number): AgentMachine {
  const { spec, faults } = readSpec(sourceOf(laps))
  if (faults) throw new Error(JSON.stringify(faults))
  return machineOfSpec(spec)
}

function sourceOf(laps: number): Json {
  return {
    escapement: 1,
    id: 'bench',
    start: 'plan',
    channels: { lap: { type: 'integer', default: 0 }, messages: { type: 'string', reducer: 'append' } },
    nodes: {
      plan: { use: 'pass', on: { done: 'act' } },
      act: { use: 'tool', tool: 'lookUp', on: { done: 'observe' } },
      observe: { use: 'pass', out: { messages: 'note', lap: 'lap' }, on: { done: 'check' } },
      check: { use: 'pass', when: { finished: `lap >= ${laps}` }, on: { 'done.finished': 'end', done: 'plan' } },
      end: { final: 'success' },
    },
    tools: { lookUp: { use: 'flaky' } },
    limits: { steps: laps * LAP + 1 },
    detect: { visits: 64 },
  }
}

/** Runs the agent to its end. `onLap` is told of each lap as it begins. */
export async function ourRun(store: Store, laps: number, onLap: (lap: number) => void = () => {}): Promise<Run> {
  const run = await drive(portsOf(store, laps, onLap), THREAD, { start: { input: {}, seed: 1 } })
  if (run.ended?.reason !== 'goal' || run.watch.account.spent.steps !== laps * LAP)
    throw new Error(`the run ended by ${run.ended?.reason} after ${run.watch.account.spent.steps} steps`)
  return run
}

function portsOf(store: Store, laps: number, onLap: (lap: number) => void): Ports {
  let lap = 0
  const nodes: Readonly<Record<string, Node>> = {
    plan: async () => {
      onLap(lap)
      return {}
    },
    act: async task => task.call('lookUp', { q: questionOf(lap) }),
    observe: async () => {
      lap += 1
      return { note: messageOf(lap), lap }
    },
    check: async () => ({}),
  }
  return nodePorts({ graph: { machine: machineOfLaps(laps), nodes, tools: { lookUp: TOOL }, models: {}, source: sourceOf(laps) }, store })
}

const TOOL: Tool = {
  name: 'lookUp',
  description: 'Looks something up.',
  parameters: { type: 'object' },
  effects: 'read',
  idempotent: true,
  timeout: 30_000,
  parse: args => args,
  run: args => lookUp(args as { q: string }),
}
