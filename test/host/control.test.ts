/** Control of a thread by people: pauses, single steps, breakpoints, escapes, dismissals and injected faults. */
import { describe, expect, it } from 'vitest'
import { createRuntime } from '../../src/host/runtime.ts'
import type { ThreadHandle } from '../../src/host/thread/thread.ts'
import { effectsOf } from '../../src/core/review/ledger.ts'
import { rowFault } from '../../src/runtime/store/row-schema.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { calling } from '../runtime/desk.ts'
import { chain, chains, gate, NODES, nodeIn, paused } from './chain.ts'
import { answering, asking, parentOf } from './graphs.ts'

const { open, runtimeOf } = chains()

const typesOf = async (thread: ThreadHandle) =>
  (await thread.rows()).map(({ event }) => event.type).filter(type => !/^(tool|turn)\./.test(type))

/** The state at the pause after the one before this effect. */
async function pausedAfter(thread: ThreadHandle, before: string) {
  for (;;) {
    const state = await paused(thread)
    if (state.paused?.before !== before) return state
  }
}

describe('pause', () => {
  it('lets the running node end, and starts no other until the thread resumes', async () => {
    const [entered, go] = [gate(), gate()]
    const graph = chain({
      a: () => {
        entered.open()
        return go.promise
      },
    })
    const thread = await runtimeOf(graph).start(graph, {}, { thread: 't' })
    await entered.promise
    expect(await thread.pause('look first')).toEqual({ applied: true })
    go.open()
    const state = await paused(thread)
    expect([nodeIn(state), state.waitsFor, state.paused?.reason]).toEqual([
      'b',
      'person',
      'look first',
    ])
    expect(await thread.pause()).toMatchObject({ applied: false, code: 'already-paused' })
    expect((await thread.resume()).ended?.outcome).toBe('success')
    expect(await typesOf(thread)).toEqual([
      'thread.started',
      'pause',
      'node.done',
      'continue',
      'node.done',
      'node.done',
    ])
  })

  it('survives a restart of the process', async () => {
    const [store, graph] = [memoryStore(), chain()]
    await store.changeBreakpoint({ graph: 'chain', node: 'b' }, true)
    const first = runtimeOf(graph, store)
    await paused(await first.start(graph, {}, { thread: 't' }))
    await first.close()
    const second = runtimeOf(graph, store)
    const stop = new AbortController()
    const working = second.work({ signal: stop.signal })
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(nodeIn(await second.thread('t').state())).toBe('b')
    await second.thread('t').resume()
    expect((await second.thread('t').result()).outcome).toBe('success')
    stop.abort()
    await working
  })

  it('is not inherited by a fork, and ends with the round', async () => {
    const [store, graph] = [memoryStore(), chain()]
    await store.changeBreakpoint({ graph: 'chain', node: 'b', thread: 't' }, true)
    const thread = await runtimeOf(graph, store).start(graph, {}, { thread: 't' })
    await paused(thread)
    const fork = await thread.fork({ effects: 'live', as: 'f' })
    expect((await fork.state()).paused).toBeUndefined()
    expect((await fork.resume()).ended?.outcome).toBe('success')
    await thread.cancel('enough')
    expect((await thread.state()).paused).toBeUndefined()
  })
})

describe('step', () => {
  it('runs one node at a time', async () => {
    const [store, graph] = [memoryStore(), chain()]
    await store.changeBreakpoint({ graph: 'chain', node: 'a' }, true)
    const thread = await runtimeOf(graph, store).start(graph, {}, { thread: 't' })
    const states = [nodeIn(await paused(thread))]
    for (const expected of ['b', 'c', 'end']) {
      await thread.step()
      while (nodeIn(await thread.state()) !== expected)
        await new Promise(resolve => setTimeout(resolve, 2))
      states.push(nodeIn(await thread.state()))
    }
    expect(states).toEqual(['a', 'b', 'c', 'end'])
    expect(await typesOf(thread)).toEqual([
      'thread.started',
      'pause',
      'step',
      'node.done',
      'step',
      'node.done',
      'step',
      'node.done',
    ])
  })
})

