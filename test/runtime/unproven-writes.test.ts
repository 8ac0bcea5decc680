/** A write that failed is made again, or by a substitute, only if its failure proves that it was refused. The errors are those of real clients. */
import { ProtocolError } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { createRuntime, defineGraph, memoryStore, tool, virtualClock } from '../../src/index.ts'
import type { Graph, Tool } from '../../src/index.ts'
import { mcpTools } from '../../src/mcp.ts'
import { effectsOf, type ExternalEffect } from '../../src/core/review/ledger.ts'
import { explain, type Reason } from '../../src/core/watch/reason/reason.ts'
import { draw, PIPE } from '../../src/faces/cli/print/layout.ts'
import { lineOf } from '../../src/faces/cli/print/line.ts'
import type { Calling } from '../../src/runtime/ports.ts'
import type { Reconciled } from '../../src/core/watch/event/call-event.ts'

const error = (message: string, facts: object = {}) => Object.assign(new Error(message), facts)
const refused = error('connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED' })
const inputSchema = z.looseObject({})

interface Options {
  readonly idempotent?: boolean
  readonly reconcile?: Reconciled
}

/** Makes a payment that always fails with `thrown`, or with what it returns for the call. It has a substitute behind a sensitive breaker and retries of every class. */
async function pay(thrown: unknown, { idempotent = false, reconcile }: Options = {}) {
  const made = { pay: 0, other: 0, asked: 0 }
  const shared = { description: 'Pays.', inputSchema, effects: 'write', idempotent } as const
  const tools = {
    pay: tool({
      ...shared,
      name: 'pay',
      substitutes: ['other'],
      async execute(_, call) {
        made.pay += 1
        throw typeof thrown === 'function' ? thrown(call) : thrown
      },
      ...(reconcile && {
        async reconcile() {
          made.asked += 1
          return { answer: reconcile, result: 'paid' }
        },
      }),
    }),
    other: tool({
      ...shared,
      name: 'other',
      async execute() {
        made.other += 1
        return 'paid'
      },
    }),
  }
  const graph = defineGraph({
    id: 'shop',
    start: 'a',
    nodes: {
      a: { use: 'tool', tool: 'pay', on: { done: 'paid', error: 'failed' } },
      paid: { final: 'success' },
      failed: { final: 'failure' },
    },
    tools,
    breaker: { threshold: 1 },
    retry: { on: ['transient', 'persistent', 'unknown', 'business'] },
  })
  return { ...(await ran(graph)), ...made }
}

async function ran(graph: Graph) {
  const store = memoryStore()
  const runtime = createRuntime({ store, graphs: [graph], clock: virtualClock() })
  const thread = await runtime.start(graph, {}, { thread: 't' })
  const { status, ended } = await thread.drive()
  const rows = await store.rows('t')
  await runtime.close()
  return { status, outcome: ended?.outcome, effects: effectsOf(rows) }
}

