/** A node that is left at the event of a write has not made it: nothing is in doubt, and no question is asked. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createRuntime, defineGraph, memoryStore, tool } from '../../src/index.ts'
import { effectsOf } from '../../src/core/review/ledger.ts'
import type { Row } from '../../src/core/run/run.ts'
import { replay } from '../../src/runtime/store/replay.ts'
import type { Batch } from '../../src/runtime/store/store.ts'

const inputSchema = z.object({})

type Kind = Readonly<{ idempotent?: boolean; compensate?: () => Promise<void> }>

function shop(kind: Kind, policy: object, fails = false) {
  const sent: string[] = []
  const read = tool({
    name: 'read',
    description: 'Reads.',
    effects: 'read',
    inputSchema,
    execute: async () => 'seen',
  })
  const send = tool({
    name: 'send',
    description: 'Sends.',
    effects: 'write',
    ...kind,
    inputSchema,
    async execute(_, { idempotencyKey }) {
      sent.push(idempotencyKey)
      if (fails) throw Object.assign(new Error('HTTP 504'), { status: 504 })
      return 'sent'
    },
  })
  const graph = defineGraph({
    id: 'shop',
    start: 'one',
    tools: { read, send },
    ...policy,
    nodes: {
      one: { use: 'tool', tool: 'read', on: { done: 'two' } },
      two: { use: 'tool', tool: 'read', on: { done: 'work' } },
      work: { use: 'tool', tool: 'send', on: { done: 'end', error: 'bad', budget: 'late' } },
      late: { use: 'pass', on: { done: 'end' } },
      end: { final: 'success' },
      bad: { final: 'failure' },
    },
  } as never)
  const store = memoryStore()
  const runtime = createRuntime({ store, graphs: [graph] })
  return { sent, graph, store, runtime }
}

async function runOf({ graph, store }: Pick<ReturnType<typeof shop>, 'graph' | 'store'>) {
  const run = await replay(graph.machine as never, store, 't')
  if (!run) throw new Error('the thread has no journal')
  return run
}

const KINDS: Readonly<Record<string, Kind>> = {
  plain: {},
  idempotent: { idempotent: true },
  compensable: { compensate: async () => {} },
}

describe.each(Object.entries(KINDS))('a %s write at which a limit is met', (_, kind) => {
  it('was not made, whether an edge takes the limit or the thread ends', async () => {
    for (const escape of [{}, { escape: { ladder: ['stop'] } }]) {
      const { sent, graph, store, runtime } = shop(kind, { limits: { toolCalls: 2 }, ...escape })
      const thread = await runtime.start(graph as never, {} as never, { thread: 't' })
      await thread.drive()
      const run = await runOf({ graph, store })
      const rows = await store.rows('t')
      expect(
        rows.some(({ event }) => event.type === 'tool.called' && event.subject === 'send'),
      ).toBe(true)
      expect(run.ended).toBeDefined()
      expect(run.unresolved).toBeUndefined()
      expect((await thread.state()).questions).toEqual([])
      expect(effectsOf(rows)).toEqual([])
      expect(run.compensable).toEqual([])
      expect(run.uncompensatable).toEqual([])
      expect(sent).toEqual([])
      await runtime.close()
    }
  })
})

it('a write at which a limit is met is not made by the process that follows a crash right behind its event', async () => {
  const { sent, graph, store } = shop({}, { limits: { toolCalls: 2 } })
  let gone = false
  const dying = new Proxy(store, {
    get(target, key) {
      if (key !== 'append') return Reflect.get(target, key, target)
      return async (batch: Batch) => {
        if (!gone) await target.append(batch)
        const isWrite = ({ event }: Row) => event.type === 'tool.called' && event.subject === 'send'
        gone ||= batch.rows.some(isWrite)
        if (gone) throw new Error('the process is gone')
      }
    },
  })
  const first = createRuntime({ store: dying, graphs: [graph] })
  const thread = await first.start(graph as never, {} as never, { thread: 't' })
  await expect(thread.drive()).rejects.toThrow('the process is gone')
  await first.close().catch(() => {})
  const second = createRuntime({ store, graphs: [graph] })
  const { questions, ended } = await second.thread('t').drive()
  expect({ questions, outcome: ended?.outcome, sent }).toEqual({
    questions: [],
    outcome: 'success',
    sent: [],
  })
  await second.close()
})

it('an earlier attempt of the same call stays in doubt', async () => {
  const policy = { limits: { toolCalls: 3 }, retry: { attempts: 3, base: 1, cap: 1 } }
  const { sent, graph, store, runtime } = shop({ idempotent: true }, policy, true)
  const thread = await runtime.start(graph as never, {} as never, { thread: 't' })
  await thread.drive()
  const run = await runOf({ graph, store })
  expect(sent).toHaveLength(1)
  expect(run.uncompensatable).toEqual(['send'])
  expect(effectsOf(await store.rows('t'))).toMatchObject([
    { tool: 'send', kind: 'indeterminate', became: { code: 'effect-unknown' } },
  ])
  await runtime.close()
})
