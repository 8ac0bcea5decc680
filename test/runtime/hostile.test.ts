/** Foreign tools and models: anything they throw or return becomes one journaled answer of plain data, with bounded size and without secrets. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/core/watch/data/json.ts'
import { replay } from '../../src/runtime/store/replay.ts'
import { aiSdkModel } from '../../src/adapters/model/ai-sdk.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { redactor } from '../../src/runtime/redaction/redact.ts'
import type { Clock, Model, Task, Tool } from '../../src/runtime/ports.ts'
import { defineGraph } from '../../src/host/definition/define-graph.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { calling, portsOf, START } from './desk.ts'

const SECRET = 'hunter2hunter2'

/** The last journaled answer of this tool, after checking that the rows fold to the same run. */
async function answerOf(run: () => unknown) {
  const graph = calling(async () => run())
  const ports = portsOf(graph, { clock: virtualClock(0), redact: redactor([SECRET]) })
  const ended = await drive(ports, 't', START)
  const rows = await ports.store.rows('t')
  const event = rows
    .map(({ event }) => event)
    .findLast(({ type }) => type === 'tool.done' || type === 'tool.failed')
  expect(JSON.parse(JSON.stringify(await replay(graph.machine, ports.store, 't')))).toEqual(
    JSON.parse(JSON.stringify(ended)),
  )
  expect(JSON.parse(JSON.stringify(rows))).toEqual(rows)
  return event?.type === 'tool.failed'
    ? event.failure
    : event?.type === 'tool.done'
      ? { result: event.result }
      : undefined
}

function nested(levels: number, leaf: unknown): unknown {
  return Array.from({ length: levels }).reduce<unknown>(inner => ({ a: inner }), leaf)
}

function thrower(thrown: unknown): () => never {
  return () => {
    throw thrown
  }
}

const refuse = (): never => {
  throw new Error('not to be touched')
}

const UNREADABLE: readonly (readonly [string, unknown])[] = [
  [
    'an error whose message throws',
    Object.defineProperty(new Error('x'), 'message', { get: refuse }),
  ],
  ['an error whose cause throws', Object.defineProperty(new Error(''), 'cause', { get: refuse })],
  [
    'a proxy that refuses everything',
    new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse }),
  ],
  ['an object that cannot be a text', { toString: refuse }],
  ['headers that cannot be asked', Object.assign(new Error(''), { headers: { get: refuse } })],
]

describe('what a tool throws', () => {
  test.each(UNREADABLE)('%s is a failure of unknown class', async (_, thrown) => {
    expect(await answerOf(thrower(thrown))).toMatchObject({
      name: 'Error',
      message: '',
      class: 'unknown',
    })
  })

  test('a function is not called', async () => {
    expect(await answerOf(thrower(Object.assign(() => {}, { toString: refuse })))).toMatchObject({
      message: 'a function was thrown',
    })
  })

  test('is bounded, including its name, code and message', async () => {
    const thrown = Object.assign(new Error('m'.repeat(100_000)), {
      name: 'n'.repeat(100_000),
      code: 'c'.repeat(100_000),
    })
    expect(JSON.stringify(await answerOf(thrower(thrown))).length).toBeLessThan(3_000)
  })

  test('contains no secrets, also if it is cut', async () => {
    for (const before of [1_990, 1_995, 16_375])
      expect(
        JSON.stringify(await answerOf(thrower(new Error(`${'.'.repeat(before)}${SECRET}`)))),
      ).not.toContain(SECRET.slice(0, 3))
  })

  test.each(['1e400', 'NaN', '-1', 'soon'])('ignores a wait of %s', async wait => {
    expect(
      await answerOf(
        thrower(Object.assign(new Error(''), { status: 429, headers: { 'retry-after': wait } })),
      ),
    ).not.toHaveProperty('retryAfter')
  })

  test('ignores an endless wait from a tool', async () => {
    expect(
      await answerOf(
        thrower(
          Object.assign(new Error(''), { status: 429, retryAfter: Number.POSITIVE_INFINITY }),
        ),
      ),
    ).not.toHaveProperty('retryAfter')
  })
})

