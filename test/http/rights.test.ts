/** What an API key may decide about its threads: only an admin changes their policy, and a key may bind their scope keys. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { createApp, hashKey } from '../../src/http.ts'
import { newFolders } from '../durability/folders.ts'
import { asking } from '../host/graphs.ts'
import { askingThread, KEYS, type Reply, type Served, service } from './service.ts'
import { serveIn } from './serving.ts'

const newFolder = newFolders()

const roles = KEYS.map(role => ({ name: role, role, hash: hashKey(`key-${role}`) }))
const keyOf = <T extends object>(name: string, more: T) =>
  ({ name, role: 'operate', hash: hashKey(`key-${name}`), ...more }) as const

const input = { goal: 'g' }
const start = { graph: 'asking', input }
const scoped = () =>
  asking(undefined, { limits: { scopes: { customer: { steps: 50 }, job: { steps: 50 } } } })

/** The status, the code and the paths of a refusal. */
const refusalOf = ({ status, body }: Reply) => [
  status,
  body?.code,
  ...(body?.errors ?? []).map(({ path }: { path: string }) => path),
]

/** The keys of the scopes of a thread. */
async function keysOf(of: Served, thread: string) {
  const [first] = await of.runtime.thread(thread).rows({ limit: 1 })
  if (first?.event.type !== 'thread.started') throw new Error('the thread has not started')
  const scopes = Object.entries(first.event.policy.limits.scopes ?? {})
  return Object.fromEntries(scopes.map(([name, { key }]) => [name, key]))
}

/** Changes that would waive a person, or loosen a limit. */
const CHANGES: readonly [object, readonly string[]][] = [
  [{ confirm: { work: 'never' } }, ['confirm.work']],
  [{ confirm: { work: { when: 'false' } } }, ['confirm.work.when']],
  [{ limits: { steps: 999, toolCalls: null } }, ['limits.steps', 'limits.toolCalls']],
  [{ limits: { scopes: { customer: null } } }, ['limits.scopes.customer']],
  [{ limits: null }, ['limits']],
  [{ mode: 'observe' }, ['mode']],
  [{ escape: { unattended: { mode: 'observe' } } }, ['escape.unattended.mode']],
  [{ escape: { rollback: { accept: ['work'] } } }, ['escape.rollback.accept']],
  [{ detect: { sequence: false } }, ['detect.sequence']],
]

test('a long key above very many fields costs no time', async () => {
  const of = await service({ graphs: [scoped()], keys: roles })
  await askingThread(of)
  const many = Object.fromEntries(Array.from({ length: 26_000 }, (_, nth) => [nth.toString(36), 1]))
  const change = { ['k'.repeat(260_000)]: many }
  const since = performance.now()
  const body = { ...start, policy: change }
  const reply = await of.send('POST', '/v1/threads', body, { role: 'operate' })
  const [status, code, ...paths] = refusalOf(reply)
  expect([status, code, paths.length]).toEqual([403, 'role-too-low', 20])
  expect(JSON.stringify(reply.body).length).toBeLessThan(10_000)
  expect(performance.now() - since).toBeLessThan(5_000)
})

