/** Work that goes on after it was abandoned, and catches every error: timers and signals of the process run on. */
import { expect, test } from 'vitest'
import { systemClock } from '../../src/adapters/node/ports.ts'
import { defineGraph } from '../../src/host/definition/define-graph.ts'
import { node } from '../../src/kit/nodes/node.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Task } from '../../src/runtime/ports.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { calling, portsOf, START } from './desk.ts'

/** Counts the rounds of a loop between two turns of the event loop. */
function roundCounter() {
  let rounds = 0
  let most = 0
  return {
    /** A loop that never lets a timer run ends after 1,000 rounds. */
    goesOn(): boolean {
      if (++rounds === 1) setImmediate(() => (rounds = 0))
      most = Math.max(most, rounds)
      return rounds < 1_000
    },
    most: () => most,
  }
}

test.each([
  ['of the machine', () => systemClock],
  ['of a test', () => virtualClock(0)],
])(
  'a tool that sleeps between its tries, after its timeout, with the clock %s',
  async (_, clock) => {
    const rounds = roundCounter()
    const over = Promise.withResolvers<void>()
    const polls = calling(
      async ({ sleep }) => {
        for (let tries = 0; tries < 100 && rounds.goesOn(); tries++) await sleep(10).catch(() => {})
        over.resolve()
      },
      'read',
      { timeout: 30, retry: { attempts: 1 } },
    )
    const run = await drive(portsOf(polls, { clock: clock() }), 't', START)
    expect(JSON.stringify(run.ended)).toContain('no-answer')
    await over.promise
    expect(rounds.most()).toBeLessThan(10)
  },
)

const late = () => new Promise((_, reject) => setTimeout(() => reject(new Error('late'))))

/** The rounds of a node whose task is left at its limit of calls. */
async function roundsOf(use: (goesOn: () => boolean) => (task: Task) => Promise<unknown>) {
  const rounds = roundCounter()
  const over = Promise.withResolvers<void>()
  const graph = defineGraph({
    id: 'polls',
    start: 'A',
    limits: { nodeCalls: 10 },
    detect: { nodes: { A: false } },
    nodes: {
      A: {
        use: (task: Task) => use(rounds.goesOn)(task).finally(over.resolve),
        on: { done: 'E' },
      },
      E: { final: 'success' },
    },
  } as never)
  const run = await drive(portsOf(graph, { clock: virtualClock(0) }), 't', START)
  expect(JSON.stringify(run.ended)).toContain('node-call-limit')
  await over.promise
  return rounds.most()
}

test('a node that gives each call a deadline of its own', async () => {
  const most = await roundsOf(goesOn => async task => {
    for (let calls = 0; calls < 200 && goesOn(); calls++)
      try {
        await Promise.race([task.call('unknown', {}), late()])
      } catch {}
  })
  expect(most).toBeLessThan(50)
})

test('a node that gives each call of a typed tool a deadline of its own', async () => {
  const most = await roundsOf(
    goesOn =>
      node({ tools: ['unknown'] }, async ({ call }) => {
        for (let calls = 0; calls < 200 && goesOn(); calls++)
          try {
            await Promise.race([call.unknown({}), late()])
          } catch {}
      }) as never,
  )
  expect(most).toBeLessThan(50)
})

test('a node that does not wait for its typed calls ends', async () => {
  let calls = 0
  await roundsOf(
    () =>
      node({ tools: ['unknown'] }, async ({ call }) => {
        for (; calls < 1_000; calls++) call.unknown({}).catch(() => {})
      }) as never,
  )
  expect(calls).toBeLessThan(100)
})
