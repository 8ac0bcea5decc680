/** createRuntime: starts, follows, answers and continues threads of its graphs on one store. */
import { lapsOf } from '../../src/core/review/laps.ts'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, test } from 'vitest'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { z } from 'zod'
import { defineGraph } from '../../src/host/definition/define-graph.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { isWrongGraph } from '../../src/runtime/store/source.ts'
import { createRuntime, type Runtime, type RuntimeOptions } from '../../src/host/runtime.ts'
import type { ThreadEvent } from '../../src/host/thread/thread.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { canonical, hash } from '../../src/core/watch/data/json.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { newFolders } from '../durability/folders.ts'
import { start as startProcess } from '../durability/process.ts'
import { specOf } from '../graph/linted.ts'
import { answering, asking, parentOf } from './graphs.ts'

const newFolder = newFolders()
const open: (Runtime | Store)[] = []

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

function runtimeOn(store: Store, options: Omit<RuntimeOptions, 'store'>): Runtime {
  const runtime = createRuntime({ store, ...options })
  open.push(runtime)
  return runtime
}

function storeIn(folder: string): Store {
  const store = sqliteStore({ file: join(folder, 'threads.db') })
  open.push(store)
  return store
}

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await pause(5)
}

/** The events up to the first for which `last` holds. */
async function eventsUntil(
  events: AsyncIterable<ThreadEvent>,
  last: (event: ThreadEvent) => boolean,
): Promise<readonly ThreadEvent[]> {
  const seen: ThreadEvent[] = []
  for await (const event of events) {
    seen.push(event)
    if (last(event)) break
  }
  return seen
}

const isQuestion = ({ type }: ThreadEvent) => type === 'question'
const seqsOf = (events: readonly ThreadEvent[]) =>
  events.flatMap(({ type, seq }) => (type === 'token' ? [] : [seq]))
const upTo = (last: number) => Array.from({ length: last + 1 }, (_, seq) => seq)

describe('the inbox', () => {
  it('stores commands without their secrets', async () => {
    const [store, graph] = [memoryStore(), asking()]
    const stored: unknown[] = []
    const { submit } = store
    Object.assign(store, {
      submit: (...args: Parameters<Store['submit']>) => {
        stored.push(args[2])
        return submit.apply(store, args)
      },
    })
    const thread = await runtimeOn(store, { graphs: [graph] }).start(graph, { goal: 'x' })
    await eventsUntil(thread.events(), isQuestion)
    await thread.answer('ask#1', { decision: 'approved', note: 'The login is password=hunter22.' })
    expect(stored).toMatchObject([{ note: 'The login is password=[redacted]' }])
  })
})

