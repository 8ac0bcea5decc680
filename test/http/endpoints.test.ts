/** The endpoints of the service, over real HTTP on a SQLite file. */
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { wholeOf } from '../../src/faces/http/contract/rows.ts'
import { asking } from '../host/graphs.ts'
import { askingThread, type Reply, type Served, service } from './service.ts'

async function untilState(of: Served, holds: (state: Reply['body']) => boolean) {
  for (;;) {
    const { body } = await of.send('GET', '/v1/threads/one')
    if (holds(body)) return body
    await setTimeout(5)
  }
}

describe('threads', () => {
  test('a start answers 201 after the first event is stored', async () => {
    const of = await service()
    const { status, body } = await of.send('POST', '/v1/threads', {
      graph: 'asking',
      input: { goal: 'g' },
      thread: 'a/b',
    })
    expect([status, body]).toEqual([201, { thread: 'a/b' }])
    expect((await of.send('GET', '/v1/threads/a%2Fb')).body).toMatchObject({
      thread: 'a/b',
      graph: 'asking',
      channels: { goal: 'g' },
    })
  })

  test('a state can be read without its channels', async () => {
    const of = await service()
    await askingThread(of)
    const { body: whole } = await of.send('GET', '/v1/threads/one')
    const { channels: _, ...rest } = whole
    expect((await of.send('GET', '/v1/threads/one?channels=false')).body).toEqual(rest)
    expect((await of.send('GET', '/v1/threads/one?channels=no')).status).toBe(422)
  })

  test('an unknown graph, a faulty input and an unknown thread are problems with a code', async () => {
    const of = await service()
    const problems = [
      await of.send('POST', '/v1/threads', { graph: 'none' }),
      await of.send('POST', '/v1/threads', { graph: 'asking', input: { goal: 7 } }),
      await of.send('POST', '/v1/threads', { graph: 'asking', inputs: {} }),
      await of.send('GET', '/v1/threads/none'),
      await of.send('GET', '/v1/threads/none/rows'),
      await of.send('GET', '/v1/none'),
    ]
    expect(problems.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'unknown-graph'],
      [422, 'invalid-input'],
      [422, 'invalid-request'],
      [404, 'unknown-thread'],
      [404, 'unknown-thread'],
      [404, 'unknown-path'],
    ])
    for (const { headers, text } of problems) {
      expect(headers.get('content-type')).toBe('application/problem+json')
      expect(text).not.toMatch(/\.ts:\d|node_modules/)
    }
  })

  test('a fault of the request has its path', async () => {
    const of = await service()
    const { body } = await of.send('POST', '/v1/threads', {
      graph: 'asking',
      keys: { customer: 7 },
    })
    expect(body.errors).toEqual([{ path: 'keys.customer', message: expect.any(String) }])
  })

  test('a list has filters and pages', async () => {
    const of = await service()
    for (const name of ['t1', 't2', 't3', 'u1']) await askingThread(of, name)
    const names = async (query: string) => {
      const { body } = await of.send('GET', `/v1/threads?${query}`)
      return [body.threads.map(({ thread }: { thread: string }) => thread), body.next]
    }
    expect(await names('limit=2')).toEqual([['t1', 't2'], 't2'])
    expect(await names('limit=2&after=t2')).toEqual([['t3', 'u1'], undefined])
    expect(await names('prefix=u')).toEqual([['u1'], undefined])
    expect(await names('status=ended')).toEqual([[], undefined])
    expect((await of.send('GET', '/v1/threads?limit=0')).status).toBe(422)
    const asked = async (query: string) => {
      const { body } = await of.send('GET', `/v1/inbox?${query}`)
      return body.questions.map(({ thread }: { thread: string }) => thread)
    }
    expect(await asked('prefix=t&limit=2')).toEqual(['t1', 't2'])
    expect(await asked('prefix=u')).toEqual(['u1'])
    expect((await of.send('GET', '/v1/inbox/answered?prefix=u')).body).toEqual({ answered: [] })
  })

  test('a list of stale threads has the open threads of other versions of the graphs', async () => {
    const before = await service()
    await askingThread(before)
    await before.stop()
    const after = await service({
      file: before.file,
      graphs: [asking(undefined, { output: ['goal', 'found'] })],
    })
    await askingThread(after, 'two')
    const { body } = await after.send('GET', '/v1/threads?stale=true')
    expect(body.threads).toMatchObject([{ thread: 'one', status: 'waiting' }])
  })

  test('state at an event, rows and checkpoints read the journal', async () => {
    const of = await service()
    const { state } = await askingThread(of)
    const before = await of.send('GET', '/v1/threads/one?at=0')
    expect([before.body.seq, before.body.questions]).toEqual([0, []])
    expect((await of.send('GET', '/v1/threads/one?at=999')).body.code).toBe('unknown-event')
    const rows = (await of.send('GET', '/v1/threads/one/rows?after=1')).text.trim().split('\n')
    expect(rows.map(line => JSON.parse(line).seq)).toEqual(
      Array.from({ length: state.seq - 1 }, (_, index) => index + 2),
    )
    const limited = (await of.send('GET', '/v1/threads/one/rows?limit=2')).text.trim().split('\n')
    expect(limited).toHaveLength(2)
    const lite = await of.send('GET', '/v1/threads/one/rows?after=1&fields=lite')
    expect(lite.text).not.toContain('"findings":[]')
    const liteRows = lite.text.trim().split('\n')
    expect(liteRows.map(line => JSON.stringify(wholeOf(JSON.parse(line))))).toEqual(rows)
    const { body } = await of.send('GET', '/v1/threads/one/checkpoints')
    expect(body.checkpoints).toEqual(expect.any(Array))
  })

  test('an export of one service is imported by another', async () => {
    const [from, to] = [await service(), await service()]
    const { state } = await askingThread(from)
    const { text } = await from.send('GET', '/v1/threads/one/export')
    const ndjson = { headers: { 'content-type': 'application/x-ndjson' } }
    const imported = await to.send('POST', '/v1/import', text, ndjson)
    expect([imported.status, imported.body]).toEqual([201, { thread: 'one' }])
    expect((await to.send('GET', '/v1/threads/one')).body.seq).toBe(state.seq)
    expect((await to.send('POST', '/v1/import', `${text}x`, ndjson)).body.code).toBe('bad-archive')
    const gzip = { headers: { 'content-type': 'application/gzip' } }
    const packed = gzipSync(text)
    // The first bytes count, not the type.
    for (const [as, body, type] of [
      ['packed', packed, gzip],
      ['of-another-type', packed, ndjson],
      ['not-packed', text, gzip],
    ] as const) {
      const given = await to.send('POST', `/v1/import?as=${as}`, body, type)
      expect([as, given.status, given.body]).toEqual([as, 201, { thread: as }])
    }
    const bomb = gzipSync(Buffer.alloc(8_388_608, 32))
    for (const [body, message] of [
      [packed.subarray(0, -20), 'is truncated'],
      [bomb, 'unpacks to more than 4194304 bytes'],
    ] as const) {
      const refused = await to.send('POST', '/v1/import?as=x', body, gzip)
      expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining(message)])
    }
  })

  test('an archive has a limit of its own, above that of other bodies', async () => {
    const from = await service()
    await askingThread(from)
    const { text } = await from.send('GET', '/v1/threads/one/export')
    const ndjson = { headers: { 'content-type': 'application/x-ndjson' } }
    const statuses = []
    for (const archiveBytes of [text.length * 2, 100]) {
      const to = await service({ limits: { bodyBytes: 100, archiveBytes } })
      statuses.push((await to.send('POST', '/v1/import', text, ndjson)).status)
    }
    expect(statuses).toEqual([201, 413])
  })

  test('a list does not show which process drives a thread', async () => {
    const of = await service({
      graphs: [asking(({ signal }) => setTimeout(60_000, undefined, { signal }))],
    })
    const start = { graph: 'asking', input: { goal: 'g' }, thread: 'one' }
    await of.send('POST', '/v1/threads', start)
    const { body } = await of.send('GET', '/v1/threads')
    const { threads } = await of.runtime.threads()
    const summary = await of.runtime.thread('one').summary()
    for (const listed of [...body.threads, ...threads, summary]) {
      expect(listed.status).toBe('active')
      expect(listed).not.toHaveProperty('lease')
    }
  })
})