describe('a longer step', () => {
  const paths = { a: 'b', b: 'c', c: 'a' }
  const nodes = Object.fromEntries(
    Object.entries(paths).map(([name, next]) => [
      name,
      { use: 'tool', tool: name, args: {}, on: { done: next } },
    ]),
  )
  /** a → b → c → a, for as long as the limit allows. The results differ, so that no loop is found. */
  const circle = () => {
    let count = 0
    const next = async () => count++
    return chain({ a: next, b: next, c: next }, { nodes, limits: { steps: 30 } })
  }

  it('runs one lap: until the state is entered again', async () => {
    const [store, graph] = [memoryStore(), circle()]
    await store.changeBreakpoint({ graph: 'chain', node: 'b' }, true)
    const thread = await runtimeOf(graph, store).start(graph, {}, { thread: 't' })
    expect((await paused(thread)).paused?.before).toBe('b#1')
    await store.changeBreakpoint({ graph: 'chain', node: 'b' }, false)
    await thread.step({ until: ['b'] })
    expect((await pausedAfter(thread, 'b#1')).paused?.before).toBe('b#2')
    expect((await typesOf(thread)).slice(-5)).toEqual([
      'step',
      'node.done',
      'node.done',
      'node.done',
      'pause',
    ])
    await thread.step({ until: ['a', 'c'] })
    expect((await pausedAfter(thread, 'b#2')).paused?.before).toBe('c#2')
  })

  it('refuses an empty list of states', async () => {
    const graph = circle()
    const thread = await runtimeOf(graph).start(graph, {}, { thread: 't' })
    await expect(thread.step({ until: [] })).rejects.toThrow('1 to 1000 names of states')
  })
})

describe('breakpoints', () => {
  it('pause a thread that starts later, once before each entry of the node', async () => {
    const graph = chain()
    const runtime = runtimeOf(graph)
    await runtime.changeBreakpoint({ graph: 'chain', node: 'b' })
    expect(await runtime.breakpoints()).toEqual([{ graph: 'chain', node: 'b' }])
    const thread = await runtime.start(graph, {}, { thread: 't' })
    expect((await paused(thread)).paused?.before).toBe('b#1')
    expect((await thread.resume()).ended?.outcome).toBe('success')
    await runtime.changeBreakpoint({ graph: 'chain', node: 'b' }, 'clear')
    const other = await runtime.start(graph, {}, { thread: 'u' })
    expect((await other.result()).outcome).toBe('success')
    await expect(runtime.changeBreakpoint({ graph: 'chain', node: 'none' })).rejects.toMatchObject({
      code: 'unknown-node',
    })
  })
})

describe('a child thread', () => {
  it('pauses at a breakpoint of its graph, and its parent continues after it', async () => {
    const child = asking()
    const graph = parentOf(child)
    const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
    open.push(runtime)
    await runtime.changeBreakpoint({ graph: 'asking', node: 'work', thread: 't/child#1/1' })
    const parent = await runtime.start(graph, { goal: 'g' }, { thread: 't' })
    while ((await parent.state()).status !== 'waiting')
      await new Promise(resolve => setTimeout(resolve, 2))
    const { threads } = await runtime.threads()
    const below = runtime.thread(threads.find(({ thread }) => thread !== 't')?.thread ?? '')
    expect((await paused(below)).paused?.before).toBe('work#1')
    await below.resume()
    const [question] = await runtime.questions()
    await below.answer(question?.id ?? '', 'approved')
    expect((await parent.result()).outcome).toBe('success')
  })
})

