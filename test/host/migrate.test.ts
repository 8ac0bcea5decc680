/** Threads that move to another version of their graph: the hook, its checks, the journal, and what the thread keeps. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import { importThreads } from '../../src/runtime/drive/copy.ts'
import { archiveLines } from '../../src/runtime/store/archive.ts'
import { parseArchive } from '../../src/runtime/store/archive-parser.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import type { GraphVersion } from '../../src/core/watch/event/event.ts'
import { createRuntime, defineGraph, isWrongGraph, type Migrate, node } from '../../src/index.ts'
import { tool, type Graph, type Runtime } from '../../src/index.ts'

const open: Runtime[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const runtimeOf = (store: Store, ...graphs: Graph[]) => {
  const runtime = createRuntime({ store, graphs })
  open.push(runtime)
  return runtime
}

const write = tool({
  name: 'write',
  description: 'Writes.',
  effects: 'write',
  inputSchema: { type: 'object' },
  execute: () => ({ written: true }),
})

const HUMAN = { 'human.approved': 'end', 'human.rejected': 'end', 'human.expired': 'end' } as const

/** Drafts, and asks a person. */
const old = (limits: object = {}) =>
  defineGraph({
    id: 'desk',
    start: 'draft',
    input: ['goal'],
    channels: {
      goal: { type: 'string' },
      text: { type: 'string' },
      log: { reducer: 'append', type: 'string' },
    },
    nodes: {
      draft: {
        use: node(async ({ input }) => ({ text: `about ${input.goal}`, log: 'drafted' })),
        in: ['goal'],
        out: ['text', 'log'],
        on: { done: 'ask' },
      },
      ask: { use: 'human', question: 'Send it?', on: { ...HUMAN, 'human.rejected': 'draft' } },
      end: { final: 'success' },
    },
    limits,
  })

/** Renames `ask` to `confirm`, and `text` to `letter`. Sends after an approval. */
const young = (migrate?: Migrate) =>
  defineGraph({
    id: 'desk',
    start: 'draft',
    input: ['goal'],
    output: ['letter', 'log'],
    channels: {
      goal: { type: 'string' },
      letter: { type: 'string' },
      log: { reducer: 'append', type: 'string' },
      urgent: { type: 'boolean', default: false },
    },
    nodes: {
      draft: {
        use: node(async ({ input }) => ({ letter: `On ${input.goal}.` })),
        in: ['goal'],
        out: ['letter'],
        on: { done: 'confirm' },
      },
      confirm: {
        use: 'human',
        question: 'Is it good?',
        on: { ...HUMAN, 'human.approved': 'send' },
      },
      send: {
        use: node({ tools: { write } }, async ({ call }) => call.write({})),
        on: { done: 'end' },
      },
      end: { final: 'success' },
    },
    ...(migrate && { migrate }),
  })

const move: Migrate = ({ node, channels }) => {
  const { text = '', ...rest } = channels
  return node === 'ask' ? { node: 'confirm', channels: { ...rest, letter: text } } : undefined
}

const waits = async (store: Store, thread: string) => {
  while ((await store.thread(thread))?.status !== 'waiting') await pause(2)
}

/** A store with the thread `t` of the old version, which asks a person. */
async function withThread(store = memoryStore(), graph: Graph = old()) {
  const runtime = runtimeOf(store, graph)
  await runtime.start(graph, { goal: 'clocks' }, { thread: 't' })
  await waits(store, 't')
  await runtime.close()
  return store
}

async function* linesOf(store: Store): AsyncGenerator<string> {
  for await (const line of archiveLines(store, 't')) yield line.trimEnd()
}