describe('commands', () => {
  test('an answer is applied, and the thread goes on', async () => {
    const of = await service()
    const { state } = await askingThread(of)
    const answer = { do: 'answer', question: state.questions[0].id, decision: 'approved' }
    const { status, body } = await of.send('POST', '/v1/threads/one/commands', answer)
    expect([status, body.thread]).toEqual([200, 'one'])
    const { outcome } = await of.runtime.thread('one').result()
    expect(outcome).toBe('success')
    const late = await of.send('POST', '/v1/threads/one/commands', answer)
    expect([late.status, typeof late.body.detail]).toEqual([409, 'string'])
  })

  test('expectSeq that is stale is refused with 409 and the last event', async () => {
    const of = await service()
    const { state } = await askingThread(of)
    const command = { do: 'cancel', reason: 'enough', expectSeq: state.seq - 1 }
    const { status, body } = await of.send('POST', '/v1/threads/one/commands', command)
    expect([status, body.code, body.seq]).toEqual([409, 'stale-seq', state.seq])
    const now = { ...command, expectSeq: state.seq }
    expect((await of.send('POST', '/v1/threads/one/commands', now)).status).toBe(200)
  })

  test('a fork with a stale expectSeq is refused, and creates no thread', async () => {
    const of = await service()
    const { state } = await askingThread(of)
    const fork = { do: 'fork', effects: 'refuse', as: 'two', expectSeq: state.seq - 1 }
    const { status, body } = await of.send('POST', '/v1/threads/one/commands', fork)
    expect([status, body.code, body.seq]).toEqual([409, 'stale-seq', state.seq])
    expect((await of.send('GET', '/v1/threads/two')).status).toBe(404)
  })

  test('each caller has its own idempotency keys', async () => {
    const of = await service()
    const headers = { 'idempotency-key': 'k1' }
    const startedBy = async (role: string, goal: string) => {
      const start = { graph: 'asking', input: { goal } }
      return of.send('POST', '/v1/threads', start, { headers, role })
    }
    const [one, other] = [await startedBy('operate', 'g'), await startedBy('admin', 'h')]
    expect([one.status, other.status]).toEqual([201, 201])
    expect(one.body.thread).not.toBe(other.body.thread)
  })

  test('a repeated Idempotency-Key has the effect of one request, and another body is refused', async () => {
    const of = await service()
    const headers = { 'idempotency-key': 'k1' }
    const start = { graph: 'asking', input: { goal: 'g' } }
    const first = await of.send('POST', '/v1/threads', start, { headers })
    const again = await of.send('POST', '/v1/threads', start, { headers })
    expect(again.body).toEqual(first.body)
    const other = { graph: 'asking', input: { goal: 'h' } }
    expect((await of.send('POST', '/v1/threads', other, { headers })).body.code).toBe('key-reused')
    expect((await of.runtime.threads()).threads).toHaveLength(1)

    const path = `/v1/threads/${first.body.thread}/commands`
    const fork = { do: 'fork', effects: 'refuse', at: 0 }
    const forks = [
      await of.send('POST', path, fork, { headers }),
      await of.send('POST', path, fork, { headers }),
    ]
    expect(forks.map(({ status }) => status)).toEqual([200, 200])
    expect(forks[0]?.body.thread).toBe(forks[1]?.body.thread)
    const cancel = {
      do: 'cancel',
      reason: 'enough',
      expectSeq: (await of.runtime.thread(first.body.thread).state()).seq,
    }
    const k2 = { headers: { 'idempotency-key': 'k2' } }
    expect((await of.send('POST', path, cancel, k2)).status).toBe(200)
    expect((await of.send('POST', path, cancel, k2)).status).toBe(200)
  })

  test('a start changes the policy of its graph, and a faulty change has its path', async () => {
    const of = await service()
    const start = { graph: 'asking', input: { goal: 'g' }, thread: 'one' }
    const faulty = { ...start, policy: { limits: { steps: 0 } } }
    const { status, body } = await of.send('POST', '/v1/threads', faulty)
    expect([status, body.code]).toEqual([422, 'invalid-input'])
    expect(body.detail).toMatch(/^policy\.limits\.steps: /)
    const limited = { ...start, policy: { limits: { steps: 7 } } }
    expect((await of.send('POST', '/v1/threads', limited)).status).toBe(201)
    const [first] = await of.runtime.thread('one').rows({ limit: 1 })
    expect(first?.event).toMatchObject({ policy: { limits: { steps: 7 } } })
  })

  test('a policy changes, and a faulty command has its path', async () => {
    const of = await service()
    await askingThread(of)
    const change = { do: 'patch-policy', change: { limits: { steps: 7 } } }
    expect((await of.send('POST', '/v1/threads/one/commands', change)).status).toBe(200)
    const unknown = await of.send('POST', '/v1/threads/one/commands', { do: 'explode' })
    expect([unknown.status, unknown.body.errors[0].path]).toEqual([422, 'do'])
    const never = { do: 'inject', kind: 'tool', name: 'work', times: 0 }
    const { status, body } = await of.send('POST', '/v1/threads/one/commands', never)
    expect([status, body.errors?.[0].path]).toEqual([422, 'times'])
  })

  test('a problem names the fields of a request without invisible characters', async () => {
    const of = await service()
    const start = { graph: 'asking', input: { goal: 'g' }, 'a\u202eb\u009b31m': 1 }
    const { text, body } = await of.send('POST', '/v1/threads', start)
    expect(text).toContain(String.raw`a\u202eb\u009b31m`)
    expect(JSON.stringify(body)).toContain('a\u202eb\u009b31m')
  })
})

