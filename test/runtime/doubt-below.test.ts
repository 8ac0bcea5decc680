/** Writes in doubt below a thread: in grandchildren, in children that go on beside a fork, and in children whose journal cannot be read. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createRuntime, defineGraph, memoryStore } from '../../src/index.ts'
import { replay } from '../../src/runtime/store/replay.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { bankOf, ENDS, gatedBank, slowBank } from './slow-bank.ts'

type Pay = ReturnType<typeof slowBank>['pay']

const payerOf = (pay: Pay) =>
  defineGraph({
    id: 'payer',
    start: 'pay',
    tools: { pay },
    nodes: { pay: { use: 'tool', tool: 'pay', args: {}, on: { done: 'end' } }, ...ENDS },
  })

const middleOf = (pay: Pay) =>
  defineGraph({
    id: 'middle',
    start: 'work',
    graphs: { payer: payerOf(pay) },
    nodes: { work: { use: 'graph', graph: 'payer', on: { done: 'end', error: 'bad' } }, ...ENDS },
  })

/** A thread over a child, or over a grandchild, whose next message ends its round. */
const aboveOf = (child: ReturnType<typeof payerOf>) =>
  defineGraph({
    id: 'above',
    start: 'work',
    input: ['goal'],
    channels: { goal: {} },
    graphs: { below: child },
    rounds: { busy: 'interrupt' },
    nodes: {
      work: { use: 'graph', graph: 'below', on: { done: 'end', error: 'bad' } },
      ...ENDS,
    },
  } as never)

async function started(graph: ReturnType<typeof aboveOf>, store: Store = memoryStore()) {
  const runtime = createRuntime({ store, graphs: [graph] })
  const thread = await runtime.start(graph as never, { goal: 'one' } as never, { thread: 't' })
  const say = (goal: string) => thread.send({ goal } as never)
  const asked = async (of = thread) => (await of.state()).questions.map(({ id }) => id)
  return { runtime, store, thread, say, asked }
}

it.each([
  ['a child', payerOf],
  ['a grandchild', middleOf],
])('the write of %s is asked about in each round', async (_, childOf) => {
  const { paid, pay } = slowBank()
  const { runtime, thread, say, asked } = await started(aboveOf(childOf(pay) as never))
  await expect.poll(() => paid.length).toBe(1)
  for (const round of [2, 3, 4]) {
    await say(`round ${round}`)
    await expect.poll(() => asked()).toEqual([`work#1/1?r${round}`])
  }
  expect(paid).toHaveLength(1)
  await thread.cancel('enough')
  await runtime.close()
})

it('the middle of three threads has written for a rollback of the first', async () => {
  const { paid, pay } = slowBank()
  const { runtime, store, say, asked } = await started(aboveOf(middleOf(pay) as never))
  await expect.poll(() => paid.length).toBe(1)
  await say('two')
  await expect.poll(() => asked()).toHaveLength(1)
  const done = (await store.rows('t')).find(({ event }) => event.type === 'child.done')?.event
  expect(done).toMatchObject({ effects: 'write', unresolved: 'pay' })
  await runtime.close()
})

it('a live fork asks about the child that goes on in its parent', async () => {
  const { paid, pay, open } = gatedBank()
  const graph = aboveOf(payerOf(pay))
  const { runtime, store, say, asked, thread } = await started(graph)
  await expect.poll(() => paid.length).toBe(1)
  await say('two')
  const fork = await thread.fork({ as: 'f', effects: 'live' })
  void fork.drive()
  await expect.poll(() => asked(fork as never)).toEqual(['work#1/1?r2'])
  await pause(200)
  expect(paid).toHaveLength(1)
  const run = await replay(graph.machine, store, 'f')
  expect(run?.wrote).toBe(true)
  open()
  await runtime.close()
})

it('a live fork does not ask about a child of which the parent knows that it has only read', async () => {
  const { pay: look } = bankOf(signal => pause(5_000, undefined, { signal }), 'read')
  const { pay } = slowBank()
  const child = defineGraph({
    id: 'payer',
    start: 'look',
    tools: { look, pay },
    nodes: {
      look: { use: 'tool', tool: 'look', args: {}, on: { done: 'pay' } },
      pay: { use: 'tool', tool: 'pay', args: {}, on: { done: 'end' } },
      ...ENDS,
    },
  })
  const { runtime, store, say, thread } = await started(aboveOf(child as never))
  const seqOf = async (type: string) =>
    (await store.rows('t')).find(({ event }) => event.type === type)?.seq
  await expect.poll(() => seqOf('child.started')).toBeDefined()
  await say('two')
  await expect.poll(() => seqOf('child.done')).toBeDefined()
  const at = (await seqOf('message')) ?? -1
  await thread.fork({ as: 'f', effects: 'live', at })
  const forked = (await store.rows('f')).find(({ event }) => event.type === 'forked')?.event
  expect(forked).not.toHaveProperty('unresolved')
  await runtime.close()
})

it('a live fork that leaves the node of such a child asks in its next round', async () => {
  const { paid, pay, open } = gatedBank()
  const { runtime, asked, thread } = await started(aboveOf(payerOf(pay)))
  await expect.poll(() => paid.length).toBe(1)
  const fork = await thread.fork({ as: 'f', effects: 'live' })
  await fork.cancel('enough')
  await fork.send({ goal: 'two' } as never)
  void fork.drive()
  await expect.poll(() => asked(fork as never)).toEqual(['work#1/1?r2'])
  await pause(200)
  expect(paid).toHaveLength(1)
  open()
  await runtime.close()
})

it.each([
  ['may have written', 'write', 1],
  ['has not, where its graph only reads', 'read', 0],
] as const)('a child whose journal cannot be read %s', async (_, effects, questions) => {
  const { paid, pay } = bankOf(signal => pause(5_000, undefined, { signal }), effects)
  const store = memoryStore()
  const graph = aboveOf(payerOf(pay))
  const first = await started(graph, store)
  await expect.poll(() => paid.length).toBe(1)
  await first.runtime.close()
  const damaged: Store = {
    ...store,
    rows: (name, ...range) =>
      name === 't/work#1/1'
        ? Promise.reject(new Error(`event 2 in the journal of '${name}' is damaged`))
        : store.rows(name, ...range),
  }
  const runtime = createRuntime({ store: damaged, graphs: [graph] })
  const thread = runtime.thread('t', graph)
  await thread.send({ goal: 'two' } as never)
  void thread.drive()
  const state = () => thread.state()
  await expect
    .poll(async () => (await state()).questions.length + Number((await state()).status === 'ended'))
    .toBe(1)
  expect((await state()).questions).toHaveLength(questions)
  await runtime.close()
})
