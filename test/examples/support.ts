/** A shop, its model endpoint and a support agent as separate processes, over real HTTP. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LLMock } from '@copilotkit/aimock'
import { vi } from 'vitest'
import { createClient } from '../../src/client.ts'
import { orderService } from '../../examples/support/shop.ts'

/** The programs as they stand in this repository, on its source. */
const FROM_SOURCE: Programs = {
  folder: fileURLToPath(new URL('../../examples/support', import.meta.url)),
  node: process.execPath,
  args: ['--import', new URL('from-source.ts', import.meta.url).href],
}

/** Where the programs are, and how Node.js runs them. */
export interface Programs {
  readonly folder: string
  readonly node: string
  readonly args: readonly string[]
}

export type Peer = 'escapement' | 'langgraph' | 'ai-sdk'

export interface Support {
  /** One run of the program, to its end; what it printed. */
  run(...words: readonly string[]): Promise<string>
  /** Acts, and kills the program with SIGKILL once the model is asked for the nth time. */
  killAtModelCall(n: number, act: () => Promise<unknown>): Promise<void>
  /** The payments, oldest first. */
  paid(): readonly { readonly key: string; readonly order: string; readonly amount: number }[]
  /** How often the model was asked. */
  asked(): number
  /** Starts the service, and waits until it answers. */
  serve(): Promise<Service>
  stop(): Promise<void>
}

/** A client of a service. */
interface Connection {
  /** Rejects until the service answers. */
  ready(): Promise<unknown>
  /** The streamed answer to a message or to an answer. */
  post(said: Said): Promise<string>
  status(): Promise<string>
}

interface Said {
  readonly message?: string
  readonly answer?: 'approved' | 'rejected'
}

export interface Service extends Connection {
  readonly url: string
  kill(): Promise<void>
}

interface Request {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

export async function support(
  peer: Peer,
  { folder: programs, node, args }: Programs = FROM_SOURCE,
): Promise<Support> {
  const folder = mkdtempSync(join(tmpdir(), 'support-'))
  let asked = 0
  let killAt = Number.POSITIVE_INFINITY
  let running: ChildProcess | undefined
  const model = new LLMock({ port: 0 })
  model.addFixture({
    match: { predicate: () => true },
    response: request => {
      asked += 1
      if (asked === killAt) running?.kill('SIGKILL')
      return reply(request as unknown as Request)
    },
    chunkSize: 8,
  })
  await model.start()
  const orders = orderService()
  await new Promise<void>(done => orders.listen(0, '127.0.0.1', done))
  const bank = join(folder, 'bank.jsonl')
  const env = {
    ...process.env,
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: `${model.url}/v1`,
    SHOP_URL: `http://127.0.0.1:${(orders.address() as AddressInfo).port}`,
    BANK_FILE: bank,
  }
  const run = (...words: readonly string[]) =>
    new Promise<string>(done => {
      const command = [...args, `${programs}/main.ts`, peer, 'ticket-44', ...words]
      running = spawn(node, command, { env, cwd: folder })
      let printed = ''
      const print = (data: Buffer) => {
        printed += data
      }
      running.stdout?.on('data', print)
      running.stderr?.on('data', print)
      running.on('close', () => done(printed))
    })
  return {
    run,
    async killAtModelCall(n, act) {
      killAt = asked + n
      await act().catch(() => {})
      killAt = Number.POSITIVE_INFINITY
    },
    paid: () =>
      existsSync(bank)
        ? readFileSync(bank, 'utf8')
            .trim()
            .split('\n')
            .map(line => JSON.parse(line))
        : [],
    asked: () => asked,
    async serve() {
      const port = await freePort()
      const child = spawn(node, [...args, `${programs}/${peer}-service.ts`], {
        cwd: folder,
        env: { ...env, PORT: String(port) },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      running = child
      const closed = new AbortController()
      child.on('close', () => closed.abort())
      const url = `http://127.0.0.1:${port}`
      const service = (peer === 'escapement' ? viaClient : viaText)(url, closed.signal)
      await vi.waitFor(service.ready, { timeout: 20_000 })
      return {
        ...service,
        url,
        kill: () =>
          new Promise(done => {
            child.on('close', () => done())
            child.kill('SIGKILL')
          }),
      }
    },
    async stop() {
      await model.stop()
      orders.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** The service of escapement, by its own client. */
function viaClient(url: string, signal: AbortSignal): Connection {
  const client = createClient(url)
  const thread = client.thread('ticket-44')
  return {
    ready: () => client.threads(),
    status: async () => (await thread.state()).status,
    async post({ message, answer }) {
      if (answer) {
        const [open] = (await thread.state()).questions
        await thread.answer(`${open?.id}`, answer)
      } else await client.start('support', { goal: message ?? '' }, { thread: thread.id })
      let text = ''
      for await (const event of thread.events({ until: 'waiting', signal }))
        if (event.type === 'token') text += event.text
      return text
    },
  }
}

/** The services of the other frameworks stream plain text. */
function viaText(origin: string): Connection {
  const url = `${origin}/threads/ticket-44`
  const status = async () => ((await (await fetch(url)).json()) as { status: string }).status
  return {
    ready: status,
    status,
    post: async said => (await fetch(url, { method: 'POST', body: JSON.stringify(said) })).text(),
  }
}

/** Searches, finds the order, pays it back, and says what came of it. */
function reply({ messages }: Request) {
  const results = messages.filter(({ role }) => role === 'tool')
  const call = (name: string, args: object) => ({
    content: 'One moment. ',
    toolCalls: [{ id: `call_${results.length}`, name, arguments: JSON.stringify(args) }],
  })
  if (results.length === 0) return call('search_faq', { query: 'refunds' })
  if (results.length === 1) return call('find_order', { order: '17' })
  if (results.length === 2) return call('refund', { order: '17', amount: 450 })
  return { content: `Done: ${results.at(-1)?.content}` }
}

function freePort(): Promise<number> {
  return new Promise(done => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => done(port))
    })
  })
}
