/** Checkpoints: packed values are restored unchanged, and long values are stored once. */
import { describe, expect, test } from 'vitest'
import { logOf } from '../src/core/graph/channels.ts'
import type { Run } from '../src/core/run/run.ts'
import { initialRun } from '../src/core/run/run.ts'
import type { Json } from '../src/core/watch/data/json.ts'
import { POLICY } from '../src/core/watch/policy/policy.ts'
import { createRuntime, defineGraph, done, memoryStore, node, virtualClock } from '../src/index.ts'
import { packer, unpack } from '../src/runtime/store/checkpoint.ts'
import { replay } from '../src/runtime/store/replay.ts'
import type { Store } from '../src/runtime/store/store.ts'

const START = {
  type: 'thread.started',
  input: {},
  seed: 1,
  specHash: '',
  policy: POLICY,
  versions: {},
  at: 0,
} as const

/** A run with this context, now and at its mark. */
function runWith(context: Readonly<Record<string, Json>>): Run {
  const snapshot = { value: 'A', context, status: 'active' } as const
  return { ...initialRun(START), snapshot, savepoint: { seq: 0, at: 0, snapshot, pending: [] } }
}

async function thereAndBack(run: Run, logs: readonly string[] = []) {
  const { run: stored, chunks } = packer(new Set(logs))(run)
  const text = JSON.stringify(stored)
  return {
    text,
    chunks,
    back: await unpack(
      JSON.parse(text) as Json,
      async hashes =>
        new Map(hashes.map(hash => [hash, JSON.parse(JSON.stringify(chunks.get(hash))) as Json])),
    ),
  }
}

const message = (nth: number): Json => ({
  role: 'user',
  content: `message ${nth} ${'.'.repeat(100)}`,
})
const messages = (many: number) => Array.from({ length: many }, (_, index) => message(index))

describe('a checkpoint', () => {
  test.each<[string, Json]>([
    ['a building', { length: 2, levels: [['a', 'b']], tail: [] }],
    ['a building with a name', { length: 2, levels: [], tail: [], title: 'kept' }],
    ['a value that looks packed', { as: 'chunk', hash: 'none' }],
    ['a long text', 'x'.repeat(10_000)],
    ['a large object', { pages: messages(60) }],
    ['a long list', messages(5_000)],
    ['a list of one long item', ['x'.repeat(5_000)]],
    ['nothing', null],
  ])('restores %s unchanged', async (_, value) => {
    const run = runWith({ value })
    expect((await thereAndBack(run)).back).toEqual(run)
  })

  test.each<[string, Json, string[]]>([
    ['a long text', 'x'.repeat(10_000), []],
    ['a long list', messages(5_000), []],
    ['a log', logOf(messages(5_000)) as unknown as Json, ['value']],
  ])('of which a part of %s is missing is damaged', async (_, value, logs) => {
    const { run, chunks } = packer(new Set(logs))(runWith({ value }))
    for (const lost of chunks.keys()) {
      const found = [...chunks].filter(([hash]) => hash !== lost)
      const fetch = async (hashes: readonly string[]) =>
        new Map(found.filter(([hash]) => hashes.includes(hash)))
      await expect(unpack(run, fetch)).rejects.toMatchObject({
        name: 'StoreUnavailable',
        message: `the value stored as ${lost} is damaged: it is missing or malformed`,
      })
    }
  })

  test('restores logs of any length', async () => {
    for (const many of [0, 1, 64, 65, 5_000]) {
      const run = runWith({ log: logOf(messages(many)) as unknown as Json })
      expect((await thereAndBack(run, ['log'])).back).toEqual(run)
    }
  })

  test('refers to a long value by its hash, shared by the run and its savepoint', async () => {
    const { text, chunks } = await thereAndBack(
      runWith({ report: { pages: messages(60) }, item: ['x'.repeat(5_000)] }),
    )
    // Its policy, above all, makes a run long without it.
    const without = await thereAndBack(runWith({}))
    expect(text.length - without.text.length).toBeLessThan(250)
    expect(chunks.size).toBe(2)
  })

  test('stores only the new entries of a growing list', () => {
    const pack = packer(new Set())
    const known = new Set(pack(runWith({ messages: messages(1_000) })).chunks.keys())
    const more = [...pack(runWith({ messages: messages(1_010) })).chunks.keys()].filter(
      hash => !known.has(hash),
    )
    expect(more.length).toBeLessThan(3)
  })
})

test('a checkpoint of another event than its store says is not a state of the thread', async () => {
  const count = node({}, async ({ input }) =>
    Number(input.n) < 150 ? { n: Number(input.n) + 1 } : done('full', { n: input.n }),
  )
  const graph = defineGraph({
    id: 'g',
    start: 'count',
    channels: { n: { type: 'number', default: 0 } },
    limits: { steps: 1_000 },
    mode: 'observe',
    nodes: {
      count: { use: count, in: ['n'], out: ['n'], on: { done: 'count', 'done.full': 'end' } },
      end: { final: 'success' },
    },
  })
  const store = memoryStore()
  const runtime = createRuntime({ store, graphs: [graph], clock: virtualClock() })
  const { seq } = await (await runtime.start(graph, {}, { thread: 't' })).drive()
  const known = (await store.load('t'))?.checkpoint?.seq ?? 0
  expect(known).toBeGreaterThan(0)
  // A flipped bit in the key of a checkpoint that an earlier version has stored.
  const load: Store['load'] = async (...of) => {
    const loaded = await store.load(...of)
    const run = loaded?.checkpoint?.run ?? null
    return { checkpoint: { seq: known + 1, run }, rows: (loaded?.rows ?? []).slice(1) }
  }
  await expect(replay(graph.machine, { ...store, load }, 't')).rejects.toMatchObject({
    name: 'StoreUnavailable',
    message: `the checkpoint of 't' at event ${known + 1} is damaged: it is missing or malformed`,
  })
  expect((await replay(graph.machine, store, 't'))?.seq).toBe(seq)
  await runtime.close()
})

test('a thread that is removed while its checkpoint is read is unknown, not damaged', async () => {
  const fill = node({}, async ({ input }) =>
    Number(input.n) < 150
      ? { n: Number(input.n) + 1, text: 'x'.repeat(5_000) }
      : done('full', { n: input.n }),
  )
  const graph = defineGraph({
    id: 'g',
    start: 'fill',
    channels: { n: { type: 'number', default: 0 }, text: { type: 'string', default: '' } },
    limits: { steps: 1_000 },
    mode: 'observe',
    nodes: {
      fill: { use: fill, in: ['n'], out: ['n', 'text'], on: { done: 'fill', 'done.full': 'end' } },
      end: { final: 'success' },
    },
  })
  const store = memoryStore()
  const runtime = createRuntime({ store, graphs: [graph], clock: virtualClock() })
  await (await runtime.start(graph, {}, { thread: 't' })).drive()
  const chunks = async () => new Map<string, Json>()
  await expect(replay(graph.machine, { ...store, chunks }, 't')).rejects.toMatchObject({
    name: 'StoreUnavailable',
  })
  const LATER = { before: Number.MAX_SAFE_INTEGER, now: Number.MAX_SAFE_INTEGER }
  const removing: Store['chunks'] = async () => {
    expect(await store.remove([['t']], LATER)).toEqual(['t'])
    return chunks()
  }
  expect(await replay(graph.machine, { ...store, chunks: removing }, 't')).toBeUndefined()
  await runtime.close()
})
