/** Threads that wait for each other: all of them note it, and the youngest escapes. */
import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { createRuntime, hostOf, type Runtime } from '../../src/host/runtime.ts'
import { Sweep } from '../../src/host/drive/sweep.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { node } from '../../src/kit/nodes/node.ts'
import { tool } from '../../src/kit/tool.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { replay } from '../../src/runtime/store/replay.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { play } from '../../src/testing/play.ts'
import { specOf } from '../graph/linted.ts'
import { newFiles } from '../store/folder.ts'

const open: Runtime[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** The machine may be busy. */
const PATIENT = { timeout: 20_000 }

type Wait = (thread: string, signal: AbortSignal) => Promise<unknown>

/** Asks each of `others` at once. After a deadlock, it continues without them. */
function asker(
  wait: Wait,
  { timeout = 60_000, ...more }: { timeout?: number; mode?: string } = {},
) {
  const ask = tool({
    description: 'Waits for another thread.',
    inputSchema: z.object({ other: z.string() }),
    effects: 'read',
    timeout,
    retry: { attempts: 1 },
    waitsFor: ({ other }) => other,
    execute: async ({ other }, { signal }) => {
      await wait(other, signal)
      return `${other} ended`
    },
  })
  const spec = specOf({
    id: 'asker',
    start: 'ask',
    channels: { others: { type: 'array' }, how: { type: 'string' } },
    input: ['others'],
    output: ['how'],
    nodes: {
      ask: {
        use: 'code',
        in: ['others'],
        out: ['how'],
        on: { done: 'end', deadlock: 'alone', error: 'failed' },
      },
      alone: { use: 'code', out: ['how'], on: { done: 'end' } },
      end: { final: 'success' },
      failed: { final: 'failure' },
    },
    tools: { ask: { use: './asks.ts#ask' } },
    ...more,
  })
  return bindGraph(spec, {
    tools: { ask },
    nodes: {
      alone: node(async () => ({ how: 'alone' })),
      ask: node({ tools: ['ask'] }, async ({ input, call }) => {
        const { others } = input as unknown as { others: readonly string[] }
        await Promise.all(others.map(other => call.ask({ other })))
        return { how: 'answered' }
      }),
    },
  })
}

/** A runtime whose threads wait for each other through it. */
function asking(store: Store, options: Parameters<typeof asker>[1] = {}) {
  // A thread that fails has no answer: which of two timeouts comes first must not matter.
  const hasAnswer = async (thread: string) => (await store.thread(thread))?.outcome === 'success'
  const graph: Graph = asker(async (thread, signal) => {
    while (!(await hasAnswer(thread))) await setTimeout(5, undefined, { signal })
  }, options)
  const runtime: Runtime = createRuntime({ store, graphs: [graph] })
  open.push(runtime)
  const start = (thread: string, ...others: readonly string[]) =>
    runtime.start(graph, { others }, { thread })
  const how = async (thread: string) => {
    const { outcome, output } = await runtime.thread(thread).result()
    return `${outcome} ${(output as { how?: string }).how ?? ''}`.trim()
  }
  return { store, graph, runtime, start, how }
}

/** The deadlocks in the journal of a thread, with the verdict of each. */
async function deadlocksOf(store: Store, thread: string) {
  const rows = await store.rows(thread)
  return rows.flatMap(({ findings, verdict }) =>
    findings
      .filter(({ kind }) => kind === 'deadlock')
      .map(({ members }) => `${members.join(' ')}: ${verdict.kind}`),
  )
}

/** Starts later than any thread before it. */
const later = () => setTimeout(5)

describe('two threads that wait for each other', () => {
  it('lets the youngest escape, and answers the other', async () => {
    const { store, start, how } = asking(memoryStore())
    await start('old', 'young')
    await later()
    await start('young', 'old')
    expect(await how('young')).toBe('success alone')
    expect(await how('old')).toBe('success answered')
    expect(await deadlocksOf(store, 'young')).toEqual(['young old: escape'])
    expect(await deadlocksOf(store, 'old')).toEqual(['young old: warn'])
  })

  it('replays without the store of the other thread', async () => {
    const { store, graph, start, how } = asking(memoryStore())
    await start('old', 'young')
    await later()
    await start('young', 'old')
    await how('old')
    const alone: Store = { ...store, thread: async () => undefined, threads: async () => [] }
    const run = await replay(graph.machine, alone, 'young')
    expect(run?.ended?.outcome).toBe('success')
    expect(run?.watch.ladder.used).toEqual({ alternative: 1 })
  })

  it('lists the waits of each thread while it waits', async () => {
    const { store, start, runtime } = asking(memoryStore())
    await start('a', 'missing', 'b')
    await start('b')
    await expect
      .poll(() => store.thread('a'), PATIENT)
      .toMatchObject({ waits: [{ thread: 'missing' }] })
    await runtime.thread('a').cancel()
    expect((await store.thread('a'))?.waits).toBeUndefined()
  })

  it('only reports it in observe mode, and the timeout of the call ends the wait', async () => {
    const { store, start, how } = asking(memoryStore(), { mode: 'observe', timeout: 300 })
    await start('old', 'young')
    await later()
    await start('young', 'old')
    expect(await how('young')).toBe('failure')
    expect(await how('old')).toBe('failure')
    expect(await deadlocksOf(store, 'young')).toEqual(['young old: warn'])
    expect(await deadlocksOf(store, 'old')).toEqual(['young old: warn'])
  })
})

describe('a wait outside of a cycle', () => {
  it('ends with the thread, also if that has ended before', async () => {
    const { store, start, how } = asking(memoryStore())
    await start('first')
    await how('first')
    await start('second', 'first')
    expect(await how('second')).toBe('success answered')
    expect(await deadlocksOf(store, 'second')).toEqual([])
  })

  it('ends at the timeout of the call if the thread never starts', async () => {
    const { store, start, how } = asking(memoryStore(), { timeout: 100 })
    await start('a', 'missing')
    expect(await how('a')).toBe('failure')
    expect(await deadlocksOf(store, 'a')).toEqual([])
  })

  it('is a deadlock once the missing thread starts and waits, too', async () => {
    const { start, how } = asking(memoryStore())
    await start('a', 'b')
    await later()
    await start('b', 'c')
    await later()
    await start('c', 'a')
    expect(await Promise.all(['a', 'b', 'c'].map(how))).toEqual([
      'success answered',
      'success answered',
      'success alone',
    ])
  })
})

it('finds a thread that waits for itself', async () => {
  const { store, start, how } = asking(memoryStore())
  await start('self', 'self')
  expect(await how('self')).toBe('success alone')
  expect(await deadlocksOf(store, 'self')).toEqual(['self: escape'])
})

describe('two deadlocks with a common thread', () => {
  it('end with one escape each if the common thread is the oldest', async () => {
    const { store, start, how } = asking(memoryStore())
    await start('both', 'b', 'c')
    await later()
    await start('b', 'both')
    await start('c', 'both')
    expect(await Promise.all(['b', 'c', 'both'].map(how))).toEqual([
      'success alone',
      'success alone',
      'success answered',
    ])
    expect(await deadlocksOf(store, 'both')).toEqual(['b both: warn', 'c both: warn'])
  })

  it('end with one escape if the common thread is the youngest', async () => {
    const { store, start, how } = asking(memoryStore())
    await start('b', 'both')
    await start('c', 'both')
    await later()
    await start('both', 'b', 'c')
    expect(await Promise.all(['b', 'c', 'both'].map(how))).toEqual([
      'success answered',
      'success answered',
      'success alone',
    ])
    const found = await deadlocksOf(store, 'both')
    expect(found.filter(text => text.endsWith('escape'))).toHaveLength(1)
  })
})

const file = newFiles()

describe('in several processes', () => {
  it('is found when both close the cycle at the same moment', async () => {
    const name = file()
    let waiting = 0
    const both = Promise.withResolvers<void>()
    /** Holds the first look for a cycle until both waits are stored. */
    const gated = (): Store => {
      const store = sqliteStore(name)
      return Object.assign(Object.create(store) as Store, {
        append: async (...batches: Parameters<Store['append']>) => {
          await store.append(...batches)
          if (!batches.some(({ summary }) => summary.waits)) return
          waiting += 1
          if (waiting === 2) both.resolve()
          await both.promise
        },
      })
    }
    const one = asking(gated())
    const two = asking(gated())
    await one.start('old', 'young')
    await later()
    await two.start('young', 'old')
    expect(await two.how('young')).toBe('success alone')
    expect(await one.how('old')).toBe('success answered')
    expect(await deadlocksOf(one.store, 'old')).toEqual(['young old: warn'])
    expect(await deadlocksOf(one.store, 'young')).toEqual(['young old: escape'])
  })

  it('is found again after the process of a thread has ended', async () => {
    const name = file()
    const deaf = sqliteStore(name)
    // The process ends before it reports the deadlock.
    const first = asking(
      Object.assign(Object.create(deaf) as Store, { submit: async () => undefined }),
    )
    await first.start('old', 'young')
    await later()
    await first.start('young', 'old')
    await expect
      .poll(() => deaf.thread('young'), PATIENT)
      .toMatchObject({ waits: [{ thread: 'old' }] })
    await first.runtime.close()
    const second = asking(sqliteStore(name))
    await second.runtime.thread('young').resume()
    expect(await second.how('young')).toBe('success alone')
    await second.runtime.thread('old').resume()
    expect(await second.how('old')).toBe('success answered')
  })
})

describe('the sweep', () => {
  it('reports a deadlock that was not reported, and a further sweep changes nothing', async () => {
    let isDeaf = true
    const inner = memoryStore()
    const store: Store = {
      ...inner,
      submit: async (...of) => (isDeaf ? undefined : inner.submit(...of)),
    }
    const { start, how, runtime } = asking(store)
    await start('old', 'young')
    await later()
    await start('young', 'old')
    await expect
      .poll(() => store.thread('young'), PATIENT)
      .toMatchObject({ waits: [{ thread: 'old' }] })
    isDeaf = false
    const sweep = new Sweep(hostOf(runtime))
    // The first sweep notes where to begin.
    for (let sweeps = 0; sweeps < 3; sweeps++) await sweep.find(Date.now())
    expect(await how('young')).toBe('success alone')
    expect(await how('old')).toBe('success answered')
    expect(await deadlocksOf(store, 'young')).toEqual(['young old: escape'])
  })
})

it('finds a child that waits for its parent', async () => {
  const child = asker((_, signal) => aborted(signal))
  const parent = bindGraph(
    specOf({
      id: 'parent',
      start: 'child',
      channels: { others: { type: 'array' }, how: { type: 'string' } },
      input: ['others'],
      output: ['how'],
      nodes: {
        child: {
          use: 'graph',
          graph: 'asker',
          in: ['others'],
          out: ['how'],
          on: { done: 'end', error: 'failed' },
        },
        end: { final: 'success' },
        failed: { final: 'failure' },
      },
      graphs: { asker: child.source },
    }),
    { graphs: { asker: child } },
  )
  const { output, findings, took } = await play(parent, { input: { others: ['play'] } })
  expect(output).toEqual({ how: 'alone' })
  expect(findings.map(({ kind, members }) => [kind, members])).toEqual([
    ['deadlock', ['play/child#1/1', 'play']],
  ])
  expect(took).toBeLessThan(1_000)
})

const aborted = (signal: AbortSignal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