describe('a change of the policy', () => {
  test.each(CHANGES)('%j needs the role admin, wherever it is', async (change, paths) => {
    const log: Record<string, unknown>[] = []
    const of = await service({ graphs: [scoped()], keys: roles, log: line => void log.push(line) })
    await askingThread(of)
    const commands = '/v1/threads/one/commands'
    const fork = { do: 'fork', effects: 'refuse', as: 'two' }
    const requests = [
      ['policy', '/v1/threads', { ...start, thread: 'two', policy: change }],
      ['change', commands, { do: 'patch-policy', change }],
      ['change', commands, { ...fork, change }],
    ] as const
    for (const [field, path, body] of requests) {
      const refused = await of.send('POST', path, body, { role: 'operate' })
      const expected = paths.map(each => `${field}.${each}`)
      expect(refusalOf(refused)).toEqual([403, 'role-too-low', ...expected])
      expect(refused.body.detail).toBe(
        "a change of the policy needs the role 'admin'; yours is 'operate'",
      )
      // The log names what was to change, without its values.
      expect(log.at(-1)).toMatchObject({ code: 'role-too-low', policy: paths.join(', ') })
    }
    expect((await of.runtime.threads()).threads).toHaveLength(1)
    const rows = await of.runtime.thread('one').rows()
    expect(rows.filter(({ event }) => event.type === 'policy.changed')).toEqual([])
    for (const [, path, body] of requests)
      expect(refusalOf(await of.send('POST', path, body))[1]).not.toBe('role-too-low')
  })

  test('is open to an admin, and the others start, fork and command without one', async () => {
    const of = await service({ graphs: [scoped()], keys: roles })
    await askingThread(of)
    const change = { limits: { steps: 7 } }
    const commands = '/v1/threads/one/commands'
    for (const [role, path, body] of [
      ['admin', '/v1/threads', { ...start, policy: change }],
      ['admin', commands, { do: 'patch-policy', change }],
      ['admin', commands, { do: 'fork', effects: 'refuse', change }],
      ['operate', '/v1/threads', start],
      ['operate', commands, { do: 'fork', effects: 'refuse' }],
      ['operate', commands, { do: 'pause' }],
    ] as const)
      expect((await of.send('POST', path, body, { role })).status).toBeLessThan(300)
  })

  test('that is empty needs the role, too', async () => {
    const of = await service({ keys: roles })
    const body = { ...start, policy: {} }
    const refused = await of.send('POST', '/v1/threads', body, { role: 'operate' })
    expect(refusalOf(refused)).toEqual([403, 'role-too-low', 'policy'])
  })

  test('by a fork of MCP needs the role, too', async () => {
    const of = await service({ keys: roles, mcp: { allowWrites: true } })
    await askingThread(of)
    const client = new Client({ name: 'coder', version: '1' })
    const requestInit = { headers: { authorization: 'Bearer key-operate' } }
    const url = new URL(`${of.url}/mcp`)
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
    const fork = { thread: 'one', effects: 'refuse', change: { limits: { steps: 999 } } }
    const refused = await client.callTool({ name: 'fork', arguments: fork })
    expect(JSON.stringify(refused)).toContain('role-too-low: a change of the policy needs the role')
    await client.close()
  })

  test('by a key with threads or scope keys of its own leaves the scopes, also as an admin', async () => {
    const keys = [
      keyOf('acme', { role: 'admin', threads: 'acme/' }),
      keyOf('shop', { role: 'admin', keys: { customer: 'acme' } }),
    ]
    const of = await service({ graphs: [scoped()], keys })
    const changes: readonly [object, string?][] = [
      [{ limits: { scopes: { customer: null } } }, 'policy.limits.scopes.customer'],
      [{ limits: { scopes: { customer: { key: 'beta' } } } }, 'policy.limits.scopes.customer.key'],
      [{ limits: { steps: 9, scopes: null } }, 'policy.limits.scopes'],
      [{ limits: null }, 'policy.limits'],
      [{ limits: { steps: 9 } }],
    ]
    for (const { name: role } of keys)
      for (const [policy, path] of changes) {
        const reply = await of.send('POST', '/v1/threads', { ...start, policy }, { role })
        expect(refusalOf(reply)).toEqual(path ? [403, 'shared-state', path] : [201, undefined])
      }
  })
})