describe('what a tool returns', () => {
  test('is rejected if it is nested too deeply', async () => {
    expect(await answerOf(() => nested(20_000, 1))).toMatchObject({
      name: 'NotJson',
      reason: {
        params: {
          path: 'work.result',
          fault: expect.stringMatching(/^(a\.)+a?… is nested deeper than 1000 levels$/),
        },
      },
    })
  })

  test('is rejected if it is a sparse list', async () => {
    const list: number[] = []
    list[3] = 1
    expect(await answerOf(() => ({ list }))).toMatchObject({
      name: 'NotJson',
      reason: { params: { fault: 'list is a list with gaps' } },
    })
  })

  test('is rejected at once if it is a list of three billion gaps', {
    timeout: 2_000,
  }, async () => {
    const list: number[] = []
    list[3_000_000_000] = 1
    expect(await answerOf(() => ({ list }))).toMatchObject({
      reason: { params: { fault: 'list is a list with gaps' } },
    })
  })

  test('keeps a database row with dates, as JSON does', async () => {
    const at = new Date(0)
    const price = { toJSON: () => '12.50' }
    expect(
      await answerOf(() => [{ at, price, none: undefined, never: new Date(Number.NaN) }]),
    ).toEqual({
      result: [{ at: '1970-01-01T00:00:00.000Z', price: '12.50', never: null }],
    })
  })

  test('is rejected if it is a generator', async () => {
    expect(await answerOf(async function* () {})).toMatchObject({
      reason: { params: { fault: '(value) is a foreign object' } },
    })
  })

  test('has its secrets removed at once', { timeout: 2_000 }, async () => {
    const found = await answerOf(() => nested(200, { [SECRET]: SECRET, kept: 1 }))
    expect(found).toEqual({ result: nested(200, { '[redacted]': '[redacted]', kept: 1 }) })
  })
})

test('the late result of an abandoned write contains no secrets', async () => {
  const cancel = new AbortController()
  const graph = calling(({ signal }) => {
    setImmediate(() => cancel.abort(new Error('enough')))
    return new Promise((_, reject) =>
      signal.addEventListener('abort', () =>
        setImmediate(() => reject(new Error(`no: ${SECRET}`))),
      ),
    )
  }, 'write')
  const ports = portsOf(graph, { redact: redactor([SECRET]) })
  await drive(ports, 't', { ...START, signal: cancel.signal })
  const rows = await ports.store.rows('t')
  expect(rows.map(({ event }) => event).find(({ type }) => type === 'call.late')).toMatchObject({
    ok: false,
    result: 'no: [redacted]',
  })
})

test('bytes are stored as text, without secrets, or as base64', async () => {
  expect(await answerOf(() => Buffer.from(`login ${SECRET}`))).toEqual({
    result: 'login [redacted]',
  })
  expect(await answerOf(() => ({ image: new Uint8Array([137, 80, 78, 71]) }))).toEqual({
    result: { image: 'iVBORw==' },
  })
})

test('why an answer was refused is stored without secrets', async () => {
  const graph = calling(async () => 'sent', 'write')
  const parse = (args: Json) => {
    if (JSON.stringify(args).includes('edited')) throw new Error(`no: ${SECRET}`)
    return args
  }
  Object.assign(graph.tools.work as Tool, { confirm: () => true, parse })
  const ports = portsOf(graph, { redact: redactor([SECRET]) })
  await drive(ports, 't', START)
  const answer = { type: 'resume', effect: 'A#1/1?', decision: 'edited' } as const
  await ports.store.submit('t', 'c', { ...answer, output: { a: 'edited' } })
  await drive(ports, 't')
  const command = await ports.store.command('t', 'c')
  expect(JSON.stringify(command)).toContain('no: [redacted]')
})

/** The events and the account after a model gives this reply. */
async function asked(reply: unknown) {
  const model: Model = {
    id: 'm',
    timeout: 1_000,
    price: { input: 1, output: 1 },
    ask: async () => reply as Awaited<ReturnType<Model['ask']>>,
  }
  const graph = defineGraph({
    id: 'asks',
    start: 'A',
    models: { m: model },
    nodes: { A: { use: 'model', model: 'm', on: { done: 'B' } }, B: { final: 'success' } },
  })
  const ports = portsOf(graph)
  const run = await drive(ports, 't', START)
  const event = (await ports.store.rows('t'))
    .map(({ event }) => event)
    .find(({ type }) => type === 'model.done' || type === 'model.failed')
  return { event, spent: run.watch.account.spent }
}

/** Words that do not repeat. */
const LONG = Array.from({ length: 800 }, (_, n) => `w${(n * 7_919) % 9_973}`).join(' ')