describe('control', () => {
  const command = (of: Served, body: object) => of.send('POST', '/v1/threads/one/commands', body)

  test('a breakpoint set before the start pauses a thread, which is stepped and resumed', async () => {
    const of = await service()
    const point = { graph: 'asking', node: 'work' }
    const set = await of.send('POST', '/v1/breakpoints', { do: 'set', ...point })
    expect([set.status, set.body]).toEqual([200, { breakpoints: [point] }])
    const unknown = { do: 'set', graph: 'asking', node: 'none' }
    expect((await of.send('POST', '/v1/breakpoints', unknown)).body.code).toBe('unknown-node')
    await of.send('POST', '/v1/threads', { graph: 'asking', input: { goal: 'g' }, thread: 'one' })
    const state = await untilState(of, ({ paused }) => paused !== undefined)
    expect(state).toMatchObject({ paused: { before: 'work#1' }, waitsFor: 'person' })
    expect((await command(of, { do: 'pause' })).body.code).toBe('already-paused')
    expect((await command(of, { do: 'step' })).status).toBe(200)
    const asked = await untilState(of, ({ questions }) => questions.length > 0)
    expect(asked.paused).toBeDefined()
    expect((await command(of, { do: 'resume' })).status).toBe(200)
    await untilState(of, ({ paused }) => paused === undefined)
    await of.send('POST', '/v1/breakpoints', { do: 'clear', ...point })
    expect((await of.send('GET', '/v1/breakpoints')).body).toEqual({ breakpoints: [] })
  })

  test('a breakpoint with a condition pauses a thread, and is refused with the position', async () => {
    const of = await service()
    const point = { graph: 'asking', when: "event.type == 'tool.called'" }
    const set = await of.send('POST', '/v1/breakpoints', { do: 'set', ...point })
    expect([set.status, set.body]).toEqual([200, { breakpoints: [point] }])
    await of.send('POST', '/v1/threads', { graph: 'asking', input: { goal: 'g' }, thread: 'one' })
    const state = await untilState(of, ({ paused }) => paused !== undefined)
    expect(state.paused).toMatchObject({ met: { when: point.when, seq: 2 } })
    const cleared = await of.send('POST', '/v1/breakpoints', { do: 'clear', ...point })
    expect(cleared.body).toEqual({ breakpoints: [] })
    const refused = async (body: object) => {
      const { status, body: problem } = await of.send('POST', '/v1/breakpoints', body)
      return [status, problem.code, problem.detail]
    }
    expect(await refused({ do: 'set', graph: 'asking', when: 'event.type ==' })).toEqual([
      422,
      'invalid-condition',
      'when: CEL: Unexpected token: EOF at column 14 of `event.type ==`',
    ])
    expect((await refused({ do: 'set', ...point, node: 'work' }))[1]).toBe('invalid-request')
    expect((await refused({ do: 'set', graph: 'none', when: 'true' }))[1]).toBe('unknown-graph')
  })

  test('faults, escapes, dismissals and stops are applied or refused with a code', async () => {
    const of = await service()
    await askingThread(of)
    const fault = { do: 'inject', kind: 'tool', name: 'work', class: 'transient', times: 2 }
    expect((await command(of, fault)).status).toBe(200)
    const refused = []
    for (const body of [
      { ...fault, name: 'none' },
      { do: 'escape', rung: 'alternative' },
      { do: 'rollback' },
      { do: 'dismiss' },
    ])
      refused.push((await command(of, body)).body.code)
    expect(refused).toEqual([
      'unknown-name',
      'no-alternative-edge',
      'no-savepoint',
      'unknown-finding',
    ])
    expect((await command(of, { do: 'stop', reason: 'wrong customer' })).status).toBe(200)
    expect(await of.runtime.thread('one').result()).toMatchObject({
      outcome: 'stopped',
      because: 'wrong customer',
    })
  })
})