const UNPROVEN: Readonly<Record<string, unknown>> = {
  'an answer that cannot be read': new SyntaxError('Unexpected end of JSON input'),
  'an error of the tool': error('boom'),
  'gRPC DEADLINE_EXCEEDED': error('4 DEADLINE_EXCEEDED: Deadline exceeded', { code: 4 }),
  'gRPC INTERNAL': error('13 INTERNAL: Received RST_STREAM', { code: 13 }),
  'Postgres 08006': error('connection failure', { code: '08006' }),
  'Postgres 57P01': error('terminating connection due to administrator command', { code: '57P01' }),
  'Postgres 40003': error('statement completion unknown', { code: '40003' }),
  'MySQL connection lost': error('Connection lost', { code: 'PROTOCOL_CONNECTION_LOST' }),
  'SMTP after DATA': error('Message failed: 451', { code: 'EMESSAGE', responseCode: 451 }),
  'SMTP socket closed': error('Unexpected socket close', { code: 'ESOCKET', command: 'DATA' }),
  'AWS 500': error('InternalFailure', { $metadata: { httpStatusCode: 500 }, $fault: 'server' }),
  'Stripe connection': error('An error occurred with our connection to Stripe.', {
    type: 'StripeConnectionError',
  }),
  'Mongo connection': error('connection 3 closed', { name: 'MongoNetworkError' }),
  'MCP timeout': error('MCP error -32001: Request timed out', { code: -32001 }),
  'a host that left the network': error('read EHOSTUNREACH', {
    code: 'EHOSTUNREACH',
    syscall: 'read',
  }),
  'a firewall that rejects later packets': error('read ECONNREFUSED', {
    code: 'ECONNREFUSED',
    syscall: 'read',
  }),
  'an unreachable host of a client without system calls': error('no route', {
    code: 'EHOSTUNREACH',
  }),
  'a copied code: axios, got': Object.assign(error('read ECONNREFUSED', { code: 'ECONNREFUSED' }), {
    cause: error('read ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'read' }),
  }),
  'a copied code and another message: gaxios': Object.assign(
    error('request to https://x failed', { code: 'ECONNREFUSED' }),
    { cause: error('read ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'read' }) },
  ),
  'a copied code without a cause: KafkaJS': error('Connection error: read ECONNREFUSED', {
    code: 'ECONNREFUSED',
  }),
  'another name of the system call: node-fetch': error('request to https://x failed', {
    code: 'ECONNREFUSED',
    erroredSysCall: 'read',
  }),
  'the last of several attempts of the SDK of AWS': error('Rate exceeded', {
    $metadata: { httpStatusCode: 429, attempts: 3 },
  }),
  'the last of several attempts of p-retry': error('connect ECONNREFUSED 127.0.0.1:443', {
    ...{ code: 'ECONNREFUSED', syscall: 'connect', attemptNumber: 4 },
  }),
  'the last of several attempts of p-retry, of the built-in fetch': Object.assign(
    error('fetch failed', { attemptNumber: 3 }),
    {
      cause: error('connect ECONNREFUSED 127.0.0.1:443', {
        ...{ code: 'ECONNREFUSED', syscall: 'connect' },
      }),
    },
  ),
  'the last of several attempts of axios-retry': error('Request failed with status code 429', {
    ...{ status: 429, config: { 'axios-retry': { retryCount: 2 } } },
  }),
  'the last of several attempts of gaxios': error('Request failed with status code 429', {
    ...{ status: 429, config: { retryConfig: { currentRetryAttempt: 1 } } },
  }),
  'the last of several attempts of got': error('Response code 429 (Too Many Requests)', {
    ...{ response: { statusCode: 429 }, status: 429, request: { retryCount: 1 } },
  }),
  'the last of several attempts of undici': error('Request failed', {
    ...{ code: 'UND_ERR_REQ_RETRY', statusCode: 429 },
  }),
  'HTTP/2 reset': error('Stream closed with an error', { code: 'ERR_HTTP2_STREAM_ERROR' }),
  'a refused poll behind the call': error('the poll of the payment failed', { cause: refused }),
  'a missing page behind the call': error('the poll of the payment failed', {
    cause: error('not there', { status: 404 }),
  }),
  'the status of a receipt in its message': error(
    'payment 1 was made, its receipt cannot be read: HTTP 429',
  ),
  'a missing receipt in its message': error('its receipt cannot be read: HTTP 404'),
  'the message of the error behind it': error(
    'the receipt cannot be read: Request failed with status code 409',
    { cause: error('Request failed with status code 409', { status: 409 }) },
  ),
  'the text of a customer in a lost connection': error(
    'socket hang up while booking "Fix the HTTP 429 of the login page"',
    { code: 'ECONNRESET' },
  ),
  'an answer of an MCP server that cites a status': error(
    'Payment 17 was made. The receipt service answered HTTP 429.',
    { name: 'McpToolError' },
  ),
  'a file that cannot be opened': error('EMFILE: too many open files, open receipt.json', {
    code: 'EMFILE',
    syscall: 'open',
  }),
  'a file that is in use': error('EBUSY: resource busy, unlink receipt.json', {
    code: 'EBUSY',
    syscall: 'unlink',
  }),
  'several attempts, one of them after the connection': Object.assign(
    new AggregateError([
      error('refused', { syscall: 'connect' }),
      error('refused', { syscall: 'read' }),
    ]),
    { code: 'ECONNREFUSED' },
  ),
  'a message of LangChain about an error': error('Request failed with status code 429', {
    name: 'ToolMessageError',
  }),
  'a missing file': error('ENOENT: no such file', { code: 'ENOENT' }),
  'words of a missing key': error('invalid api key'),
  'nothing at all': undefined,
}

/** One call of a tool, without arguments. */
const bankWith = (pay: Tool) =>
  defineGraph({
    id: 'bank',
    start: 'a',
    nodes: {
      a: { use: 'tool', tool: 'pay', on: { done: 'paid' } },
      paid: { final: 'success' },
    },
    tools: { pay },
  })

describe('a write', () => {
  test.each(Object.entries(UNPROVEN))('is made once when it fails with %s', async (_, thrown) => {
    const { pay: made, other, effects } = await pay(thrown)
    expect(made + other).toBe(1)
    expect(effects).toMatchObject([{ tool: 'pay', kind: 'indeterminate' }])
  })

  test('is made once when its tool reports several attempts of a client', async () => {
    const limited = error('HTTP 429', { status: 429 })
    const reporting = (times: number) => (call: Calling) => {
      call.tried(times)
      return limited
    }
    expect(await pay(reporting(1))).toMatchObject({ pay: 1, other: 1 })
    expect(await pay(reporting(3))).toMatchObject({ pay: 1, other: 0 })
  })

  test.each(Object.entries(UNPROVEN))(
    'that is idempotent is not given to a substitute when it fails with %s',
    async (_, thrown) => expect((await pay(thrown, { idempotent: true })).other).toBe(0),
  )

  test.each([
    ['a refused connection', refused],
    ['fetch of a refused connection', new TypeError('fetch failed', { cause: refused })],
    ['an unreachable host', error('no route', { code: 'EHOSTUNREACH', syscall: 'connect' })],
    ['no descriptor for a connection', error('EMFILE', { code: 'EMFILE', syscall: 'connect' })],
    ['HTTP 401', error('no', { status: 401 })],
    ['nothing but a status', error('HTTP 401 Unauthorized')],
    ['nothing but a status code', error('Request failed with status code 429')],
    ['gRPC UNAUTHENTICATED', error('16 UNAUTHENTICATED: no key', { code: 16 })],
    ['AWS 403', error('AccessDenied', { $metadata: { httpStatusCode: 403 }, $fault: 'client' })],
  ])('that was refused with %s is made by its substitute', async (_, thrown) => {
    const { other, outcome, effects } = await pay(thrown)
    expect({ other, outcome }).toEqual({ other: 1, outcome: 'success' })
    expect(effects).toMatchObject([{ kind: 'irreversible' }])
  })
})

describe('the failure of a write', () => {
  test.each([
    ['an error of the tool', error('Insufficient funds')],
    ['a bug', new TypeError("Cannot read properties of undefined (reading 'id')")],
    ['an answer that cannot be read', new SyntaxError('Unexpected end of JSON input')],
  ])('goes to the node with %s: no person is asked', async (_, thrown) => {
    expect(await pay(thrown)).toMatchObject({ status: 'ended', outcome: 'failure' })
  })

  test.each([
    ['Postgres 08006', UNPROVEN['Postgres 08006']],
    ['a host that left', UNPROVEN['a host that left the network']],
    ['MySQL connection lost', UNPROVEN['MySQL connection lost']],
    ['gRPC DEADLINE_EXCEEDED', UNPROVEN['gRPC DEADLINE_EXCEEDED']],
    ['AWS 500', UNPROVEN['AWS 500']],
    ['a refused poll behind the call', UNPROVEN['a refused poll behind the call']],
    ['an accepted write in the message', error('charge: HTTP 200 but the body is not JSON')],
    ['the status of a receipt', UNPROVEN['the status of a receipt in its message']],
  ])('asks a person after a lost connection: %s', async (_, thrown) => {
    expect((await pay(thrown)).status).toBe('waiting')
  })
})

const MCP_ERRORS = {
  'the status of a later request': {
    isError: true,
    content: [{ type: 'text', text: 'Request failed with status code 429' }],
  },
  'the words of a lost connection': {
    isError: true,
    content: [{ type: 'text', text: 'terminated' }],
  },
  'the code of a lost connection': {
    isError: true,
    content: [{ type: 'text', text: 'read ECONNRESET' }],
  },
  'a receipt that its server cannot validate': {
    isError: true,
    content: [
      {
        type: 'text',
        text: 'Output validation error: Invalid structured content for tool pay: receipt: expected string',
      },
    ],
  },
  'a receipt that its client cannot validate': error(
    "Structured content does not match the tool's output schema: data/receipt must be string",
    { code: -32602 },
  ),
  'a result that the protocol does not have': error(
    'Invalid tools/call result: [{ "code": "invalid_union" }]',
    { code: -32602 },
  ),
  'a lost connection behind the server': error('Not connected', { code: -32603 }),
  'a refused connection behind the server': error('connect ECONNREFUSED 10.0.0.1:5432', {
    code: -32603,
  }),
  'a status behind the server': new ProtocolError(404, 'Request failed with status code 404'),
  'a method that the client does not have': new ProtocolError(-32601, 'Method not found'),
  'a bad request that the tool has made': new ProtocolError(-32600, 'Invalid request'),
  'wrong parameters of a later request': new ProtocolError(-32602, 'unknown receipt'),
  'a code of gRPC behind the server': new ProtocolError(5, '5 NOT_FOUND: receipt'),
  'no receipt': error('Tool pay has an output schema but did not return structured content', {
    code: -32600,
  }),
}

/** What proves a refusal as the answer to the first request of a call. A server may ask for input after its effect, and the client then sends another one. */
const LATER_REFUSALS = {
  'a refused connection': Object.assign(new TypeError('fetch failed'), {
    cause: error('connect ECONNREFUSED 127.0.0.1:443', {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    }),
  }),
  'too many requests': error('HTTP 429', { status: 429 }),
  'a closed transport': error('Not connected', { code: 'NOT_CONNECTED' }),
}

describe('a write of an MCP server', () => {
  const paying = async (answer: object, settings: object = {}, hasBegun = false) => {
    let made = 0
    const { pay: found } = await mcpTools({
      listTools: async () => ({ tools: [{ name: 'pay', inputSchema: { type: 'object' } }] }),
      async callTool(_, { onprogress } = {}) {
        made += 1
        if (hasBegun) onprogress?.()
        if (answer instanceof Error) throw answer
        return answer
      },
    })
    const note = tool({
      name: 'note',
      description: 'Takes a note.',
      inputSchema,
      effects: 'write',
      execute: async () => 'noted',
      compensate: async () => {},
    })
    const status = tool({
      name: 'status',
      description: 'Asks for the status.',
      inputSchema,
      effects: 'read',
      execute: async () => 'pending',
    })
    const graph = defineGraph({
      id: 'shop',
      start: 'a',
      nodes: {
        a: { use: 'tool', tool: 'note', on: { done: 'b', error: 'b' } },
        b: { use: 'tool', tool: 'pay', on: { done: 'c', error: 'c' } },
        c: {
          use: 'tool',
          tool: 'status',
          on: { done: 'c', 'done.paid': 'paid', error: 'paid' },
          when: { paid: 'false' },
        },
        paid: { final: 'success' },
      },
      tools: { pay: found as Tool, note, status },
      ...settings,
    })
    return { ...(await ran(graph)), made }
  }

  test.each(Object.entries(LATER_REFUSALS))(
    'is asked about if a later request of its call fails with %s',
    async (_, answer) => {
      const before = await paying(answer)
      expect(before.made).toBeGreaterThan(1)
      const { made, effects } = await paying(answer, {}, true)
      expect(made).toBe(1)
      expect(effects).toMatchObject([{ tool: 'note' }, { tool: 'pay', kind: 'indeterminate' }])
    },
  )

  test.each(Object.entries(MCP_ERRORS))(
    'is not repeated by a retry after %s',
    async (_, answer) => {
      const { made, effects } = await paying(answer, {
        retry: { on: ['transient', 'persistent', 'unknown', 'business'] },
      })
      expect(made).toBe(1)
      expect(effects).toContainEqual(
        expect.objectContaining({ tool: 'pay', kind: 'indeterminate' }),
      )
    },
  )

  test.each(Object.entries(MCP_ERRORS))(
    'is not repeated by a rollback after %s',
    async (_, answer) => {
      expect((await paying(answer, { escape: { ladder: ['rollback', 'stop'] } })).made).toBe(1)
    },
  )

  test('is refused by wrong arguments, or by a rule of the graph on its error', async () => {
    const wrong = error('Invalid arguments for tool pay: count', { code: -32602 })
    expect((await paying(wrong)).effects).not.toContainEqual(
      expect.objectContaining({ tool: 'pay' }),
    )
    const isError = { isError: true, content: [{ type: 'text', text: 'no funds' }] }
    const failures = { rules: [{ id: 'funds', message: 'no funds', class: 'business' }] }
    expect((await paying(isError, { failures })).effects).not.toContainEqual(
      expect.objectContaining({ tool: 'pay' }),
    )
  })
})

describe('a tool that can reconcile its calls is asked', () => {
  const boom = error('boom')

  test('and its answer "applied" is the result', async () => {
    const found = await pay(boom, { reconcile: 'applied' })
    expect(found).toMatchObject({ pay: 1, asked: 1, outcome: 'success' })
  })

  test('and after its answer "not-applied" the write may be made again', async () => {
    const found = await pay(boom, { reconcile: 'not-applied' })
    expect(found).toMatchObject({ pay: 1, other: 1, outcome: 'success' })
  })

  test('and waits for a system that books late, so that the write is made once', async () => {
    const clock = virtualClock()
    const booked: { readonly key: string; readonly at: number }[] = []
    const bank = tool({
      name: 'pay',
      description: 'Pays.',
      inputSchema,
      effects: 'write',
      idempotent: false,
      async execute(_, { idempotencyKey: key }) {
        booked.push({ key, at: clock.now() + 5_000 })
        throw error('504 Gateway Timeout', { status: 504 })
      },
      async reconcile(_, { idempotencyKey, sleep }) {
        await sleep(10_000)
        const isBooked = booked.some(({ key, at }) => key === idempotencyKey && at <= clock.now())
        return { answer: isBooked ? 'applied' : 'not-applied', result: 'paid' }
      },
    })
    const graph = bankWith(bank)
    const runtime = createRuntime({ store: memoryStore(), graphs: [graph], clock })
    const { ended } = await (await runtime.start(graph, {}, { thread: 't' })).drive()
    await runtime.close()
    expect(booked).toHaveLength(1)
    expect(ended?.outcome).toBe('success')
  })

  test('and a person is asked when it cannot tell', async () => {
    expect((await pay(boom, { reconcile: 'unknown' })).status).toBe('waiting')
  })
})

describe('a reconcile that is broken', () => {
  const answer = "instead of { answer: 'applied' | 'not-applied' | 'unknown' }"
  const secret = `sk-ant-api03-${'a1B2'.repeat(24)}`

  /** The event of the answer, and what a person and an operator read. */
  async function ask(reconcile: () => unknown, timeout = 1_000) {
    const pay = tool({
      ...{ name: 'pay', description: 'Pays.', inputSchema, effects: 'write', timeout },
      execute: () => Promise.reject(error('HTTP 500', { status: 500 })),
      reconcile: async () => reconcile() as never,
    })
    const graph = bankWith(pay)
    const store = memoryStore()
    const clock = virtualClock()
    const runtime = createRuntime({ store, graphs: [graph], clock })
    const { questions } = await (await runtime.start(graph, {}, { thread: 't' })).drive()
    await runtime.close()
    const rows = await store.rows('t')
    const found = rows.find(({ event }) => event.type === 'call.reconciled')?.event
    return {
      event: found?.type === 'call.reconciled' ? found : undefined,
      question: questions[0]?.question ?? '',
      effect: explain((effectsOf(rows)[0] as ExternalEffect).became),
      shown: draw(
        rows.flatMap(row => lineOf(row, { startedAt: 0 })),
        PIPE,
      ),
    }
  }

  test.each<readonly [string, () => unknown, string]>([
    [
      'throws',
      () => {
        throw error('ledger down: token expired')
      },
      'failed (ledger down: token expired)',
    ],
    [
      'throws a secret',
      () => {
        throw error(`bad key ${secret}`)
      },
      'failed (bad key',
    ],
    ['does not return', () => new Promise(() => {}), 'failed (no answer within 1000 ms)'],
    ['returns a text', () => 'applied', `returned "applied" ${answer}`],
    ['returns a secret', () => ({ key: secret }), 'returned {"key":"'],
    ['returns true', () => true, `returned true ${answer}`],
    ['returns nothing', () => undefined, `returned undefined ${answer}`],
    ['returns null', () => null, `returned null ${answer}`],
    ['misspells', () => ({ answer: 'done' }), `returned {"answer":"done"} ${answer}`],
    ['returns a long text', () => 'x '.repeat(900), 'returned "x x x'],
  ])('is named to people, with its cause: one that %s', async (_, reconcile, cause) => {
    const { event, question, effect, shown } = await ask(reconcile)
    const start = `\`reconcile\` of pay ${cause}`
    expect(event).toMatchObject({ answer: 'unknown', by: 'tool' })
    expect(explain(event?.because as Reason)).toContain(start)
    expect(question).toContain(start)
    expect(question).toMatch(
      /HTTP 500\. The outcome of a call of pay is unknown\. Did it take effect\?$/,
    )
    expect(effect).toContain(start)
    expect(effect).toMatch(/HTTP 500$/)
    expect(shown).toContain(start)
    const texts = JSON.stringify([event, question, effect])
    expect(texts).not.toContain(secret.slice(13, 60))
    expect(texts.length).toBeLessThan(2_000)
  })

  test('does not show a secret of several words whose end is cut', async () => {
    vi.stubEnv('BANK_PASSWORD', 'orange lamp seven rivers under a quiet stone')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { BANK_PASSWORD: key = '' } = process.env
    const { event, question, effect } = await ask(() => ({ a: 'x '.repeat(36), key }))
    expect(question).toContain('returned {"a":')
    expect(JSON.stringify([event, question, effect])).not.toContain('orange')
  })

  test('has a cause only if it does not answer "unknown"', async () => {
    const { event, question } = await ask(() => ({ answer: 'unknown' }))
    expect(event).not.toHaveProperty('because')
    expect(question).toBe('The outcome of a call of pay is unknown. Did it take effect?')
  })
})
