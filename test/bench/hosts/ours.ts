/** The agent as a graph of ours, on each store, and in LangGraph. The watchdog is on, with all detectors but `visits`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodePorts } from '../../../src/adapters/node/ports.ts'
import { postgresStore } from '../../../src/adapters/store/postgres/postgres-store.ts'
import { sqliteStore } from '../../../src/adapters/store/sqlite/sqlite-store.ts'
import { machineOfSpec } from '../../../src/core/graph/agent-machine.ts'
import { readSpec } from '../../../src/core/graph/spec/read.ts'
import { toLangGraph } from '../../../src/langgraph.ts'
import { drive } from '../../../src/runtime/drive/drive.ts'
import type { Graph } from '../../../src/runtime/ports.ts'
import { memoryStore } from '../../../src/runtime/store/memory-store.ts'
import { replay } from '../../../src/runtime/store/replay.ts'
import type { Store } from '../../../src/runtime/store/store.ts'
import { type Agent, checkSteps, type Contestant, stepOf } from './contestant.ts'
import { bytesOfSchema, emptySchema, schemaOf } from './database.ts'
import { bytesOfFile } from './file.ts'

const sourceOf = ({ steps }: Agent) => ({
  escapement: 1,
  id: 'bench',
  start: 'step',
  channels: {
    nth: { type: 'integer', default: 0 },
    messages: { type: 'string', reducer: 'append' },
  },
  nodes: {
    step: {
      use: 'pass',
      in: ['nth'],
      out: { messages: 'message', nth: 'nth' },
      when: { finished: `nth >= ${steps}` },
      on: { 'done.finished': 'end', done: 'step' },
    },
    end: { final: 'success' },
  },
  limits: { steps: steps + 1 },
  // The loop enters one state again at once, on purpose.
  detect: { visits: false },
})

export function graphOf(agent: Agent): Graph {
  const source = sourceOf(agent)
  const { spec, faults } = readSpec(source)
  if (faults) throw new Error(JSON.stringify(faults))
  return {
    machine: machineOfSpec(spec),
    nodes: {
      step: async ({ input }) => {
        const { nth } = input as unknown as { nth: number }
        return { message: stepOf(agent, nth), nth: nth + 1 }
      },
    },
    tools: {},
    models: {},
    source,
  }
}

const START = { input: {}, seed: 1 }

async function runIn(agent: Agent, store: Store): Promise<void> {
  const run = await drive(nodePorts({ graph: graphOf(agent), store }), 'bench', { start: START })
  if (run.ended?.reason !== 'goal') throw new Error(`the run ended by ${run.ended?.reason}`)
  checkSteps(agent, run.watch.account.spent.steps)
}

async function resumeIn(agent: Agent, store: Store): Promise<void> {
  const run = await replay(graphOf(agent).machine, store, 'bench')
  checkSteps(agent, run?.watch.account.spent.steps)
}

export const memory: Contestant = {
  name: 'escapement, memory',
  survives: 'nothing',
  async run(agent) {
    await runIn(agent, memoryStore())
    return {}
  },
}

export const sqlite: Contestant = {
  name: 'escapement, SQLite',
  survives: 'a kill',
  async run(agent) {
    const folder = await mkdtemp(join(tmpdir(), 'escapement-bench-'))
    const file = join(folder, 'bench.db')
    // As SqliteSaver does.
    const open = () => sqliteStore({ file, synchronous: 'NORMAL' })
    const store = open()
    await runIn(agent, store)
    await store.close()
    return {
      bytes: () => bytesOfFile(file),
      resume: async () => {
        const again = open()
        await resumeIn(agent, again)
        await again.close()
      },
      close: () => rm(folder, { recursive: true, force: true }),
    }
  },
}

export const postgres = (url: string): Contestant => ({
  name: 'escapement, Postgres',
  survives: 'a power failure',
  prepare: () => emptySchema(url, 'ours'),
  async run(agent) {
    const schema = schemaOf('ours')
    const open = () => postgresStore({ url, schema })
    const store = open()
    await store.counts()
    await runIn(agent, store)
    await store.close()
    return {
      bytes: () => bytesOfSchema(url, schema),
      resume: async () => {
        const again = open()
        await resumeIn(agent, again)
        await again.close()
      },
    }
  },
})

export const inLangGraph: Contestant = {
  name: 'escapement in LangGraph, memory',
  survives: 'nothing',
  async run(agent) {
    await compiledInLangGraph(agent)()
    return {}
  },
}

/** Compiles the agent to LangGraph. Each call of the result runs a new thread. */
export function compiledInLangGraph(agent: Agent): () => Promise<void> {
  const compiled = toLangGraph(graphOf(agent), { store: memoryStore(), seed: 1 })
  let threads = 0
  return async () => {
    const options = {
      configurable: { thread_id: `bench-${++threads}` },
      recursionLimit: 2 * agent.steps + 10,
    }
    const { escapement } = await compiled.invoke({ input: {} }, options)
    if (escapement.outcome !== 'success') throw new Error(`it ended by ${escapement.outcome}`)
  }
}