describe('start', () => {
  it('resolves after the first event is stored, and drives in the background', async () => {
    const [store, graph] = [memoryStore(), asking()]
    const thread = await runtimeOn(store, { graphs: [graph] }).start(graph, { goal: 'x' })
    expect((await store.rows(thread.id))[0]?.event).toMatchObject({
      type: 'thread.started',
      input: { goal: 'x' },
    })
    const [question] = (await eventsUntil(thread.events(), isQuestion)).slice(-1)
    expect(question).toMatchObject({ questions: [{ id: 'ask#1', question: 'Go on?' }] })
    expect(await thread.answer('ask#1', 'approved')).toEqual({ applied: true })
    expect(await thread.result()).toMatchObject({
      outcome: 'success',
      output: { found: 'worked' },
      reason: 'goal',
    })
  })

  it('rejects an invalid input and stores nothing', async () => {
    const [store, graph] = [memoryStore(), asking()]
    const runtime = runtimeOn(store, { graphs: [graph] })
    await expect(runtime.start(graph, { gaol: 'x' }, { thread: 't' })).rejects.toMatchObject({
      name: 'InvalidInput',
      message: expect.stringContaining('gaol'),
    })
    expect(await store.thread('t')).toBeUndefined()
  })

  it('rejects the name of an existing thread, driven or not', async () => {
    const [store, graph] = [memoryStore(), asking()]
    const runtime = runtimeOn(store, { graphs: [graph] })
    const both = await Promise.allSettled(
      ['a', 'b'].map(goal => runtime.start(graph, { goal }, { thread: 't' })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await until(async () => (await store.thread('t'))?.status === 'waiting')
    await expect(runtime.start(graph, { goal: 'c' }, { thread: 't' })).rejects.toMatchObject({
      name: 'ThreadExists',
    })
  })

  it('leaves the results of a thread alone if its name is taken', async () => {
    const graph = asking()
    const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
    const thread = await runtime.start(graph, { goal: 'g' }, { thread: 't' })
    for await (const _ of thread.events({ until: 'waiting' }));
    const result = thread.result()
    await expect(runtime.start(graph, { goal: 'g' }, { thread: 't' })).rejects.toMatchObject({
      code: 'thread-exists',
    })
    await thread.answer('ask#1', 'approved')
    expect((await result).outcome).toBe('success')
    await runtime.close()
  })

  it('cancels the thread when its signal is aborted', async () => {
    const graph = asking(({ signal }) => pause(60_000, undefined, { signal }))
    const stop = new AbortController()
    const thread = await runtimeOn(memoryStore(), { graphs: [graph] }).start(
      graph,
      { goal: 'x' },
      { signal: stop.signal },
    )
    stop.abort(new Error('no longer needed'))
    expect(await thread.result()).toMatchObject({
      outcome: 'cancelled',
      reason: 'no longer needed',
    })
  })

  it('cancels an existing thread that it resumes when its signal is aborted', async () => {
    const graph = asking(({ signal }) => pause(60_000, undefined, { signal }))
    const store = memoryStore()
    const first = runtimeOn(store, { graphs: [graph] })
    await first.start(graph, { goal: 'x' }, { thread: 't' })
    await first.close()
    const stop = new AbortController()
    const options = { thread: 't', resume: true, signal: stop.signal }
    const thread = await runtimeOn(store, { graphs: [graph] }).start(graph, { goal: 'x' }, options)
    stop.abort(new Error('no longer needed'))
    expect(await thread.result()).toMatchObject({
      outcome: 'cancelled',
      reason: 'no longer needed',
    })
  })
})

describe('a thread of another graph', () => {
  it('is rejected with both identities, and nothing is performed', async () => {
    const store = memoryStore()
    let worked = 0
    const [mine, other] = [
      asking(async () => `${++worked}`),
      asking(async () => `${++worked}`, { output: ['goal', 'found'] }),
    ]
    const runtime = runtimeOn(store, { graphs: [mine] })
    await expect(runtime.start(other, { goal: 'x' })).rejects.toSatisfy(isWrongGraph)
    const theirs = await runtimeOn(store, { graphs: [other] }).start(
      other,
      { goal: 'x' },
      { thread: 't' },
    )
    await eventsUntil(theirs.events(), isQuestion)
    const thread = runtime.thread('t')
    for (const call of [
      thread.answer('ask#1', 'approved'),
      thread.resume(),
      thread.state(),
      thread.result(),
      thread.events()[Symbol.asyncIterator]().next(),
    ])
      await expect(call).rejects.toMatchObject({
        code: 'wrong-graph',
        message: expect.stringMatching(
          new RegExp(`'asking' \\(${other.machine.hash}\\).*'asking' \\(${mine.machine.hash}\\)`),
        ),
      })
    expect(worked).toBe(1)
    expect(await store.inbox('t')).toEqual([])
  })

  it('is distinct from another version of the same graph in the same runtime', async () => {
    const store = memoryStore()
    const [old, young] = [
      asking(async () => 'old'),
      asking(async () => 'young', { output: ['goal', 'found'] }),
    ]
    const runtime = runtimeOn(store, { graphs: [old, young] })
    const threads = [
      await runtime.start(old, { goal: 'x' }),
      await runtime.start(young, { goal: 'x' }),
    ]
    for (const thread of threads) await eventsUntil(thread.events(), isQuestion)
    const again = runtimeOn(store, { graphs: [old, young] })
    for (const { id } of threads) await again.thread(id).answer('ask#1', 'approved')
    const results = await Promise.all(threads.map(({ id }) => again.thread(id).result()))
    expect(results.map(({ output }) => output)).toEqual([
      { found: 'old' },
      { goal: 'x', found: 'young' },
    ])
  })
})

describe('events', () => {
  it('arrive once and in order, stored and live, and can be resumed after any of them', async () => {
    const store = storeIn(newFolder())
    const graph = asking()
    const runtime = runtimeOn(store, { graphs: [graph] })
    const thread = await runtime.start(graph, { goal: 'x' })
    const live = eventsUntil(thread.events(), ({ type }) => type === 'ended')
    const first = await eventsUntil(thread.events(), isQuestion)
    const last = first.at(-1)?.seq ?? -1
    expect(seqsOf(first)).toEqual(upTo(last))
    const rest = eventsUntil(thread.events({ after: last }), () => false)
    await thread.answer('ask#1', 'approved')
    const ended = (await store.thread(thread.id))?.seq ?? -1
    expect(seqsOf(await rest)).toEqual(upTo(ended).slice(last + 1))
    expect(seqsOf(await live)).toEqual(upTo(ended))
    expect((await live).at(-1)).toMatchObject({ type: 'ended', outcome: 'success' })
    expect(seqsOf(await eventsUntil(thread.events(), () => false))).toEqual(upTo(ended))
  })

  it('follow a thread that another process drives', async () => {
    const folder = newFolder()
    const graph = asking()
    const theirs = runtimeOn(storeIn(folder), { graphs: [graph] })
    const { id } = await theirs.start(graph, { goal: 'x' })
    const mine = runtimeOn(storeIn(folder), { graphs: [graph] })
    const events = eventsUntil(mine.thread(id).events(), () => false)
    await eventsUntil(theirs.thread(id).events(), isQuestion)
    await theirs.thread(id).answer('ask#1', 'rejected')
    const seen = await events
    expect(seqsOf(seen)).toEqual(upTo(seen.at(-1)?.seq ?? -1))
    expect(seen.at(-1)).toMatchObject({ type: 'ended', outcome: 'failure' })
  })

  it('continue with `until: waiting` while a child works whose question is answered', async () => {
    const free = Promise.withResolvers<void>()
    const child = asking(async () => void (await free.promise), {
      start: 'ask',
      nodes: {
        ask: { use: 'human', question: 'Go on?', on: { 'human.approved': 'work' } },
        work: { use: 'tool', tool: 'work', args: {}, on: { done: 'end' } },
        end: { final: 'success' },
      },
      output: ['goal'],
    })
    const graph = bindGraph(
      specOf({
        id: 'both',
        start: 'each',
        channels: { goals: { type: 'array', default: ['a', 'b'] } },
        nodes: {
          each: { use: 'map', over: 'goals', as: 'goal', graph: 'child', on: { done: 'end' } },
          end: { final: 'success' },
        },
        graphs: { child: child.source },
      }),
      { workspace: '.', model: () => ({}) as never, graphs: { child } },
    )
    const runtime = runtimeOn(memoryStore(), { graphs: [graph] })
    const thread = await runtime.start(graph, {}, { thread: 't' })
    await until(async () => (await thread.state()).questions.length === 2)
    await until(async () => (await thread.state()).status === 'waiting')
    expect(await thread.answer('ask#1', 'approved')).toMatchObject({
      code: 'unknown-question',
      because: expect.stringMatching(
        /; answer it in its own thread: 't\/each#1\/1', 't\/each#1\/2'$/,
      ),
    })
    await runtime.thread('t/each#1/1').answer('ask#1', 'approved')
    const { seq } = await thread.state()
    const followed = eventsUntil(thread.events({ after: seq, until: 'waiting' }), () => false)
    expect(await Promise.race([followed, pause(100, 'at work')])).toBe('at work')
    free.resolve()
    expect((await followed).length).toBeGreaterThan(0)
    expect((await thread.state()).questions).toHaveLength(1)
  })

  it('end when their signal is aborted, and the thread continues', async () => {
    const graph = asking()
    const runtime = runtimeOn(memoryStore(), { graphs: [graph] })
    const thread = await runtime.start(graph, { goal: 'x' })
    const stop = new AbortController()
    const events = eventsUntil(thread.events({ signal: stop.signal }), () => false)
    await eventsUntil(thread.events(), isQuestion)
    stop.abort()
    expect((await events).length).toBeGreaterThan(0)
    expect((await thread.state()).status).toBe('waiting')
  })

  it('carry the tokens of a model with call and attempt, so that a retried stream is reset', async () => {
    // Tokens are not stored: who listens later misses them.
    const listening = Promise.withResolvers<void>()
    const graph = answering(async (_, { onDelta, attempt }) => {
      await listening.promise
      onDelta(`half ${attempt}`)
      if (attempt === 1) throw Object.assign(new Error('overloaded'), { status: 503 })
      onDelta(' and whole')
      return { text: `half ${attempt} and whole`, calls: [] }
    })
    const received: ThreadEvent[] = []
    const runtime = runtimeOn(memoryStore(), {
      graphs: [graph],
      onEvent: event => received.push(event),
    })
    const thread = await runtime.start(graph, { goal: 'x' })
    const seen = await eventsUntil(thread.events(), () => {
      listening.resolve()
      return false
    })
    for (const events of [seen, received]) {
      const tokens = events.flatMap(event => (event.type === 'token' ? [event] : []))
      expect(tokens.map(({ call, attempt, text }) => [call, attempt, text])).toEqual([
        ['think#1/1', 1, 'half 1'],
        ['think#1/1', 2, 'half 2'],
        ['think#1/1', 2, ' and whole'],
      ])
    }
  })

  it('omit the late tokens of a failed attempt', async () => {
    const late: ((text: string) => void)[] = []
    const graph = answering(async (_, { onDelta, attempt }) => {
      if (attempt === 1) {
        late.push(onDelta)
        throw Object.assign(new Error('overloaded'), { status: 503 })
      }
      for (const send of late) send('too late')
      onDelta('in time')
      return { text: 'in time', calls: [] }
    })
    const thread = await runtimeOn(memoryStore(), { graphs: [graph] }).start(graph, { goal: 'x' })
    const events = await eventsUntil(thread.events(), () => false)
    const tokens = events.flatMap(event => (event.type === 'token' ? [event.text] : []))
    expect(tokens).toEqual(['in time'])
  })
})

test.each([
  [{ order: 'latest', after: 'a' }, 'after: continues a list by name'],
  [{ finding: 'lop' }, 'finding: expected one of any, loop'],
])('a list refuses %j', async (query, why) => {
  const runtime = createRuntime({ store: memoryStore(), graphs: [] })
  await expect(runtime.threads(query as never)).rejects.toThrow(why)
})

test('a request that an earlier version has marked is still the same one', async () => {
  const store = memoryStore()
  await store.putBlob(hash(canonical(['request', 'order-17'])), hash(canonical({ n: 1 })))
  const runtime = createRuntime({ store, graphs: [] })
  for (const key of ['order-17', 'order-18']) {
    expect(await runtime.isSameRequest(key, { n: 1 })).toBe(true)
    expect(await runtime.isSameRequest(key, { n: 2 })).toBe(false)
    expect(await runtime.isSameRequest(key, { n: 1 })).toBe(true)
  }
})

describe('createRuntime', () => {
  it('rejects a missing store and the name of a file as a store', () => {
    for (const store of [undefined, 'threads.db'] as never[])
      expect(() => createRuntime({ store, graphs: [asking()] })).toThrow(
        "store: expected a store, such as sqliteStore('threads.db') or memoryStore()",
      )
  })

  it.each<[unknown, string]>([
    [undefined, 'graphs: expected a list of graphs, received undefined'],
    [{}, 'graphs: expected a list of graphs, received a map'],
    [
      ['x'],
      "graphs.0: expected a graph, such as what defineGraph or loadGraph returns; received the text 'x'",
    ],
    [[asking(), {}], 'graphs.1: expected a graph'],
    [
      [{ id: 'raw', start: 'end', nodes: { end: { final: 'success' } } }],
      'graphs.0: expected a graph, such as what defineGraph or loadGraph returns; received a map',
    ],
    [[Promise.resolve(asking())], 'graphs.0: is a promise; await the graph'],
  ])('names what is not a graph: %j', (graphs, fault) => {
    const options = { store: memoryStore(), graphs: graphs as never }
    expect(() => createRuntime(options)).toThrow(fault)
  })

  it.each<[unknown, string]>([
    [
      'asking',
      "start: expected a graph, such as what defineGraph or loadGraph returns; received the text 'asking'",
    ],
    [undefined, 'start: expected a graph'],
    [Promise.resolve(asking()), 'start: is a promise'],
  ])('starts no thread of what is not a graph: %j', async (graph, fault) => {
    const runtime = createRuntime({ store: memoryStore(), graphs: [asking()] })
    await expect(runtime.start(graph as never, {} as never)).rejects.toThrow(fault)
  })
})

describe('commands', () => {
  it('are rejected with a code and the reason', async () => {
    const graph = asking()
    const runtime = runtimeOn(memoryStore(), { graphs: [graph] })
    const thread = await runtime.start(graph, { goal: 'x' })
    await eventsUntil(thread.events(), isQuestion)
    expect(await thread.answer('ask#1', 'applied')).toMatchObject({
      applied: false,
      code: 'wrong-decision',
      because: expect.stringContaining('approved, rejected, stop'),
    })
    expect(await thread.answer('ask#7', 'approved')).toMatchObject({ code: 'unknown-question' })
    for (const to of ['nowhere', 'end'])
      expect(await thread.answer('ask#1', { decision: 'approved', to })).toMatchObject({
        applied: false,
        code: 'only-decision',
        because: "question 'ask#1' does not take to with 'approved'",
      })
    expect(await thread.answer('ask#1', 'approved')).toEqual({ applied: true })
    expect(await thread.answer('ask#1', 'approved')).toMatchObject({ code: 'thread-ended' })
    await expect(runtime.thread('missing').cancel()).rejects.toMatchObject({
      name: 'UnknownThread',
    })
  })

  it('reach a thread that another process drives, which applies them', async () => {
    const folder = newFolder()
    const graph = asking(({ signal }) => pause(60_000, undefined, { signal }))
    const theirs = await runtimeOn(storeIn(folder), { graphs: [graph] }).start(graph, { goal: 'x' })
    const mine = runtimeOn(storeIn(folder), { graphs: [graph] }).thread(theirs.id)
    expect(await mine.changePolicy({ limits: { steps: 50 } })).toEqual({ applied: true })
    expect(await mine.changePolicy({ limits: { steps: 'many' } })).toMatchObject({
      code: 'invalid-policy',
    })
    expect(await mine.cancel('enough')).toEqual({ applied: true })
    expect(await mine.result()).toMatchObject({ outcome: 'cancelled', reason: 'enough' })
  })

  it('reach a running thread of this process at once', async () => {
    const graph = asking(({ signal }) => pause(60_000, undefined, { signal }))
    const thread = await runtimeOn(memoryStore(), { graphs: [graph] }).start(graph, { goal: 'x' })
    await eventsUntil(
      thread.events(),
      ({ type, ...of }) => 'row' in of && of.row.event.type === 'tool.called',
    )
    expect(await thread.cancel('enough')).toEqual({ applied: true })
    expect(await thread.result()).toMatchObject({ outcome: 'cancelled' })
  })

  it('are rejected if a check of the graph throws, and the thread can still be answered and cancelled', async () => {
    const day = z.string().refine(text => new Date(text).toISOString().startsWith('2'))
    const graph = defineGraph({
      id: 'planning',
      start: 'ask',
      input: z.object({ day }),
      nodes: {
        ask: {
          use: 'human',
          question: 'Go on?',
          deadline: '1h',
          on: { 'human.approved': 'end', 'human.rejected': 'end', 'human.expired': 'end' },
        },
        end: { final: 'success' },
      },
    })
    const runtime = runtimeOn(memoryStore(), { graphs: [graph] })
    const threw = 'cannot be checked: the schema threw RangeError: Invalid time value'
    await expect(runtime.start(graph, { day: 'odd' })).rejects.toThrow(threw)
    const thread = await runtime.start(graph, { day: '2026-01-01' })
    await eventsUntil(thread.events(), isQuestion)
    expect(await thread.send({ day: 'odd' })).toMatchObject({
      code: 'invalid-input',
      because: expect.stringContaining(threw),
    })
    graph.machine.checkInput = () => {
      throw new Error('broken')
    }
    expect(await thread.send({ day: '2026-01-02' })).toMatchObject({
      code: 'command-failed',
      because: 'the command cannot be read: Error: broken',
    })
    const deep = { confirm: { '*': { when: `${'!'.repeat(12_000)}true` } } }
    expect(await thread.changePolicy(deep)).toMatchObject({ code: 'invalid-policy' })
    expect(await thread.cancel('enough')).toEqual({ applied: true })
  })

  it('queue at most sixteen messages for later rounds', async () => {
    const graph = asking(undefined, { rounds: { busy: 'queue' } })
    const thread = await runtimeOn(memoryStore(), { graphs: [graph] }).start(graph, { goal: 'x' })
    await eventsUntil(thread.events(), isQuestion)
    for (let sent = 0; sent < 16; sent++)
      expect(await thread.send({ goal: `${sent}` })).toEqual({ applied: true })
    expect(await thread.send({ goal: '16' })).toMatchObject({ code: 'queue-full' })
  })

  it('begin a round of an ended thread, and fork it', async () => {
    const graph = asking()
    const runtime = runtimeOn(memoryStore(), { graphs: [graph] })
    const thread = await runtime.start(graph, { goal: 'x' })
    const asked = seqsOf(await eventsUntil(thread.events(), isQuestion)).at(-1)
    await thread.answer('ask#1', 'approved')
    expect(await thread.send({ goal: 'y' })).toEqual({ applied: true })
    await eventsUntil(thread.events({ after: asked }), isQuestion)
    const state = await thread.state()
    expect(state).toMatchObject({ round: 2, status: 'waiting', channels: { goal: 'y' } })
    const forked = await thread.fork({ effects: 'refuse' })
    await forked.answer('ask#2', 'rejected')
    expect(await forked.result()).toMatchObject({ outcome: 'failure' })
    expect((await thread.state()).status).toBe('waiting')
  })
})

describe('state', () => {
  it('contains channels, open questions with their possible answers, and the spending', async () => {
    const graph = asking()
    const thread = await runtimeOn(memoryStore(), { graphs: [graph] }).start(graph, { goal: 'x' })
    await eventsUntil(thread.events(), isQuestion)
    expect(await thread.state()).toMatchObject({
      graph: 'asking',
      status: 'waiting',
      waitsFor: 'person',
      channels: { goal: 'x', found: 'worked' },
      questions: [
        {
          id: 'ask#1',
          deadline: expect.any(Number),
          options: [
            { decision: 'approved', leads: { ends: { outcome: 'success' } } },
            { decision: 'rejected', leads: { ends: { outcome: 'failure' } } },
            { decision: 'stop' },
          ],
        },
      ],
      spent: { toolCalls: 1 },
    })
  })

  it('contains the questions of a child, and the parent continues after the answer', async () => {
    const graph = parentOf(asking())
    const runtime = runtimeOn(storeIn(newFolder()), { graphs: [graph] })
    const thread = await runtime.start(graph, { goal: 'x' }, { thread: 'root' })
    await until(async () => (await thread.state()).questions.length > 0)
    const [question] = (await thread.state()).questions
    expect(question).toMatchObject({ thread: 'root/child#1/1', id: 'ask#1' })
    await runtime.thread(question?.thread ?? '').answer('ask#1', 'approved')
    expect(await thread.result()).toMatchObject({ outcome: 'success' })
  })
})

describe('work', () => {
  it('takes over a thread of a killed process', async () => {
    const folder = newFolder()
    const dying = startProcess([
      fileURLToPath(new URL('./fixture/dying.ts', import.meta.url)),
      join(folder, 'threads.db'),
    ])
    await dying.line('working')
    dying.child.kill('SIGKILL')
    await dying.ended
    const began = performance.now()
    const graph = asking(async () => 'again')
    const runtime = runtimeOn(storeIn(folder), { graphs: [graph] })
    const stop = new AbortController()
    const working = runtime.work({ signal: stop.signal })
    const thread = runtime.thread('t')
    await eventsUntil(thread.events(), isQuestion)
    // The lease of the dead process lasts 15 s.
    expect(performance.now() - began).toBeLessThan(10_000)
    await thread.answer('ask#1', 'approved')
    expect(await thread.result()).toMatchObject({ output: { found: 'again' } })
    stop.abort()
    await working
  })

  it('applies commands of other processes, only for its own graphs', async () => {
    const store = storeIn(newFolder())
    const [mine, other] = [asking(), asking(undefined, { output: ['goal', 'found'] })]
    const both = runtimeOn(store, { graphs: [mine, other] })
    for (const [graph, thread] of [
      [mine, 'mine'],
      [other, 'other'],
    ] as const)
      await eventsUntil((await both.start(graph, { goal: 'x' }, { thread })).events(), isQuestion)
    for (const thread of ['mine', 'other'])
      await store.submit(thread, 'c', { type: 'resume', effect: 'ask#1', decision: 'approved' })
    const stop = new AbortController()
    const runtime = runtimeOn(store, { graphs: [mine] })
    const failed: string[] = []
    const onError = (_: unknown, thread?: string) => failed.push(String(thread))
    const working = runtime.work({ signal: stop.signal, onError })
    expect(await runtime.thread('mine').result()).toMatchObject({ outcome: 'success' })
    stop.abort()
    await working
    // The others are not tried, either.
    expect(failed).toEqual([])
    expect((await store.thread('other'))?.status).toBe('waiting')
  })

  it('lets a question expire in virtual time, without waiting', async () => {
    const graph = asking()
    const runtime = runtimeOn(memoryStore(), { graphs: [graph], clock: virtualClock() })
    const stop = new AbortController()
    const working = runtime.work({ signal: stop.signal })
    const thread = await runtime.start(graph, { goal: 'x' })
    const before = performance.now()
    expect(await thread.result()).toMatchObject({ outcome: 'failure' })
    expect(performance.now() - before).toBeLessThan(5_000)
    expect((await thread.state()).state).toBe('late')
    stop.abort()
    await working
  })

  it('limits the number of concurrently driven threads', async () => {
    let [now, most] = [0, 0]
    const graph = asking(async () => {
      most = Math.max(most, ++now)
      await pause(20)
      now--
      return 'worked'
    })
    const store = memoryStore()
    const seeds = runtimeOn(store, { graphs: [graph] })
    const first = await seeds.start(graph, { goal: 'x' }, { thread: 'first' })
    await eventsUntil(first.events(), isQuestion)
    for (const as of ['a', 'b', 'c', 'd', 'e'])
      await first
        .fork({ at: 1, effects: 'live', as })
        .catch(() => first.fork({ at: 0, effects: 'live', as }))
    most = 0
    const stop = new AbortController()
    const working = runtimeOn(store, { graphs: [graph] }).work({
      signal: stop.signal,
      concurrency: 2,
    })
    await until(async () => (await store.threads()).every(({ status }) => status === 'waiting'))
    stop.abort()
    await working
    expect(most).toBe(2)
  })

  it('drives a due thread however many threads `start` drives: a deadline does not wait for them', async () => {
    const began: string[] = []
    const free = new AbortController()
    const graph = asking(async ({ idempotencyKey, signal }) => {
      began.push(idempotencyKey.slice(0, 1))
      await pause(60_000, undefined, { signal: AbortSignal.any([signal, free.signal]) }).catch(() =>
        signal.throwIfAborted(),
      )
    })
    const store = memoryStore()
    const earlier = runtimeOn(store, { graphs: [graph] })
    await earlier.start(graph, { goal: 'x' }, { thread: 'a' })
    await until(() => began.length === 1)
    await earlier.close()
    const runtime = runtimeOn(store, { graphs: [graph] })
    await runtime.start(graph, { goal: 'x' }, { thread: 'b' })
    const stop = new AbortController()
    const working = runtime.work({ signal: stop.signal, concurrency: 1 })
    await until(() => began.length === 3)
    expect(began).toEqual(['a', 'b', 'a'])
    free.abort()
    stop.abort()
    await working
  })

  it('reports a thread that cannot continue and continues with the others', async () => {
    const store = memoryStore()
    const graph = asking()
    const seeds = runtimeOn(store, { graphs: [graph] })
    for (const thread of ['bad', 'good'])
      await eventsUntil((await seeds.start(graph, { goal: 'x' }, { thread })).events(), isQuestion)
    for (const thread of ['bad', 'good'])
      await store.submit(thread, 'c', { type: 'resume', effect: 'ask#1', decision: 'approved' })
    const broken: Store = new Proxy(store, {
      get: (of, name: keyof Store) =>
        name === 'load'
          ? (thread: string, seq?: number) =>
              thread === 'bad' ? Promise.reject(new Error('no page')) : of.load(thread, seq)
          : of[name],
    })
    const failed: string[] = []
    const stop = new AbortController()
    const runtime = runtimeOn(broken, { graphs: [graph] })
    const working = runtime.work({
      signal: stop.signal,
      onError: (error, thread) => failed.push(`${thread}: ${(error as Error).message}`),
    })
    expect(await runtime.thread('good').result()).toMatchObject({ outcome: 'success' })
    await until(() => failed.length > 0)
    stop.abort()
    await working
    expect(failed).toEqual(['bad: no page'])
    await expect(runtime.thread('bad').result()).rejects.toThrow('no page')
  })
})

describe('close', () => {
  it('rejects a pending result, whose wait would keep the process alive', async () => {
    const graph = asking()
    const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
    const thread = await runtime.start(graph, { goal: 'x' })
    for await (const _ of thread.events({ until: 'waiting' }));
    const result = expect(thread.result()).rejects.toMatchObject({ code: 'host-closed' })
    await pause(10)
    await runtime.close()
    await result
  })

  it('leaves the threads it drives, so that another runtime resumes them', async () => {
    const store = storeIn(newFolder())
    let hangs = true
    const graph = asking(({ signal }) =>
      hangs ? pause(60_000, undefined, { signal }) : Promise.resolve('worked'),
    )
    const first = createRuntime({ store, graphs: [graph] })
    const { id } = await first.start(graph, { goal: 'x' })
    await first.close()
    hangs = false
    expect((await store.thread(id))?.lease).toBeUndefined()
    await expect(first.start(graph, { goal: 'x' })).rejects.toMatchObject({ code: 'host-closed' })
    const second = runtimeOn(store, { graphs: [graph] })
    expect(await second.thread(id).resume()).toMatchObject({ status: 'waiting' })
  })

  it.each([0, 10])('has left all threads when a result rejects (drain %i)', async drain => {
    const stored = memoryStore()
    const released = new Set<string>()
    const store: Store = {
      ...stored,
      release: async lease => {
        await pause(5)
        await stored.release(lease)
        released.add(lease.thread)
      },
    }
    const graph = asking(() => pause(60_000, undefined, { ref: false }))
    const runtime = createRuntime({ store, graphs: [graph] })
    const waiting = ['a', 'b'].map(async thread => {
      const { result } = await runtime.start(graph, { goal: 'x' }, { thread })
      // A program that does not handle the rejection ends at this moment.
      const left = result().catch(() => [...released].toSorted())
      expect(await left).toEqual(['a', 'b'])
    })
    await until(async () => (await store.threads()).filter(({ seq }) => seq > 1).length === 2)
    await Promise.all([runtime.close({ drain }), ...waiting])
  })
})

describe('after a deploy that renames a node', () => {
  const renamed = {
    start: 'work',
    nodes: {
      work: { use: 'tool', tool: 'work', args: {}, out: ['found'], on: { done: 'question' } },
      question: {
        use: 'human',
        question: 'Go on?',
        on: { 'human.approved': 'end', 'human.rejected': 'end' },
      },
      end: { final: 'success' },
    },
  }

  async function deployed() {
    const store = memoryStore()
    const [before, after] = [asking(), asking(undefined, renamed)]
    const old = await runtimeOn(store, { graphs: [before] }).start(
      before,
      { goal: 'x' },
      { thread: 't' },
    )
    await eventsUntil(old.events(), isQuestion)
    return { store, before, after, runtime: runtimeOn(store, { graphs: [after] }) }
  }

  it('lists waiting threads apart from those that are due', async () => {
    const { store, runtime, after } = await deployed()
    const graphs = [{ graph: after.machine.id, specHash: after.machine.hash }]
    expect(await store.due(Number.MAX_SAFE_INTEGER, { graphs })).toEqual([])
    expect(await runtime.unreachable()).toMatchObject([{ thread: 't', status: 'waiting' }])
    const other = runtimeOn(store, { graphs: [parentOf(asking())] })
    expect(await other.unreachable()).toEqual([])
  })

  it('cancels such a thread, which the old version can still read', async () => {
    const { store, runtime, before } = await deployed()
    expect(await runtime.thread('t').cancel('deployed')).toEqual({ applied: true })
    expect(await runtime.unreachable()).toEqual([])
    expect(await store.thread('t')).toMatchObject({ status: 'ended', outcome: 'cancelled' })
    const result = await runtimeOn(store, { graphs: [before] })
      .thread('t')
      .result()
    expect(result).toMatchObject({ outcome: 'cancelled', reason: 'deployed' })
    expect(await runtime.thread('t').cancel()).toMatchObject({ code: 'thread-ended' })
  })

  it('refuses to drive it, although the journal takes no other edges', async () => {
    const { store, after } = await deployed()
    const rows = await store.rows('t')
    await expect(drive(nodePorts({ graph: after, store }), 't')).rejects.toSatisfy(isWrongGraph)
    expect(await store.rows('t')).toEqual(rows)
  })

  it('cancels the children, too', async () => {
    const store = memoryStore()
    const graph = parentOf(asking())
    const thread = await runtimeOn(store, { graphs: [graph] }).start(
      graph,
      { goal: 'x' },
      { thread: 'p' },
    )
    while ((await store.thread('p'))?.status !== 'waiting') await pause(5)
    await runtimeOn(store, { graphs: [parentOf(asking(undefined, renamed))] })
      .thread(thread.id)
      .cancel()
    expect((await store.threads()).map(({ status, outcome }) => [status, outcome])).toEqual([
      ['ended', 'cancelled'],
      ['ended', 'cancelled'],
    ])
  })
})

it('a thread with a seed does not share breakers', async () => {
  const store = memoryStore()
  const failing = asking(() => Promise.reject(Object.assign(new Error('down'), { status: 503 })))
  const runtime = runtimeOn(store, { graphs: [failing], clock: virtualClock() })
  const real = runtimeOn(store, { graphs: [failing] })
  await (await runtime.start(failing, { goal: 'x' }, { seed: 1 })).result()
  const seeded = await real.start(failing, { goal: 'x' }, { seed: 1 })
  await pause(30)
  expect([...(await store.breakers())]).toEqual([])
  await seeded.cancel()
  const plain = await real.start(failing, { goal: 'x' })
  while ((await store.breakers()).size === 0) await pause(5)
  await plain.cancel()
})

it('shows refused calls of a lap with their arguments', () => {
  const refused = (seq: number) => ({
    ...{ seq, findings: [], verdict: { kind: 'continue' }, edges: [] },
    event: {
      ...{ type: 'circuit.refused', region: '', effect: 'A#1', call: `A#1/${seq}`, at: seq },
      ...{
        subject: 'search',
        args: { q: 'clock' },
        failure: { name: 'CircuitOpen', message: 'open' },
      },
    },
  })
  const finding = { onset: 1, noticed: 2, region: '', events: [1, 2], period: 1 }
  const { shown } = lapsOf([refused(1), refused(2)] as never, finding as never)
  expect(shown[0]?.events[0]?.text).toContain('search {"q":"clock"} failed')
})

it('does not list ids of calls among the differences of laps', () => {
  const lap = (seq: number) => ({
    ...{ seq, findings: [], verdict: { kind: 'continue' }, edges: [] },
    event: {
      ...{ type: 'node.done', region: '', effect: `plan#${seq}`, at: seq },
      output: {
        calls: [{ id: `call_${seq}x`, tool: 'search', args: { page: seq } }],
        messages: [
          { role: 'assistant', content: '', answer: `plan#${seq}/1`, calls: [] },
          { role: 'tool', call: `call_${seq}x`, tool: 'search', content: 'none', ok: true },
        ],
      },
    },
  })
  const finding = { onset: 1, noticed: 3, region: '', events: [0, 1, 2, 3], period: 1 }
  const { differing } = lapsOf([lap(1), lap(2), lap(3)] as never, finding as never)
  expect(differing.map(({ path }) => path)).toEqual(['1 plan output.calls.0.args.page'])
})

test('a due thread of an earlier release of escapement is driven, although its graph had another hash', async () => {
  const graph = asking()
  const store = memoryStore()
  /** Stores what the earlier release would have stored. */
  const earlier: Store = {
    ...store,
    append: (...batches) =>
      store.append(
        ...batches.map(({ rows, summary, ...batch }) => ({
          ...batch,
          summary: { ...summary, specHash: 'earlier' },
          rows: rows.map(row =>
            row.event.type === 'thread.started'
              ? {
                  ...row,
                  event: {
                    ...row.event,
                    specHash: 'earlier',
                    versions: { ...row.event.versions, escapement: '0.1.0' },
                  },
                }
              : row,
          ),
        })),
      ),
  }
  const clock = virtualClock(1_000)
  const before = createRuntime({ store: earlier, graphs: [graph], clock })
  const { id } = await before.start(graph, { goal: 'x' }, { thread: 'old' })
  await until(async () => (await store.thread(id))?.wakeAt !== undefined)
  await before.close()
  await clock.sleep(3_600_000)
  const after = runtimeOn(store, { graphs: [graph], clock })
  expect(await after.unreachable()).toEqual([])
  const stop = new AbortController()
  const working = after.work({ signal: stop.signal })
  expect((await after.thread(id).result()).outcome).toBe('failure')
  stop.abort()
  await working
})

it.each([
  ['directly', ['gaveUp']],
  ['through a node', ['giveUp']],
])('names the loop as the cause when an escape leads %s to a failure', async (_, look) => {
  const graph = asking(async () => 'nothing', {
    nodes: {
      look: { use: 'tool', tool: 'work', args: {}, on: { done: 'again' } },
      again: { use: 'pass', on: { done: 'look' } },
      giveUp: { use: 'pass', on: { done: 'gaveUp' } },
      gaveUp: { final: 'failure' },
      end: { final: 'success' },
    },
    start: 'look',
    channels: { goal: { type: 'string' } },
    output: ['goal'],
    escape: { alternatives: { look } },
  })
  const runtime = runtimeOn(memoryStore(), { graphs: [graph] })
  const thread = await runtime.start(graph, { goal: 'x' }, { thread: 't' })
  expect((await thread.result()).because).toMatch(/^the graph ended in a failure state: .*work/)
})

describe('a thread with `escape.unattended`', () => {
  const looping = (ready: Promise<void> = Promise.resolve()) =>
    asking(() => ready.then(() => 'nothing'), {
      nodes: {
        look: { use: 'tool', tool: 'work', args: {}, on: { done: 'again' } },
        again: { use: 'pass', on: { done: 'look' } },
        end: { final: 'success' },
      },
      start: 'look',
      channels: { goal: { type: 'string' } },
      output: ['goal'],
      escape: {
        ladder: ['review', 'stop'],
        review: { deadline: '1h' },
        unattended: { ladder: ['stop'] },
      },
    })

  it('asks a person while its events are read, also if it is a child', async () => {
    for (const graphOf of [looping, (ready: Promise<void>) => parentOf(looping(ready))]) {
      const read = Promise.withResolvers<void>()
      const graph = graphOf(read.promise)
      const runtime = runtimeOn(memoryStore(), { graphs: [graph] })
      const thread = await runtime.start(graph, { goal: 'x' }, { thread: 'followed' })
      for await (const _ of thread.events({ until: 'waiting' })) read.resolve()
      expect((await thread.state()).questions).toHaveLength(1)
    }
  })

  it('stops without a reader, and the journal names the reason', async () => {
    const graph = looping()
    const store = memoryStore()
    const runtime = runtimeOn(store, { graphs: [graph] })
    const thread = await runtime.start(graph, { goal: 'x' }, { thread: 'alone' })
    expect((await thread.result()).outcome).toBe('stopped')
    const rows = await store.rows('alone')
    expect(rows.filter(({ event }) => event.unattended)).toEqual([rows.at(-1)])
    // A later reader changes nothing: the decision is replayed.
    for await (const _ of thread.events());
    expect((await thread.state()).seq).toBe(rows.length - 1)
  })
})