describe('escape', () => {
  it('takes the edge that a person chooses, and leaves the running node', async () => {
    const entered = gate()
    const graph = chain({
      a: () => {
        entered.open()
        return new Promise(() => {})
      },
    })
    const thread = await runtimeOf(graph).start(graph, {}, { thread: 't' })
    await entered.promise
    expect(await thread.rollback()).toMatchObject({ applied: false, code: 'no-savepoint' })
    expect(await thread.escape({ rung: 'rethink' })).toMatchObject({ applied: false })
    expect(await thread.escape({ rung: 'alternative', to: 'aside' })).toEqual({ applied: true })
    expect((await thread.result()).outcome).toBe('success')
    const edges = (await thread.rows()).flatMap(row => row.edges)
    expect(edges.some(edge => edge.endsWith('aside'))).toBe(true)
  })

  it('waits for a write in progress, whose outcome would be unknown', async () => {
    const entered = gate()
    const written = gate()
    const graph = chain({
      a: async () => {
        entered.open()
        await written.promise
      },
    })
    Object.assign(graph.tools.a as object, { effects: 'write', idempotent: false })
    const thread = await runtimeOf(graph).start(graph, {}, { thread: 't' })
    await entered.promise
    const choice = { rung: 'alternative', to: 'aside' } as const
    expect(await thread.escape(choice)).toMatchObject({ applied: false, code: 'call-unresolved' })
    written.open()
    expect((await thread.result()).outcome).toBe('success')
  })

  it('stops a thread with the reason of the person', async () => {
    const entered = gate()
    const graph = chain({
      a: () => {
        entered.open()
        return new Promise(() => {})
      },
    })
    const thread = await runtimeOf(graph).start(graph, {}, { thread: 't' })
    await entered.promise
    expect(await thread.stop('wrong customer')).toEqual({ applied: true })
    expect(await thread.result()).toMatchObject({ outcome: 'stopped', because: 'wrong customer' })
    expect(await thread.stop()).toMatchObject({ applied: false, code: 'thread-ended' })
  })
})

describe('dismiss', () => {
  const looping = {
    nodes: {
      a: { use: 'tool', tool: 'a', args: {}, on: { done: 'b' } },
      b: { use: 'tool', tool: 'b', args: {}, on: { done: 'a', 'done.out': 'end' } },
      end: { final: 'success' },
    },
    mode: 'observe',
  }

  it('refuses a finding that the thread does not have', async () => {
    const graph = chain()
    const thread = await runtimeOf(graph).start(graph, {}, { thread: 't' })
    await thread.result()
    expect(await thread.dismiss()).toMatchObject({ applied: false, code: 'unknown-finding' })
  })

  it('has the detectors ignore the repetition from then on', async () => {
    const [entered, go] = [gate(), gate()]
    let calls = 0
    const slow = async () => {
      calls++
      if (calls === 8) entered.open()
      if (calls === 8) await go.promise
      return 'same'
    }
    const graph = chain({ a: slow }, { ...looping, limits: { steps: 40 } })
    const thread = await runtimeOf(graph).start(graph, {}, { thread: 't' })
    await entered.promise
    expect(await thread.dismiss()).toEqual({ applied: true })
    const { seq } = await thread.state()
    go.open()
    while (calls < 15) await new Promise(resolve => setTimeout(resolve, 2))
    await thread.cancel()
    const rows = await thread.rows({ after: seq })
    expect(rows.flatMap(({ findings }) => findings.filter(({ kind }) => kind === 'loop'))).toEqual(
      [],
    )
  })
})