describe('a waiting thread of an earlier version', () => {
  test('continues in the node and with the channels that the hook returns', async () => {
    const store = await withThread()
    const runtime = runtimeOf(store, young(move))
    const thread = runtime.thread('t')
    expect((await runtime.unreachable()).map(of => of.thread)).toEqual(['t'])
    await expect(thread.state()).rejects.toSatisfy(isWrongGraph)
    expect(await thread.migrate()).toMatchObject({
      applied: true,
      migration: { node: { from: 'ask', to: 'confirm' }, channels: ['letter', 'text'] },
    })
    expect(await runtime.unreachable()).toEqual([])
    const state = await thread.state()
    expect(state.questions).toMatchObject([{ id: 'confirm#1', question: 'Is it good?' }])
    expect(state.channels).toEqual({
      goal: 'clocks',
      letter: 'about clocks',
      log: ['drafted'],
      urgent: false,
    })
    expect((await thread.answer('confirm#1', 'approved')).applied).toBe(true)
    expect(await thread.result()).toMatchObject({
      outcome: 'success',
      output: { letter: 'about clocks', log: ['drafted'] },
    })
  })

  test('is not missing, but pruned, for a repeated request', async () => {
    const runtime = runtimeOf(await withThread(), young(move))
    const migrate = () => runtime.thread('t').migrate({ once: 'queue/m1' })
    expect(await migrate()).toMatchObject({ applied: true })
    expect(await migrate()).toEqual({ applied: true })
    await runtime.thread('t').cancel('done')
    await vi.waitUntil(async () => (await runtime.prune({ keep: 0 })).length > 0)
    await expect(migrate()).rejects.toMatchObject({ code: 'thread-pruned' })
  })

  test('keeps its spending, its policy and its start', async () => {
    const store = await withThread(memoryStore(), old({ steps: 7 }))
    const runtime = runtimeOf(store, young(move))
    const [first] = await store.rows('t')
    await runtime.thread('t').migrate()
    const { spent } = await runtime.thread('t').state()
    expect(spent.steps).toBe(1)
    const { checkpoint } = (await store.load('t')) ?? {}
    expect(checkpoint?.run).toMatchObject({
      policy: { limits: { steps: 7 } },
      startedAt: first?.event.at,
    })
  })

  test('is described to the hook without the channels that have no value', async () => {
    const store = await withThread()
    const seen: object[] = []
    const spy: Migrate = thread => {
      seen.push(thread)
      return move(thread)
    }
    const preview = await runtimeOf(store, young(spy)).thread('t').migrate({ preview: true })
    expect(preview.applied).toBe(true)
    const { specHash } = (await store.thread('t')) ?? {}
    expect(seen).toEqual([
      {
        version: specHash,
        node: 'ask',
        channels: { goal: 'clocks', text: 'about clocks', log: ['drafted'] },
      },
    ])
  })

  test('is only read by a preview', async () => {
    const store = await withThread()
    const before = await store.rows('t')
    const { migration } = await runtimeOf(store, young(move)).thread('t').migrate({ preview: true })
    expect(migration?.node).toEqual({ from: 'ask', to: 'confirm' })
    expect(await store.rows('t')).toEqual(before)
  })

  test('is imported with one machine for each graph, however many versions it says it has left', async () => {
    const store = await withThread()
    const graph = young(move)
    await runtimeOf(store, graph).thread('t').migrate()
    const archive = await parseArchive(linesOf(store))
    // One graph under as many version texts, all of which read it alike.
    const leftOf = (times: number, versions: readonly GraphVersion[]) =>
      Array.from({ length: times }, (_, n) => {
        return { ...(versions[0] as GraphVersion), versions: { escapement: `0.2.0-${n}` } }
      })
    const repeated = (times: number) => ({
      ...archive,
      threads: archive.threads.map(({ thread, rows }) => ({
        thread,
        rows: rows.map(row =>
          row.event.type === 'migrated'
            ? { ...row, event: { ...row.event, left: leftOf(times, row.event.left) } }
            : row,
        ),
      })),
    })
    let pauses = 0
    const ports = {
      ...nodePorts({ graph, store: memoryStore() }),
      machineOf: async () => graph.machine,
      pause: async () => void pauses++,
    }
    // The fold with the wrong machine fails: the versions are what is counted.
    await importThreads(ports, repeated(1_000)).catch(() => {})
    expect(pauses).toBeLessThan(10)
    await expect(importThreads(ports, repeated(1_001))).rejects.toThrow(
      'has left 1001 versions; expected at most 1000',
    )
  })

  test('migrates twice, and its whole journal folds to the same run', async () => {
    const store = await withThread()
    const second = young(move)
    const runtime = runtimeOf(store, second)
    await runtime.thread('t').migrate()
    await waits(store, 't')
    await runtime.close()
    const third = defineGraph({
      id: 'desk',
      start: 'check',
      channels: { letter: { type: 'string' } },
      output: ['letter'],
      nodes: { check: { use: 'human', question: 'Send?', on: HUMAN }, end: { final: 'success' } },
      migrate: ({ node, channels }) => ({
        node: node === 'confirm' ? 'check' : 'end',
        channels: { letter: channels.letter ?? '' },
      }),
    })
    const last = runtimeOf(store, third)
    expect((await last.thread('t').migrate()).applied).toBe(true)
    await last.thread('t').answer('check#1', 'approved')
    expect(await last.thread('t').result()).toMatchObject({
      outcome: 'success',
      output: { letter: 'about clocks' },
    })
    // The state of the time before each migration is that of its version.
    expect((await last.thread('t').state(2)).channels).toMatchObject({ text: 'about clocks' })
    const lines: string[] = []
    for await (const line of last.thread('t').archive()) lines.push(line.trim())
    const other = runtimeOf(memoryStore(), third)
    async function* read() {
      yield* lines
    }
    await other.importThread(read())
    expect(await other.thread('t').state()).toEqual(await last.thread('t').state())
    const events: string[] = []
    for await (const { type, seq } of last.thread('t').events() as AsyncIterable<{
      type: string
      seq: number
    }>)
      events.push(`${seq} ${type}`)
    expect(events.at(-1)).toMatch(/ended$/)
    const fork = await last.thread('t').fork({ as: 'f', effects: 'refuse' })
    expect((await fork.state()).channels).toEqual({ letter: 'about clocks' })
  })

  test('whose hook is gone later still replays: the row holds the result', async () => {
    const store = await withThread()
    await runtimeOf(store, young(move)).thread('t').migrate()
    const [row] = (await store.rows('t')).filter(({ event }) => event.type === 'migrated')
    expect(row?.event).toMatchObject({ node: 'confirm', channels: { letter: 'about clocks' } })
    const without = runtimeOf(store, young())
    expect((await without.thread('t').state()).questions[0]?.id).toBe('confirm#1')
  })

  test('is followed from its first event', async () => {
    const store = await withThread()
    const runtime = runtimeOf(store, young(move))
    await runtime.thread('t').migrate()
    const types: string[] = []
    for await (const { row } of runtime.thread('t').events({ until: 'waiting' }) as AsyncIterable<{
      row: { event: { type: string } }
    }>)
      types.push(row.event.type)
    expect(types).toContain('migrated')
  })
})

