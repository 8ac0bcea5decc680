/** Random requests to the service: valid ones, with random parts replaced by hostile values. The same seed gives the same requests. */
import { CONTRACT } from '../../src/faces/http/contract/contract.ts'
import type { Endpoint } from '../../src/faces/http/contract/endpoint.ts'
import { draw } from '../../src/core/watch/data/json.ts'

const HOSTILE: readonly unknown[] = [
  ...[null, true, -1, 0, 1.5, 2 ** 53, 1e308, '', ' ', '..', '../../etc/passwd', '%00', '\u0000'],
  ...[
    '__proto__',
    'constructor',
    '\ud800',
    '🙂'.repeat(50),
    'x'.repeat(5_000),
    '\r\nset-cookie: x',
  ],
  ...[[], {}, [[[[]]]], { __proto__: { role: 'admin' } }, { constructor: { prototype: 1 } }],
  ...[JSON.parse('{"__proto__":{"a":1}}'), Array.from({ length: 200 }, (_, index) => index)],
]

const VALUES: readonly unknown[] = [
  ...['asking', 'one', 'two', 'f0', 'work', 'ask#1', 'approved', 'dismiss', 'rollback', 'refuse'],
  ...['tool', 'model', 'transient', 'set', 'clear', 'open', 'close', { goal: 'g' }, {}, 3, 0, 'g'],
  ...[{ limits: { steps: 9 } }, { escape: { ladder: ['stop'] } }],
]

type Body = Readonly<Record<string, unknown>>

/** Valid bodies by path, in which some fields are replaced. */
const VALID: Readonly<Record<string, readonly Body[]>> = {
  '/v1/threads': [
    { graph: 'asking', input: { goal: 'g' } },
    { graph: 'asking', input: { goal: 'g' }, thread: 'two', seed: 7 },
  ],
  '/v1/threads/{thread}/commands': [
    { do: 'answer', question: 'ask#1', decision: 'approved' },
    { do: 'inject', kind: 'tool', name: 'work', times: 2 },
    { do: 'fork', effects: 'recorded' },
    { do: 'patch-policy', change: { limits: { steps: 9 } } },
    { do: 'send', input: { goal: 'h' } },
    { do: 'escape', rung: 'alternative', to: 'end' },
    ...['pause', 'step', 'resume', 'cancel', 'stop', 'rollback', 'dismiss'].map(each => {
      return { do: each }
    }),
  ],
  '/v1/breakpoints': [
    { do: 'set', graph: 'asking', node: 'work' },
    { do: 'clear', graph: 'asking', node: 'work' },
  ],
  '/v1/breakers/{resource}/commands': [{ do: 'open', ms: 3 }, { do: 'auto' }],
  '/v1/scopes/release': [{ scope: 'job', key: '1' }],
  '/chat': [
    { id: 'one', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'g' }] }] },
  ],
  '/ag-ui': [
    { threadId: 'one', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'g' }] },
    {
      threadId: 'one',
      runId: 'r',
      messages: [],
      resume: [{ interruptId: 'ask#1', status: 'resolved' }],
    },
  ],
  '/langgraph/threads': [{ thread_id: 'one' }],
  '/langgraph/threads/{thread}/history': [{ limit: 3 }],
  '/langgraph/threads/{thread}/commands': [
    { id: 1, method: 'run.start', params: { assistant_id: 'asking', input: { goal: 'g' } } },
    { id: 2, method: 'input.respond', params: { interrupt_id: 'ask#1', response: true } },
  ],
  '/mcp': [
    { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'show', arguments: { thread: 'one' } },
    },
  ],
}

const VERBS = [
  ...['answer', 'send', 'cancel', 'stop', 'pause', 'step', 'resume', 'escape', 'rollback'],
  ...['dismiss', 'inject', 'patch-policy', 'fork', 'set', 'clear', 'open', 'half-open', 'explode'],
]

const FIELDS = [
  ...['graph', 'input', 'thread', 'keys', 'seed', 'question', 'decision', 'rung', 'to', 'output'],
  ...['note', 'reason', 'change', 'as', 'at', 'effects', 'expectSeq', 'kind', 'name', 'class'],
  ...['messages', 'threadId', 'resume', 'forwardedProps', 'trigger', 'method', 'params', 'id'],
  ...['message', 'times', 'finding', 'node', 'ms', 'scope', 'key', 'token', 'extra'],
]

const STREAM = 'text/event-stream'
/** Without the streams that end only with their client. */
const ENDPOINTS = Object.values<Endpoint>(CONTRACT).filter(
  ({ returns, path }) => returns !== STREAM || !/^\/v1|\/events$/.test(path),
)

/** The nth request of a seed. */
export function requestOf(seed: number, nth: number): Request {
  let purpose = 0
  const chance = () => draw(seed, 'fuzz', nth, String(purpose++))
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)] as T
  const value = () => pick(chance() < 0.7 ? VALUES : HOSTILE)
  const endpoint = pick(ENDPOINTS)
  const valid = VALID[endpoint.path] ?? [{}]
  const path = endpoint.path.replace(/\{\w+\}/g, () => encoded(chance() < 0.5 ? 'one' : value()))
  const query =
    chance() < 0.3 ? `?${encoded(pick([...FIELDS, 'limit', 'after']))}=${encoded(value())}` : ''
  const body: Record<string, unknown> = chance() < 0.7 ? { ...pick(valid) } : { do: pick(VERBS) }
  for (let left = Math.floor(chance() * 8) - 3; left > 0; left--) body[pick(FIELDS)] = value()
  const text =
    chance() < 0.9 ? JSON.stringify(body) : pick(['', '{', 'null', '[]', '\u0000', '"x"', '{"a":'])
  const type =
    chance() < 0.9 ? 'application/json' : pick(['text/plain', 'application/x-ndjson', ''])
  const method = chance() < 0.95 ? endpoint.method.toUpperCase() : pick(['PUT', 'DELETE', 'PATCH'])
  const key = chance() < 0.9 ? 'key-admin' : pick(['key-view', 'none', ''])
  const headers = new Headers({ authorization: `Bearer ${key}` })
  if (type !== '') headers.set('content-type', type)
  if (chance() < 0.2) headers.set('idempotency-key', pick(['k1', 'k2', 'a b', 'x'.repeat(300)]))
  if (chance() < 0.05) headers.set('last-event-id', pick(['7', '-1', 'x.y', '9'.repeat(40)]))
  const url = `http://localhost${path}${query}`
  return new Request(url, { method, headers, ...(method !== 'GET' && { body: text }) })
}

/** A value as part of a URL. A lone surrogate has no encoding. */
const encoded = (value: unknown): string =>
  encodeURIComponent(
    (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed(),
  )