describe('an open review', () => {
  const reviewed = {
    nodes: {
      a: { use: 'tool', tool: 'a', args: {}, on: { done: 'b', loop: 'end' } },
      b: { use: 'tool', tool: 'b', args: {}, on: { done: 'a' } },
      end: { final: 'success' },
    },
    escape: { ladder: ['review', 'stop'], review: { deadline: '1h' } },
    limits: { steps: 60 },
  }
  const underReview = async () => {
    let calls = 0
    const graph = chain({ a: async () => `${++calls > 40 ? calls : 'same'}` }, reviewed)
    const runtime = runtimeOf(graph)
    const thread = await runtime.start(graph, {}, { thread: 't' })
    while ((await thread.state()).questions.length === 0)
      await new Promise(resolve => setTimeout(resolve, 2))
    return { runtime, thread }
  }

  it('is answered by an escape', async () => {
    const { runtime, thread } = await underReview()
    expect(await thread.escape({ rung: 'alternative', to: 'end' })).toEqual({ applied: true })
    expect((await thread.result()).outcome).toBe('success')
    expect(await runtime.questions()).toEqual([])
  })

  it('is ended by a dismissal of its finding, and the thread continues', async () => {
    const { thread } = await underReview()
    const { seq } = await thread.state()
    expect(await thread.dismiss()).toEqual({ applied: true })
    const rows = async () => (await thread.rows({ after: seq })).map(({ event }) => event.type)
    while (!(await rows()).includes('tool.done')) await new Promise(end => setTimeout(end, 2))
    await thread.cancel()
    const [first] = await thread.rows({ after: seq })
    expect([first?.event.type, first?.edges.length]).toEqual(['dismiss', 1])
  })

  it('is ended by a stop', async () => {
    const { thread } = await underReview()
    expect(await thread.stop('no use')).toEqual({ applied: true })
    expect(await thread.result()).toMatchObject({ outcome: 'stopped', because: 'no use' })
  })
})

