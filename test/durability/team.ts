/** A process that drives a thread of a parallel machine: one region works while the other asks a person. `node team.ts <folder>` */
import { join } from 'node:path'
import process from 'node:process'
import { type AnyStateMachine, createMachine } from 'xstate'
import { machineOf, nodePorts, sqliteStore, drive } from '../../src/index.ts'

const statechart = createMachine({
  id: 'team',
  initial: 'working',
  states: {
    working: {
      type: 'parallel',
      on: { cancelled: 'over' },
      onDone: 'finished',
      states: {
        person: {
          initial: 'asked',
          states: {
            asked: {
              entry: {
                type: 'interrupt',
                params: { question: 'May it go out?', deadline: 60_000 },
              },
              on: { 'human.approved': 'approved' },
            },
            approved: { type: 'final' },
          },
        },
        work: {
          initial: 'busy',
          states: {
            busy: {
              entry: { type: 'invoke', params: { node: 'sleeper' } },
              on: { done: 'rested' },
            },
            rested: { type: 'final' },
          },
        },
      },
    },
    finished: { type: 'final' },
    over: { type: 'final', tags: ['cancelled'] },
  },
})

const store = sqliteStore({ file: join(process.argv[2] ?? '.', 'threads.db') })
const graph = {
  machine: machineOf(statechart as AnyStateMachine, { version: '1' }),
  nodes: {
    sleeper: async ({ signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  },
  tools: {},
  models: {},
  source: null,
}
const run = await drive(nodePorts({ graph, store }), 't', { start: { input: {}, seed: 1 } })
process.stdout.write(`${run.ended?.outcome} ${run.ended?.reason}\n`)
await store.close()