describe('a model with a usage', () => {
  const counts: readonly (readonly [string, unknown])[] = [
    ['no number', { input: Number.NaN, output: 1, cached: 0 }],
    ['half of it', { input: 5 }],
    ['nothing at all', { input: 0, output: 0 }],
    ['less than none', { input: -1e9, output: 1, cached: 0 }],
    ['a text', { input: '5', output: 1, cached: 0 }],
    ['without end', { input: Number.POSITIVE_INFINITY, output: 1, cached: 0 }],
  ]
  test.each(counts)('of %s is estimated, which keeps the limits effective', async (_, usage) => {
    const { event, spent } = await asked({ text: 'Well, then.', calls: [], usage })
    expect(event).toMatchObject({ type: 'model.done', usage: { estimated: true } })
    expect(spent.tokens).toBeGreaterThan(0)
    expect(Object.values(spent).every(Number.isFinite)).toBe(true)
  })

  test('without input is estimated, and costs at least its output', async () => {
    const usage = { input: 0, output: 5_000, cached: 0 }
    const { event, spent } = await asked({ text: 'Well, then.', calls: [], usage })
    expect(event).toMatchObject({ usage: { output: 5_000, cached: 0, estimated: true } })
    expect(spent.tokens).toBeGreaterThan(5_000)
  })

  test.each([
    ['missing', undefined],
    ['zero', 0],
    ['that of the start of a stream', 1],
  ])('with %s output costs an estimate of its answer', async (_, output) => {
    const usage = { input: 5, ...(output === undefined ? {} : { output }) }
    const { event, spent } = await asked({ text: LONG, calls: [], usage })
    const tokens = Math.ceil(LONG.length / 4)
    expect(event).toMatchObject({ usage: { input: 5, output: tokens, estimated: true } })
    expect(spent.tokens).toBe(5 + tokens)
  })

  test('of few tokens for a long answer is believed', async () => {
    const usage = { input: 5, output: 40 }
    const { event } = await asked({ text: LONG, calls: [], usage })
    expect(event).toMatchObject({ usage: { input: 5, output: 40 } })
  })

  test('with more cached tokens than input pays for both', async () => {
    const { event, spent } = await asked({
      text: 'Well, then.',
      calls: [],
      usage: { input: 5, output: 1, cached: 500 },
    })
    expect(event).toMatchObject({ usage: { input: 505, output: 1, cached: 500 } })
    expect(spent).toMatchObject({ tokens: 506, usd: 0.000506 })
  })
})