describe('inject', () => {
  it('has the next attempts of a tool fail without a call, and then lets it work again', async () => {
    let calls = 0
    const graph = chain({ b: async () => ++calls })
    const runtime = runtimeOf(graph)
    await runtime.changeBreakpoint({ graph: 'chain', node: 'b' })
    const thread = await runtime.start(graph, {}, { thread: 't' })
    await paused(thread)
    expect(await thread.inject({ kind: 'tool', name: 'x' })).toMatchObject({ code: 'unknown-name' })
    await thread.inject({ kind: 'tool', name: 'b', message: 'HTTP 503' })
    expect((await thread.resume()).ended?.outcome).toBe('success')
    const failed = (await thread.rows()).flatMap(({ event }) =>
      event.type === 'tool.failed' ? [[event.failure.rule, event.failure.message]] : [],
    )
    expect([failed, calls]).toEqual([[['injected', 'HTTP 503']], 1])
    expect(await runtime.breakers()).toEqual([])
  })

  it('answers the next call of a tool with a result, without a call', async () => {
    let calls = 0
    const graph = chain({ b: async () => ++calls })
    const b = graph.tools.b as object
    const checkResult = (result: unknown) => {
      if (typeof result !== 'number') throw new TypeError('b: result: expected number')
    }
    Object.assign(b, { effects: 'write', idempotent: false, checkResult })
    const runtime = runtimeOf(graph)
    await runtime.changeBreakpoint({ graph: 'chain', node: 'b' })
    const thread = await runtime.start(graph, {}, { thread: 't' })
    await paused(thread)
    const given = { kind: 'tool', name: 'b', result: 7 } as const
    expect(await thread.inject({ ...given, result: 'seven' })).toMatchObject({
      code: 'invalid-result',
      because: "the result for 'b' is not valid: b: result: expected number",
    })
    await expect(thread.inject({ ...given, class: 'transient' })).rejects.toMatchObject({
      code: 'invalid-event',
    })
    await thread.inject(given)
    expect((await thread.resume()).ended?.outcome).toBe('success')
    const rows = await thread.rows()
    const ofB = rows.flatMap(({ event }) =>
      'subject' in event && event.subject === 'b' ? [event] : [],
    )
    expect(ofB).toMatchObject([
      { type: 'tool.called', effects: 'read', injected: true },
      { type: 'tool.done', result: 7, effects: 'read', injected: true },
    ])
    expect([calls, rows.map(rowFault).filter(Boolean), effectsOf(rows)]).toEqual([0, [], []])
    expect(await runtime.breakers()).toEqual([])
  })

  it('answers as many calls as it says, also while the breaker is open', async () => {
    let calls = 0
    const count = async () => ++calls
    const nodes = { ...NODES, c: { use: 'tool', tool: 'b', args: {}, on: { done: 'end' } } }
    const graph = chain({ b: count }, { nodes })
    const runtime = runtimeOf(graph)
    await runtime.changeBreakpoint({ graph: 'chain', node: 'b' })
    const thread = await runtime.start(graph, {}, { thread: 't' })
    await paused(thread)
    await runtime.changeBreaker('chain/tool:b', 'open')
    await thread.inject({ kind: 'tool', name: 'b', result: null, times: 2 })
    expect((await thread.resume()).ended?.outcome).toBe('success')
    expect(calls).toBe(0)
    expect(await runtime.breakers()).toMatchObject([{ state: 'open' }])
  })

  it('answers a model with a text or with calls, at no cost', async () => {
    let asked = 0
    const graph = answering(async () => {
      asked++
      return { text: 'from the model', calls: [] }
    })
    const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
    open.push(runtime)
    await runtime.changeBreakpoint({ graph: 'answering', node: 'think' })
    for (const [name, result] of Object.entries({ t: 'by hand', u: { text: 'by hand' } })) {
      const thread = await runtime.start(graph, { goal: 'g' }, { thread: name })
      await paused(thread)
      const model = { kind: 'model', name: 'mine' } as const
      expect(await thread.inject({ ...model, result: { calls: [{ args: {} }] } })).toMatchObject({
        code: 'invalid-result',
      })
      await thread.inject({ ...model, result })
      await thread.resume()
      const answers = (await thread.rows()).filter(({ event }) => event.type === 'model.done')
      expect(answers).toMatchObject([{ event: { text: 'by hand', injected: true } }])
      expect((await thread.state()).spent).toMatchObject({ tokens: 0, usd: 0 })
    }
    expect(asked).toBe(0)
  })

  it('replaces a recorded answer in a fork', async () => {
    const graph = chain({ b: async () => 'recorded' })
    const runtime = runtimeOf(graph)
    const thread = await runtime.start(graph, {}, { thread: 't' })
    await thread.result()
    const at = (await thread.rows()).findIndex(({ event }) => event.type === 'tool.called')
    const fork = await thread.fork({ at: at - 1, effects: 'recorded', as: 'f' })
    await fork.inject({ kind: 'tool', name: 'b', result: 'pasted' })
    await fork.resume()
    const results = (await fork.rows()).flatMap(({ event }) =>
      event.type === 'tool.done' ? [event.result] : [],
    )
    expect(results).toEqual(['a', 'pasted', 'c'])
  })

  it('keeps a fault of another tool', async () => {
    const graph = chain()
    const runtime = runtimeOf(graph)
    await runtime.changeBreakpoint({ graph: 'chain', node: 'a' })
    const thread = await runtime.start(graph, {}, { thread: 't' })
    await paused(thread)
    for (const name of ['b', 'c']) await thread.inject({ kind: 'tool', name })
    expect((await thread.resume()).ended?.outcome).toBe('success')
    const failed = (await thread.rows()).flatMap(({ event }) =>
      event.type === 'tool.failed' ? [event.subject] : [],
    )
    expect(failed).toEqual(['b', 'c'])
  })
})

it('a breaker that a person opens stays open for an hour, or for the given time', async () => {
  const graph = calling(async () => 'done')
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph], clock: virtualClock(5) })
  open.push(runtime)
  const resource = 'calling/tool:work'
  expect(await runtime.changeBreaker(resource, 'open')).toMatchObject({ retryAt: 3_600_005 })
  expect(await runtime.changeBreaker(resource, 'close')).toMatchObject({ state: 'closed' })
  expect(await runtime.changeBreaker(resource, 'open', 9)).toMatchObject({ retryAt: 14 })
})
