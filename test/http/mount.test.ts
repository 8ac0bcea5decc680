/** The service mounted in other servers, each by its own package: start, question, answer, and a stream over real HTTP. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, serve } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { afterEach, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { type App, createApp, hashKey } from '../../src/http.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { asking } from '../host/graphs.ts'

const closers: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

function newApp(): App {
  const runtime = createRuntime({ store: memoryStore(), graphs: [asking()] })
  const closing = new AbortController()
  closers.push(() => runtime.close())
  closers.push(() => closing.abort())
  const keys = [{ name: 'desk', role: 'operate', hash: hashKey('my-key') }] as const
  return createApp(runtime, { keys, signal: closing.signal })
}

async function urlOf(server: Server): Promise<string> {
  if (!server.listening) await new Promise(resolve => server.once('listening', resolve))
  closers.push(() => server.closeAllConnections())
  closers.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts a thread, follows it to its question, answers, and reads the result. */
async function useService(url: string, send: typeof fetch = fetch) {
  const client = createClient(url, { key: 'my-key', fetch: send })
  const thread = await client.start('asking', { goal: 'g' }, { thread: 'one' })
  const types: string[] = []
  for await (const event of thread.events({ until: 'waiting' })) types.push(event.type)
  const [asked] = await client.questions()
  await thread.answer(asked?.id ?? '', 'approved', { id: 'a1' })
  const { outcome } = await thread.result()
  const refused = await send(`${url}/v1/threads`)
  return { asked: types.at(-1), outcome, refused: refused.status }
}

const WORKS = { asked: 'question', outcome: 'success', refused: 401 }

describe('the service works in', () => {
  test('the server of Hono for Node.js', async () => {
    const server = serve({ fetch: newApp().fetch, port: 0, hostname: '127.0.0.1' }) as Server
    expect(await useService(await urlOf(server))).toEqual(WORKS)
  })

  test('an application of Hono, below a path', async () => {
    const hono = new Hono().get('/own', c => c.text('mine'))
    hono.mount('/agents', newApp().fetch)
    const url = await urlOf(serve({ fetch: hono.fetch, port: 0, hostname: '127.0.0.1' }) as Server)
    expect(await useService(`${url}/agents`)).toEqual(WORKS)
    expect(await (await fetch(`${url}/own`)).text()).toBe('mine')
  })

  test('node:http', async () => {
    const server = createServer(getRequestListener(newApp().fetch)).listen(0, '127.0.0.1')
    expect(await useService(await urlOf(server))).toEqual(WORKS)
  })

  test('Express, below a path', async () => {
    const app = express()
    app.use('/agents', getRequestListener(newApp().fetch))
    app.get('/own', (_, response) => void response.send('mine'))
    const url = await urlOf(app.listen(0, '127.0.0.1'))
    expect(await useService(`${url}/agents`)).toEqual(WORKS)
    expect(await (await fetch(`${url}/own`)).text()).toBe('mine')
  })

  test('Fastify', async () => {
    const app = fastify()
    const listener = getRequestListener(newApp().fetch)
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_, __, done) => done(null))
    app.all('/*', async (request, reply) => {
      reply.hijack()
      await listener(request.raw, reply.raw)
    })
    app.get('/own', async () => 'mine')
    await app.listen({ port: 0, host: '127.0.0.1' })
    closers.push(() => app.close())
    const url = await urlOf(app.server)
    expect(await useService(url)).toEqual(WORKS)
    expect(await (await fetch(`${url}/own`)).text()).toBe('mine')
  })

  test('a route handler of Next.js: a function from request to response', async () => {
    const app = newApp()
    const handler = (request: Request) => app.fetch(request)
    const route = { GET: handler, POST: handler }
    const send: typeof fetch = async (input, init) => {
      const request = new Request(input, init)
      return route[request.method as 'GET' | 'POST'](request)
    }
    expect(await useService('http://localhost', send)).toEqual(WORKS)
  })
})
