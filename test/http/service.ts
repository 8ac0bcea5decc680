/** A service over real HTTP on a SQLite file, for tests. */
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { afterEach } from 'vitest'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { type AppOptions, createApp, hashKey } from '../../src/http.ts'
import { createRuntime, type Runtime } from '../../src/host/runtime.ts'
import type { Clock, Graph } from '../../src/runtime/ports.ts'
import { newFolders } from '../durability/folders.ts'
import { asking } from '../host/graphs.ts'

const newFolder = newFolders()
const closers: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

export const KEYS = ['view', 'operate', 'admin'] as const

export interface Served {
  readonly url: string
  readonly runtime: Runtime
  readonly file: string
  /** Sends JSON with the key of a role. */
  send(method: string, path: string, body?: unknown, more?: Sent): Promise<Reply>
  stop(): Promise<void>
}

interface Sent {
  readonly role?: string
  readonly headers?: Readonly<Record<string, string>>
}

// biome-ignore lint/suspicious/noExplicitAny: a body is any JSON, and the tests compare it.
export type Reply = Readonly<{ status: number; headers: Headers; text: string; body: any }>

interface ServiceSetup extends AppOptions {
  readonly graphs?: readonly Graph[]
  readonly file?: string
  readonly clock?: Clock
}

export async function service(options: ServiceSetup = {}): Promise<Served> {
  const { graphs = [asking()], file = join(newFolder(), 'threads.db'), clock, ...more } = options
  const store = sqliteStore({ file })
  const runtime = createRuntime({ store, graphs, ...(clock && { clock }) })
  const closing = new AbortController()
  const keys = KEYS.map(role => ({ name: `the ${role}`, role, hash: hashKey(`key-${role}`) }))
  const { fetch: handle } = createApp(runtime, { keys, signal: closing.signal, ...more })
  const server = serve({ fetch: handle, port: 0, hostname: '127.0.0.1' })
  await new Promise(resolve => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let isOpen = true
  const stop = async () => {
    if (!isOpen) return
    isOpen = false
    closing.abort()
    await runtime.close()
    const closed = new Promise(resolve => server.close(resolve))
    if ('closeAllConnections' in server) server.closeAllConnections()
    await closed
    await store.close()
  }
  closers.push(stop)
  const send: Served['send'] = async (
    method,
    path,
    body,
    { role = 'admin', headers = {} } = {},
  ) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer key-${role}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : {
            body: typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body),
          }),
    })
    const text = await response.text()
    const isJson = /json$/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      headers: response.headers,
      text,
      body:
        isJson && !/nd/.test(response.headers.get('content-type') ?? '')
          ? JSON.parse(text)
          : undefined,
    }
  }
  return { url, runtime, file, send, stop }
}

/** Starts a thread of `asking`, and waits for its question. */
export async function askingThread(of: Served, thread = 'one') {
  const started = await of.send('POST', '/v1/threads', {
    graph: 'asking',
    input: { goal: 'g' },
    thread,
  })
  for (;;) {
    const { body } = await of.send('GET', `/v1/threads/${thread}`)
    if (body.questions?.length > 0) return { started, state: body }
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

export interface Message {
  readonly event: string
  readonly id?: string
  // biome-ignore lint/suspicious/noExplicitAny: a message is any JSON.
  readonly data: any
}

/** The messages of a stream, until the caller stops reading. */
export async function* messages(url: string, headers: Readonly<Record<string, string>> = {}) {
  const left = new AbortController()
  const response = await fetch(url, {
    headers: { authorization: 'Bearer key-view', ...headers },
    signal: left.signal,
  })
  if (!response.ok || !response.body) throw new Error(await response.text())
  let buffer = ''
  try {
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      buffer += chunk
      const blocks = buffer.split('\n\n')
      buffer = blocks.pop() ?? ''
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
        const [event, id, data] = [field('event'), field('id'), field('data')]
        if (event !== undefined) yield { event, id, data: JSON.parse(data ?? 'null') } as Message
      }
    }
  } finally {
    left.abort()
  }
}