describe('a failed attempt of a model', () => {
  const prompt = 'x'.repeat(400)

  async function spentOn(ask: Model['ask'], signal?: AbortSignal) {
    const model: Model = {
      id: 'm',
      timeout: 1_000,
      retry: { attempts: 2 },
      price: { input: 1, output: 1 },
      ask,
    }
    const graph = defineGraph({
      id: 'asks',
      start: 'A',
      models: { m: model },
      nodes: {
        A: { use: 'model', model: 'm', prompt, on: { done: 'B' } },
        B: { final: 'success' },
      },
    })
    const ports = portsOf(graph, { clock: virtualClock(0) })
    const run = await drive(ports, 't', signal ? { ...START, signal } : START)
    expect((await replay(graph.machine, ports.store, 't'))?.watch.account).toEqual(
      run.watch.account,
    )
    return run.watch.account.spent
  }

  test('costs the prompt and the tokens of a stream that breaks', async () => {
    const { tokens, usd } = await spentOn(async (_, { onDelta }) => {
      onDelta('y'.repeat(400))
      throw Object.assign(new Error('reset'), { code: 'ECONNRESET' })
    })
    expect(tokens).toBeGreaterThan(2 * 200)
    expect(usd).toBeGreaterThan(0)
  })

  const streamed = (parts: readonly object[], error?: Error): Model['ask'] => {
    const read = async function* () {
      yield* parts
      if (error) throw error
    }
    const doStream = async () => ({ stream: ReadableStream.from(read()) })
    return aiSdkModel({ specificationVersion: 'v3', modelId: 'm', doStream }).ask
  }

  test.each([
    ['reasoning', { type: 'reasoning-delta', delta: 'y'.repeat(400) }],
    ['arguments', { type: 'tool-input-delta', delta: 'y'.repeat(400) }],
  ])('costs the %s that came before the stream broke', async (_, part) => {
    const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
    const tokensOf = async (...parts: object[]) => (await spentOn(streamed(parts, reset))).tokens
    const added = (await tokensOf(part)) - (await tokensOf())
    expect(added).toBe(2 * 100)
    const call = { type: 'tool-call', toolCallId: '1', toolName: 'x', input: 'y'.repeat(400) }
    expect(await tokensOf(part, call)).toBeGreaterThanOrEqual(await tokensOf(part))
  })

  test('costs the prompt when the answer is withheld', async () => {
    const part = { type: 'finish', finishReason: { unified: 'content-filter' } }
    expect((await spentOn(streamed([part]))).tokens).toBeGreaterThan(100)
  })

  test('costs the prompt when no answer comes in time', async () => {
    const ask: Model['ask'] = (_, { sleep }) => sleep(3_600_000) as Promise<never>
    expect((await spentOn(ask)).tokens).toBeGreaterThan(2 * 100)
  })

  test('costs nothing when the endpoint refuses it', async () => {
    const ask: Model['ask'] = async () => {
      throw Object.assign(new Error('overloaded'), { status: 503 })
    }
    expect((await spentOn(ask)).tokens).toBe(0)
  })

  test('costs the reported usage of an invalid reply', async () => {
    const reply = { text: 'Well, then.', usage: { input: 70, output: 30 } }
    expect((await spentOn(async () => reply as never)).tokens).toBe(100)
  })

  test('costs the prompt when its process ended, and once when its driver stopped in order', async () => {
    const model: Model = {
      id: 'm',
      timeout: 60_000,
      price: { input: 1, output: 1 },
      ask: (_, { sleep }) => sleep(10_000) as Promise<never>,
    }
    const graph = (ask: Model['ask']) =>
      defineGraph({
        id: 'asks',
        start: 'A',
        models: { m: { ...model, ask } },
        nodes: {
          A: { use: 'model', model: 'm', prompt, on: { done: 'B' } },
          B: { final: 'success' },
        },
      })
    const usage = { input: 1, output: 0, cached: 0 }
    const answers = graph(async () => ({ text: '', calls: [], usage }))
    const spentAfter = async (end: 'crash' | 'leave') => {
      const store = memoryStore()
      let isDead = false
      // A killed process stores nothing more.
      const append: typeof store.append = async (...batches) =>
        isDead ? Promise.reject(new Error('killed')) : store.append(...batches)
      const leave = new AbortController()
      const ports = portsOf(graph(model.ask), { store: { ...store, append } })
      const driven = drive(ports, 't', { ...START, leave: leave.signal }).catch(() => {})
      await pause(20)
      isDead = end === 'crash'
      leave.abort(new Error('terminated'))
      await driven
      const run = await drive(portsOf(answers, { store }), 't')
      expect(run.ended?.outcome).toBe('success')
      return run.watch.account.spent.tokens
    }
    const [crashed, left] = [await spentAfter('crash'), await spentAfter('leave')]
    expect(crashed).toBeGreaterThan(100)
    expect(left).toBe(crashed)
  })

  test('costs what went out when the thread is cancelled', async () => {
    const cancel = new AbortController()
    const ask: Model['ask'] = (_, { onDelta, sleep }) => {
      onDelta('y'.repeat(400))
      setImmediate(() => cancel.abort(new Error('enough')))
      return sleep(500) as Promise<never>
    }
    expect((await spentOn(ask, cancel.signal)).tokens).toBeGreaterThan(200)
  })
})

test('the input of a thread is stored as JSON, or rejected with its path', async () => {
  const ports = portsOf(calling(async () => 'done'))
  const input = { at: new Date(0) } as unknown as Json
  await drive(ports, 't', { start: { input, seed: 1 } }).catch(error =>
    expect(error).toMatchObject({ name: 'InvalidInput' }),
  )
  const list = { list: [() => {}] } as unknown as Json
  await expect(drive(ports, 'u', { start: { input: list, seed: 1 } })).rejects.toMatchObject({
    name: 'InvalidInput',
    message: 'input: list[0] is a function',
  })
})

describe('a custom model that returns', () => {
  const replies: readonly (readonly [string, unknown, string, string])[] = [
    ['nothing', undefined, 'text', 'string'],
    ['a text alone', 'Well, then.', 'text', 'string'],
    ['no calls', { text: '' }, 'calls', 'array'],
    ['a call that is none', { text: '', calls: [null] }, 'calls[0].id', 'string'],
    [
      'a call without a tool',
      { text: '', calls: [{ id: '1', args: {} }] },
      'calls[0].tool',
      'string',
    ],
  ]
  test.each(replies)('%s fails with what was expected', async (_, reply, path, expected) => {
    const { event } = await asked(reply)
    expect(event).toMatchObject({
      type: 'model.failed',
      failure: {
        name: 'InvalidReply',
        class: 'persistent',
        reason: { code: 'invalid-reply', params: { path, expected } },
      },
    })
  })
})

