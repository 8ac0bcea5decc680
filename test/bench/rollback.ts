/** `rollback.10000steps`: a person sends a thread of 10,000 steps, asleep in its file, back to its last progress: it is loaded, a write of its first lap is undone, and it is back at its mark. */
import { join } from 'node:path'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { machineOfSpec } from '../../src/core/graph/agent-machine.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import type { Run } from '../../src/core/run/run.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { done } from '../../src/runtime/outcome.ts'
import type { Graph, Tool } from '../../src/runtime/ports.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { type Figure, figure } from './figure.ts'
import { LAP, lookUp, messageOf, questionOf } from './lap.ts'
import { inFolder, median, quietDisk } from './measure.ts'

const STEPS = 10_000
const LAPS = STEPS / LAP
const ROUNDS = 5

const SOURCE: Json = {
  escapement: 1,
  id: 'rollback',
  start: 'begin',
  channels: {
    begun: { type: 'integer', default: 0 },
    messages: { type: 'string', reducer: 'append' },
  },
  progress: 'begun',
  nodes: {
    begin: { use: 'pass', out: ['begun'], on: { done: 'plan' } },
    plan: { use: 'pass', out: { messages: 'note' }, on: { done: 'act', 'done.back': 'end' } },
    act: { use: 'tool', tool: 'lookUp', out: { messages: 'note' }, on: { done: 'observe' } },
    observe: { use: 'pass', out: { messages: 'note' }, on: { done: 'check' } },
    check: {
      use: 'pass',
      out: { messages: 'note' },
      when: { stuck: 'output.lap >= output.laps' },
      on: { done: 'plan', 'done.stuck': 'stuck' },
    },
    stuck: { use: 'tool', tool: 'stuck', on: { done: 'end' } },
    end: { final: 'success' },
  },
  tools: {
    lookUp: { use: 'flaky' },
    book: { use: 'flaky', effects: 'write' },
    stuck: { use: 'flaky' },
  },
  limits: { steps: STEPS + 10 },
  escape: { ladder: ['review', 'stop'], review: { deadline: '1h' } },
}

export async function rollback(): Promise<readonly Figure[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++)
    times.push(await inFolder(folder => timeBack(join(folder, 'bench.db'))))
  return [figure({ name: `rollback.${STEPS}steps`, value: median(times), unit: 'ms', atMost: 50 })]
}

async function timeBack(file: string): Promise<number> {
  const store = sqliteStore({ file })
  const asleep = await drive(nodePorts({ graph: graphOf(), store }), 'bench', {
    start: { input: {}, seed: 1 },
  })
  const [question] = asleep.pending
  if (question?.type !== 'interrupt')
    throw new Error(
      `expected an open question, received: ${JSON.stringify(asleep.ended ?? asleep.pending)}`,
    )
  await store.close()
  await quietDisk()
  const again = sqliteStore({ file })
  const began = performance.now()
  await again.submit('bench', 'back', {
    type: 'resume',
    effect: question.id,
    decision: 'approved',
    rung: 'rollback',
  })
  const ms = (await back(again)) - began
  await again.close()
  return ms
}

/** When the first effect behind the mark is performed: by then the way back is stored. */
async function back(store: Store): Promise<number> {
  let reached = 0
  const run: Run = await drive(
    nodePorts({
      graph: graphOf(() => {
        reached = performance.now()
      }),
      store,
    }),
    'bench',
  )
  const rows = await store.rows('bench', run.seq - 20)
  if (
    run.ended?.reason !== 'goal' ||
    !rows.some(({ event }) => event.type === 'tool.done' && event.compensates !== undefined)
  )
    throw new Error('it did not go back')
  return reached
}

/** `onBack` is called as soon as the thread works again behind its mark; without it the graph goes all its laps. */
function graphOf(onBack?: () => void): Graph {
  const { spec, faults } = readSpec(SOURCE)
  if (faults) throw new Error(JSON.stringify(faults))
  let lap = 0
  const note = () => ({ note: messageOf(lap) })
  return {
    machine: machineOfSpec(spec),
    source: SOURCE,
    models: {},
    tools: { lookUp: LOOK_UP, book: BOOK, stuck: STUCK },
    nodes: {
      begin: async () => ({ begun: 1 }),
      plan: async () => {
        onBack?.()
        return onBack ? done('back', note()) : note()
      },
      act: async task => {
        if (lap === 0) await task.call('book', {})
        await task.call('lookUp', { q: questionOf(lap) })
        return note()
      },
      observe: async () => {
        lap += 1
        return note()
      },
      check: async () => ({ ...note(), lap, laps: LAPS }),
      stuck: async task => void (await task.call('stuck', {})),
    },
  }
}

const LOOK_UP: Tool = {
  name: 'lookUp',
  description: 'Looks something up.',
  parameters: { type: 'object' },
  effects: 'read',
  idempotent: true,
  timeout: 30_000,
  parse: args => args,
  execute: args => lookUp(args as { q: string }),
}
const BOOK: Tool = {
  ...LOOK_UP,
  name: 'book',
  effects: 'write',
  execute: async () => 'booked',
  compensate: async () => {},
}
const STUCK: Tool = {
  ...LOOK_UP,
  name: 'stuck',
  execute: async () => null,
  stuck: () => 'nothing leads on',
}