describe('the scope keys of an API key', () => {
  const acme = keyOf('acme', { threads: 'acme/', keys: { customer: 'acme' } })
  const bound = (...more: object[]) =>
    service({ graphs: [scoped()], keys: [...roles, acme, ...more] as typeof roles })
  const own = { customer: 'acme', job: 'asking' }

  test('are those of every thread that it starts, by each protocol', async () => {
    const of = await bound()
    const send = (path: string, body: object) => of.send('POST', path, body, { role: 'acme' })
    await send('/v1/threads', { ...start, thread: 'acme/rest' })
    const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'g' }], content: 'g' }
    await send('/chat', { id: 'acme/chat', messages: [message] })
    await send('/ag-ui', { threadId: 'acme/ag-ui', runId: 'r', messages: [message] })
    const params = { assistant_id: 'asking', input }
    await send('/langgraph/threads/acme%2Flanggraph/commands', {
      ...{ id: 1, method: 'run.start', params },
    })
    for (const by of ['rest', 'chat', 'ag-ui', 'langgraph'])
      expect([by, await keysOf(of, `acme/${by}`)]).toEqual([by, own])
  })

  test('are not chosen by its requests', async () => {
    const of = await bound()
    const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'g' }], content: 'g' }
    const run = { threadId: 'acme/new', runId: 'r', messages: [message] }
    for (const [keys, path] of [
      [{ customer: 'beta' }, 'keys.customer'],
      [{ customer: 'acme', job: 'of beta' }, 'keys.job'],
    ] as const) {
      for (const [where, body] of [
        ['/v1/threads', { ...start, thread: 'acme/new', keys }],
        ['/chat', { id: 'acme/new', messages: [message], keys }],
      ] as const)
        expect(refusalOf(await of.send('POST', where, body, { role: 'acme' }))).toEqual([
          ...[403, 'foreign-key', path],
        ])
      const agUi = { ...run, forwardedProps: { keys } }
      const { text } = await of.send('POST', '/ag-ui', agUi, { role: 'acme' })
      expect(text).toContain('"code":"foreign-key"')
    }
    expect((await of.runtime.threads()).threads).toEqual([])
    const same = { ...start, thread: 'acme/new', keys: { customer: 'acme' } }
    expect((await of.send('POST', '/v1/threads', same, { role: 'acme' })).status).toBe(201)
    expect(await keysOf(of, 'acme/new')).toEqual(own)
  })

  test('without a prefix bind their scopes, and a key with only a prefix names none', async () => {
    const shop = keyOf('shop', { keys: { customer: 'acme' } })
    const beta = keyOf('beta', { threads: 'beta/' })
    const of = await bound(shop, beta)
    const send = (role: string, keys: object) =>
      of.send('POST', '/v1/threads', { ...start, thread: `beta/${role}`, keys }, { role })
    expect(refusalOf(await send('shop', { customer: 'beta' }))[1]).toBe('foreign-key')
    expect(refusalOf(await send('beta', { job: '7' }))).toEqual([403, 'foreign-key', 'keys.job'])
    expect((await send('shop', { job: '7' })).status).toBe(201)
    expect(await keysOf(of, 'beta/shop')).toEqual({ customer: 'acme', job: '7' })
    expect((await send('operate', { customer: 'any' })).status).toBe(201)
    expect(await keysOf(of, 'beta/operate')).toEqual({ customer: 'any', job: 'asking' })
  })

  test('are named by front ends of a key that binds none', async () => {
    const of = await bound()
    const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'g' }], content: 'g' }
    const keys = { customer: 'gamma' }
    await of.send('POST', '/chat', { id: 'chat', messages: [message], keys }, { role: 'operate' })
    const run = { threadId: 'ag-ui', runId: 'r', messages: [message], forwardedProps: { keys } }
    await of.send('POST', '/ag-ui', run, { role: 'operate' })
    for (const thread of ['chat', 'ag-ui'])
      expect(await keysOf(of, thread)).toMatchObject({ customer: 'gamma' })
  })

  test('do not stand in the way of a graph without the scope', async () => {
    const graphs = [
      asking(),
      asking(undefined, { id: 'other', limits: { scopes: { customer: {} } } }),
    ]
    const of = await service({ graphs, keys: [acme] })
    expect((await of.send('POST', '/v1/threads', start, { role: 'acme' })).status).toBe(201)
  })

  test('are not left by a fork, and release no other scope', async () => {
    const shop = keyOf('shop', { role: 'admin', keys: { customer: 'acme' } })
    const of = await bound(shop as typeof acme)
    for (const [thread, customer] of [
      ['acme/theirs', 'rival'],
      ['acme/own', 'acme'],
    ])
      await of.send('POST', '/v1/threads', { ...start, thread, keys: { customer } })
    const fork = (thread: string, role: string) =>
      of.send(
        'POST',
        `/v1/threads/acme%2F${thread}/commands`,
        { do: 'fork', effects: 'live', as: `acme/${thread}-${role}` },
        { role },
      )
    const release = (key: string) =>
      of.send('POST', '/v1/scopes/release', { scope: 'customer', key }, { role: 'shop' })
    for (const role of ['acme', 'shop']) {
      expect(refusalOf(await fork('theirs', role))).toEqual([403, 'foreign-key'])
      expect((await fork('own', role)).status).toBe(200)
    }
    expect(refusalOf(await release('rival'))).toEqual([403, 'foreign-key'])
    expect([204, 404]).toContain((await release('acme')).status)
  })

  test('import no archive, which has keys of its own', async () => {
    const of = await bound(keyOf('shop', { role: 'admin', keys: { customer: 'acme' } }))
    await askingThread(of)
    const { text } = await of.send('GET', '/v1/threads/one/export')
    const headers = { 'content-type': 'application/x-ndjson' }
    const reply = await of.send('POST', '/v1/import?as=two', text, { role: 'shop', headers })
    expect(refusalOf(reply)).toEqual([403, 'shared-state'])
  })

  test('that no thread can use are refused by the service', async () => {
    const { runtime } = await bound()
    const app = (keys: object) => () =>
      createApp(runtime, { keys: [keyOf('acme', { keys: keys as never })] })
    expect(app({ custmer: 'acme' })).toThrow(
      "keys: no graph has the scope 'custmer' of 'acme'; known scopes: customer, job",
    )
    for (const customer of ['', 'x'.repeat(201), 7])
      expect(app({ customer })).toThrow(
        'keys[0].keys.customer: expected a text from 1 to 200 characters',
      )
  })

  test('are read by escapement serve', async () => {
    const folder = newFolder()
    const spec = `escapement: 1
id: ask
start: ask
limits: { scopes: { customer: { steps: 50 } } }
nodes:
  ask: { use: human, question: Go on?, on: { human.approved: end, human.rejected: end } }
  end: { final: success }
`
    writeFileSync(join(folder, 'ask.yaml'), spec)
    const ESCAPEMENT_KEYS = `acme:operate:${hashKey('k')}:acme/:customer=acme`
    const { url } = await serveIn(folder, ['--graphs', '.'], { ESCAPEMENT_KEYS }).ready
    const headers = { authorization: 'Bearer k', 'content-type': 'application/json' }
    const started = (more: object) => {
      const body = JSON.stringify({ graph: 'ask', thread: 'acme/1', ...more })
      return fetch(`${url}/v1/threads`, { method: 'POST', headers, body })
    }
    expect((await started({ keys: { customer: 'beta' } })).status).toBe(403)
    expect((await started({})).status).toBe(201)
    const rows = await fetch(`${url}/v1/threads/acme%2F1/rows?limit=1`, { headers })
    expect(await rows.text()).toContain('"key":"acme"')
  })

  test.each(['customer=acme:acme/', 'acme/:customer=acme/'])(
    'in another order or with a slash are refused by escapement serve: %s',
    async pairs => {
      const folder = newFolder()
      const ESCAPEMENT_KEYS = `acme:operate:${hashKey('k')}:${pairs}`
      await expect(serveIn(folder, ['--graphs', '.'], { ESCAPEMENT_KEYS }).ready).rejects.toThrow(
        'ESCAPEMENT_KEYS: expected NAME:ROLE:SHA256',
      )
    },
  )
})

test('an empty scope key is refused', async () => {
  const of = await service({ graphs: [scoped()] })
  const reply = await of.send('POST', '/v1/threads', { ...start, keys: { customer: '' } })
  expect(refusalOf(reply)).toEqual([422, 'invalid-request', 'keys.customer'])
})

test('a name with a slash that is not encoded in a path is refused with a hint', async () => {
  const of = await service()
  const details = await Promise.all(
    ['/v1/threads/acme/1', '/v1/threads/acme/1/rows', '/v1/none'].map(
      async path => (await of.send('GET', path)).body.detail,
    ),
  )
  const hint = "see /openapi.json. A name with '/' is encoded in a path: 'acme/1' is acme%2F1"
  expect(details).toEqual([hint, hint, 'see /openapi.json'])
})