test('a redactor returns the same object if it contains no secrets', () => {
  const clean: Json = { a: [1, { b: 'c' }] }
  expect(redactor([SECRET])(clean)).toBe(clean)
})

describe('a tool name that no tool has', () => {
  /** A node that calls tools by names which a model invented. */
  async function invented(names: readonly string[]) {
    const graph = defineGraph({
      id: 'invents',
      start: 'A',
      detect: { nodes: { A: false } },
      limits: { nodeCalls: 10_000, toolCalls: 10_000 },
      nodes: {
        A: {
          use: async (task: Task) => {
            for (const name of names) await task.call(name, {})
            return { ok: true, outcome: 'done' }
          },
          on: { done: 'B' },
        },
        B: { final: 'success' },
      },
    } as never)
    const ports = portsOf(graph, { clock: virtualClock(0), redact: redactor([SECRET]) })
    const run = await drive(ports, 't', START)
    const rows = await ports.store.rows('t')
    return {
      run,
      rows,
      failed: rows.flatMap(({ event }) => (event.type === 'tool.failed' ? [event] : [])),
    }
  }

  test('is refused with a short, redacted name', async () => {
    const { rows, failed } = await invented([`search_${SECRET}`, `x${'y'.repeat(1_000_000)}`])
    expect(failed[0]).toMatchObject({
      subject: 'search_[redacted]',
      failure: {
        name: 'InvalidArguments',
        reason: { code: 'unknown-name', params: { name: 'search_[redacted]' } },
      },
    })
    expect(JSON.stringify(rows)).not.toContain(SECRET)
    expect(JSON.stringify(rows).length).toBeLessThan(20_000)
  })

  test('leaves a state of bounded size', async () => {
    const size = async (count: number) => {
      const { run } = await invented(Array.from({ length: count }, (_, index) => `tool-${index}`))
      return JSON.stringify(run).length
    }
    expect((await size(600)) - (await size(300))).toBeLessThan(2_000)
  })
})

test('a report of many megabytes is refused before it is redacted', async () => {
  const redacted: number[] = []
  const redact = <T>(value: T): T => {
    if (Array.isArray(value)) redacted.push(value.length)
    return value
  }
  const note = Array.from({ length: 30 }, () => 'x'.repeat(1_000_000))
  const graph = defineGraph({
    id: 'reporting',
    start: 'A',
    nodes: {
      A: { use: async (task: Task) => task.report(note), on: { error: 'E' } },
      E: { final: 'failure' },
    },
  } as never)
  const ports = portsOf(graph, { redact })
  await drive(ports, 't', START)
  const events = (await ports.store.rows('t')).map(({ event }) => event)
  expect(events.find(({ type }) => type === 'node.failed')).toMatchObject({
    failure: { name: 'TooLarge', reason: { params: { path: 'note', limit: 1_048_576 } } },
  })
  expect(redacted).not.toContain(30)
})

test.each([
  ['once for each 50 ms of the node', 60],
  ['rarely while its calls take no time', 0],
])('a node that only reports yields %s', async (_, ms) => {
  let now = 0
  let slept = 0
  const clock = virtualClock(0)
  const counted: Clock = {
    ...clock,
    now: () => now,
    sleep(delay, signal) {
      if (delay === 0) slept++
      return clock.sleep(delay, signal)
    },
  }
  const graph = defineGraph({
    id: 'reporting',
    start: 'A',
    nodes: {
      A: {
        async use(task: Task) {
          for (let nth = 1; nth <= 20; nth++) {
            now += ms
            await task.report(nth)
          }
        },
        on: { done: 'E' },
      },
      E: { final: 'success' },
    },
  } as never)
  const run = await drive(portsOf(graph, { clock: counted }), 't', START)
  expect(run.ended).toMatchObject({ outcome: 'success' })
  // The runtime may sleep for other reasons, too.
  if (ms > 0) expect(slept).toBeGreaterThanOrEqual(20)
  else expect(slept).toBeLessThan(5)
})