describe('what threads share', () => {
  test('the inbox lists open questions with their options', async () => {
    const of = await service()
    await askingThread(of)
    const { body } = await of.send('GET', '/v1/inbox')
    expect(body.questions).toMatchObject([
      { thread: 'one', graph: 'asking', question: 'Go on?', deadline: expect.any(Number) },
    ])
  })

  test('answered questions name the caller that decided, which no client can choose', async () => {
    const of = await service()
    await askingThread(of)
    const answer = { do: 'answer', question: 'ask#1', decision: 'approved', note: 'fine' }
    const path = '/v1/threads/one/commands'
    const forged = await of.send('POST', path, { ...answer, by: 'Ada' })
    expect([forged.status, forged.body.code]).toEqual([422, 'invalid-request'])
    await of.send('POST', path, answer, { role: 'operate' })
    await untilState(of, ({ status }) => status === 'ended')
    const { body } = await of.send('GET', '/v1/inbox/answered', undefined, { role: 'view' })
    expect(body.answered).toMatchObject([
      { thread: 'one', question: 'Go on?', decision: 'approved', note: 'fine', outcome: 'success' },
    ])
    expect(body.answered[0].by).toBe('the operate')
    expect((await of.send('GET', '/v1/inbox/answered?limit=0')).status).toBe(422)
  })

  test('a breaker is opened, probed and closed', async () => {
    const of = await service()
    const path = `/v1/breakers/${encodeURIComponent('asking/tool:work')}/commands`
    const states = []
    for (const change of ['open', 'half-open', 'close']) {
      const { body } = await of.send('POST', path, { do: change })
      states.push([body.state, body.retryAt === undefined ? '' : body.retryAt > Date.now()])
    }
    expect(states).toEqual([
      ['open', true],
      ['open', false],
      ['closed', ''],
    ])
    expect((await of.send('GET', '/v1/breakers')).body.breakers).toMatchObject([
      { resource: 'asking/tool:work' },
    ])
    for (const unknown of ['none', 'none/tool:work', 'asking/model:work', 'asking/tool:none']) {
      const where = `/v1/breakers/${encodeURIComponent(unknown)}/commands`
      expect((await of.send('POST', where, { do: 'open' })).body.code).toBe('unknown-breaker')
    }
    expect((await of.send('GET', '/v1/breakers')).body.breakers).toHaveLength(1)
  })

  test('an unknown scope is not released', async () => {
    const of = await service()
    expect((await of.send('GET', '/v1/scopes')).body).toEqual({ scopes: [] })
    const { body } = await of.send('POST', '/v1/scopes/release', { scope: 'job', key: '1' })
    expect(body.code).toBe('unknown-scope')
  })

  test('a graph has its spec, findings, worst case and drawings', async () => {
    const of = await service()
    const { body } = await of.send('GET', '/v1/graphs/asking')
    expect(body).toMatchObject({
      graph: 'asking',
      spec: { id: 'asking' },
      findings: expect.any(Array),
      worstCase: { steps: {} },
    })
    expect((await of.send('GET', '/v1/graphs')).body.graphs).toHaveLength(1)
    expect((await of.send('GET', '/v1/graphs/asking/drawing?as=mermaid')).text).toContain(
      'stateDiagram',
    )
  })
})

test('OpenAPI 3.1 lists every endpoint with its schemas', async () => {
  const of = await service()
  const { body } = await of.send('GET', '/openapi.json')
  expect(body.openapi).toBe('3.1.0')
  expect(Object.keys(body.paths)).toContain('/v1/threads/{thread}/commands')
  expect(
    body.paths['/v1/threads'].get.parameters.map(({ name }: { name: string }) => name),
  ).toContain('after')
  expect(
    body.paths['/v1/threads'].post.requestBody.content['application/json'].schema.required,
  ).toEqual(['graph'])
})
