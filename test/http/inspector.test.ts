/** The page of the inspector, as the service serves it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { inspector } from '../../src/faces/http/page/page.ts'
import { createAgent, scriptedModel, tool } from '../../src/index.ts'
import { says } from '../../src/testing.ts'
import { newFolders } from '../durability/folders.ts'
import { service } from './service.ts'
import { serveIn } from './serving.ts'

const newFolder = newFolders()

const FILES = { 'index.html': '<p>page</p>', 'assets/index-1.js': '1', 'icon.svg': '<svg/>' }

function appOn(files: Readonly<Record<string, string>>) {
  const folder = newFolder()
  mkdirSync(join(folder, 'assets'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const page = inspector(folder)
  const app = new Hono()
  app.use((c, next) => (page.has(c.req.path) ? page.headers(c, next) : next()))
  app.get('*', (c, next) => page.fileAt(c.req.path) ?? next())
  return app
}

describe('the files of the page', () => {
  test('have their types, and only names with a hash are kept by the browser', async () => {
    const app = appOn(FILES)
    const page = await app.request('/')
    expect(await page.text()).toBe('<p>page</p>')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('cache-control')).toBe('no-store')
    const script = await app.request('/assets/index-1.js')
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(script.headers.get('cache-control')).toContain('immutable')
  })

  test('may reach only their own service, and run no inline script', async () => {
    const policy = (await appOn(FILES).request('/')).headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
  })

  test.each(['/../secret', '/assets/../../secret', '/%2e%2e/secret', '/assets', '/package.json'])(
    'exclude %s',
    async path => {
      expect((await appOn(FILES).request(path)).status).toBe(404)
    },
  )

  test('that are not built yet are explained', async () => {
    const response = await appOn({}).request('/')
    expect(response.status).toBe(503)
    expect(await response.text()).toContain('npm run build:page')
  })
})

test('an app without the option serves no page', async () => {
  const of = await service()
  expect((await of.send('GET', '/')).status).toBe(404)
})

test('`escapement serve` prints a link whose token opens a session once', async () => {
  const folder = newFolder()
  writeFileSync(
    join(folder, 'ask.yaml'),
    'escapement: 1\nid: ask\nstart: a\nnodes:\n  a: { use: pass, on: { done: end } }\n  end: { final: success }\n',
  )
  const { ready } = serveIn(folder, ['--graphs', '.', '--store', 's.db'])
  const { url, token } = await ready
  const post = () =>
    fetch(`${url}/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ token }),
    })
  const opened = await post()
  expect(opened.status).toBe(204)
  const [cookie = ''] = opened.headers.getSetCookie()
  expect(cookie).toMatch(/HttpOnly; SameSite=Strict/)
  const meta = await fetch(`${url}/v1/meta`, { headers: { cookie: cookie.split(';')[0] ?? '' } })
  expect(await meta.json()).toMatchObject({ role: 'admin' })
  expect((await post()).status).toBe(401)
})

test('the graph of a thread has its chart and its spec', async () => {
  const of = await service()
  await of.send('POST', '/v1/threads', { graph: 'asking', input: { goal: 'g' }, thread: 'one' })
  const { status, body } = await of.send('GET', '/v1/threads/one/graph')
  expect(status).toBe(200)
  expect(body).toMatchObject({ graph: 'asking', chart: { id: 'asking' }, spec: { id: 'asking' } })
  expect(body.specHash).toEqual(expect.any(String))
  expect((await of.send('GET', '/v1/threads/none/graph')).status).toBe(404)
})

test('the graph of a thread has the schemas of the results of its tools', async () => {
  const made = (name: string, more: object = {}) =>
    tool({
      ...{ name, description: name, effects: 'read', inputSchema: z.object({}) },
      ...more,
      execute: async () => ({ paid: 7 }),
    })
  const paid = z.object({ paid: z.number() })
  const graph = createAgent({
    ...{
      id: 'payer',
      instructions: 'Pay.',
      model: scriptedModel({ id: 'scripted' }, [says('Done.')]),
    },
    tools: { pay: made('pay', { outputSchema: paid }), look: made('look') },
  })
  const of = await service({ graphs: [graph] })
  const { status } = await of.send('POST', '/v1/threads', {
    ...{ graph: 'payer', input: { goal: 'Pay.' }, thread: 'one' },
  })
  expect(status).toBe(201)
  const { body } = await of.send('GET', '/v1/threads/one/graph')
  expect(Object.keys(body.results)).toEqual(['pay'])
  expect(body.results.pay).toMatchObject({ properties: { paid: { type: 'number' } } })
})