describe('a migration is refused, and stores nothing,', () => {
  const refusalOf = async (store: Store, graph: Graph, thread = 't') => {
    const before = await store.rows(thread)
    const settled = await runtimeOf(store, graph).thread(thread).migrate()
    expect(await store.rows(thread)).toEqual(before)
    return settled.applied ? 'applied' : `${settled.code}: ${settled.because}`
  }

  test.each<readonly [string, Migrate | undefined, string]>([
    [
      'without a hook',
      undefined,
      "no-migration: graph 'desk' cannot take over threads of other versions; define migrate",
    ],
    [
      'if the hook declines',
      () => undefined,
      "migration-declined: migrate of graph 'desk' returned no destination for node 'ask'",
    ],
    [
      'for an unknown node',
      () => ({ node: 'look', channels: { goal: 'g' } }),
      "invalid-migration: node: unknown node 'look'; nodes: draft, confirm, send, end",
    ],
    [
      'for a channel of another type',
      () => ({ node: 'confirm', channels: { goal: 'g', letter: 7 } }),
      'invalid-migration: channels.letter',
    ],
    [
      'for an unknown channel',
      ({ channels }) => ({ node: 'confirm', channels }),
      'invalid-migration: channels.text',
    ],
    [
      'without a required input',
      () => ({ node: 'confirm', channels: {} }),
      'invalid-migration: channels.goal: is missing',
    ],
    [
      'for a value that is not JSON',
      () => ({ node: 'confirm', channels: { goal: (() => 1) as never } }),
      'invalid-migration: migrate: is not JSON: channels.goal',
    ],
    [
      'for another shape',
      () => 'confirm' as never,
      'invalid-migration: migrate: expected { node, channels }',
    ],
    [
      'if the hook throws',
      () => {
        throw new TypeError('no text')
      },
      'invalid-migration: migrate: TypeError: no text',
    ],
    [
      'if the hook throws, without secrets',
      () => {
        throw new TypeError('no postgres://ada:hunter2secret@db/x')
      },
      'invalid-migration: migrate: TypeError: no postgres://ada:[redacted]@db/x',
    ],
    [
      'if the hook returns an unknown node, without secrets',
      () => ({ node: 'postgres://ada:hunter2secret@db/x', channels: { goal: 'sell' } }),
      "unknown node 'postgres://ada:[redacted]@db/x'",
    ],
  ])('%s', async (_, hook, expected) => {
    expect(await refusalOf(await withThread(), young(hook))).toContain(expected)
  })

  test('for a thread of this version', async () => {
    expect(await refusalOf(await withThread(), old())).toContain('already-migrated')
  })

  test('for a thread that has ended', async () => {
    const store = await withThread()
    await runtimeOf(store, old()).thread('t').cancel()
    expect(await refusalOf(store, young(move))).toContain('thread-ended')
  })

  test('after a write of the waiting node, and while the outcome of a write is unknown', async () => {
    const writing = (fails: boolean, confirm = false) =>
      defineGraph({
        id: 'desk',
        start: 'act',
        channels: { goal: { type: 'string' } },
        input: ['goal'],
        nodes: {
          act: {
            use: node({ tools: { write, pay: pay(fails, confirm) } }, async ({ call }) => {
              if (confirm) await call.write({})
              return call.pay({})
            }),
            on: { done: 'end' },
          },
          end: { final: 'success' },
        },
      })
    const pay = (fails: boolean, confirm: boolean) =>
      tool({
        name: 'pay',
        description: 'Pays.',
        effects: 'write',
        inputSchema: { type: 'object' },
        confirm: () => confirm,
        execute: () => {
          if (fails) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' })
          return {}
        },
      })
    expect(await refusalOf(await withThread(memoryStore(), writing(true)), young(move))).toContain(
      'call-unresolved: the outcome of a call of pay is unknown',
    )
    expect(
      await refusalOf(await withThread(memoryStore(), writing(false, true)), young(move)),
    ).toContain("node-has-written: node 'act' has written")
  })

  test('while a process drives the thread', async () => {
    const store = await withThread()
    const lease = await store.lease('t', {
      owner: 'other/1/x/1',
      now: Date.now(),
      until: Date.now() + 60_000,
      isOwnerDead: () => false,
    })
    await expect(runtimeOf(store, young(move)).thread('t').migrate()).rejects.toThrow('driven by')
    await store.release(lease)
  })

  test('for a stale event, and once for each command id', async () => {
    const store = await withThread()
    const thread = runtimeOf(store, young(move)).thread('t')
    const { seq } = await thread.summary()
    await expect(thread.migrate({ expectSeq: seq - 1 })).rejects.toThrow('read the new events')
    expect(await thread.migrate({ expectSeq: seq, id: 'k' })).toMatchObject({ applied: true })
    expect(await thread.migrate({ expectSeq: seq, id: 'k' })).toEqual({ applied: true })
    expect((await thread.rows()).filter(({ event }) => event.type === 'migrated')).toHaveLength(1)
  })
})
