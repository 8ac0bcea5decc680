/** Faults between an agent and a server of the Model Context Protocol that it starts: messages are lines of JSON. */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../adapters/node/ports.ts'
import { isMap, type Json } from '../../core/watch/data/json.ts'
import { ConnectionLost } from '../../simulate/proxy/connection-lost.ts'
import { isTouched, type McpFaults, type Message } from '../../simulate/proxy/mcp-faults.ts'
import { startServer, STOP_MAX, stopServer } from './stdio-server.ts'

export interface StdioProxy {
  readonly faults: McpFaults
  /** The command that starts the server, with its arguments. */
  readonly command: readonly string[]
  readonly input: AsyncIterable<Uint8Array>
  readonly output: (line: string) => void
  readonly signal: AbortSignal
}

/** How long a server may take to end after its input has ended, in ms. */
const END_MAX = 5_000

/** A line of the agent or of the server is too long to be a message. */
export class LineTooLong extends Error {}

/** Relays until the server ends. Returns its exit code, or 0 after the signal. Rejects if it cannot be started. @throws LineTooLong */
export async function relayStdio(proxy: StdioProxy): Promise<number> {
  const { command, input, signal } = proxy
  const server = startServer(command)
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= stopServer(server)
  }
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const relay = new StdioRelay(proxy, line => server.stdin.write(`${line}\n`))
  const { promise: broken, reject } = Promise.withResolvers<never>()
  const lines = (of: string, from: AsyncIterable<Uint8Array>, onLine: (line: string) => void) =>
    eachLine(of, from, onLine).catch(reject)
  const answers = lines('server', server.stdout, line => relay.fromServer(line))
  void lines('agent', input, line => relay.fromAgent(line)).then(() => {
    server.stdin.end()
    setTimeout(stop, END_MAX).unref()
  })
  const code = await Promise.race([once(server, 'exit'), broken]).then(
    ([code]) => code,
    async error => {
      stop()
      await stopping
      throw error
    },
  )
  relay.close()
  await stopping
  // Another process may hold the output of a server that has ended.
  await Promise.race([answers, pause(STOP_MAX)])
  return signal.aborted ? 0 : (code ?? 1)
}

interface Pending {
  readonly resolve: (response: Message) => void
  readonly reject: (error: Error) => void
}

class StdioRelay {
  readonly #proxy: StdioProxy
  readonly #send: (line: string) => void
  readonly #pending = new Map<Json, Pending>()
  /** Cancel requests in progress, by id. */
  readonly #open = new Map<Json, AbortController>()
  #copies = 0

  constructor(proxy: StdioProxy, send: (line: string) => void) {
    this.#proxy = proxy
    this.#send = send
  }

  fromAgent(line: string): void {
    const message = messageIn(line)
    if (message && isTouched(message)) {
      void this.#answer(message)
      return
    }
    const { requestId } = isMap(message?.params) ? message.params : {}
    if (message?.method === 'notifications/cancelled' && requestId !== undefined)
      this.#open.get(requestId)?.abort()
    this.#send(line)
  }

  fromServer(line: string): void {
    const message = messageIn(line)
    const id = message?.method === undefined ? message?.id : undefined
    const pending = id === undefined ? undefined : this.#pending.get(id)
    if (!message || !pending) {
      this.#proxy.output(line)
      return
    }
    this.#pending.delete(id as Json)
    pending.resolve(message)
  }

  /** The server has ended: nothing more is answered. */
  close(): void {
    for (const controller of this.#open.values()) controller.abort()
    for (const { reject } of this.#pending.values()) reject(new ConnectionLost('the server ended'))
  }

  async #answer(request: Message): Promise<void> {
    const { id = null } = request
    const cancelled = new AbortController()
    this.#open.set(id, cancelled)
    try {
      const response = await this.#proxy.faults.answer(request, {
        sleep: ms => systemClock.sleep(ms, cancelled.signal),
        forward: () => this.#forward(request),
      })
      if (!cancelled.signal.aborted) this.#proxy.output(JSON.stringify({ ...response, id }))
    } catch (error) {
      // Without a connection to lose, the response is missing.
      if (!(error instanceof ConnectionLost)) throw error
    } finally {
      this.#open.delete(id)
    }
  }

  /** A request that is delivered again has an id of its own: two responses with one id would be an error of the protocol. */
  #forward(request: Message): Promise<Message> {
    const { id = null } = request
    const isFirst = !this.#pending.has(id) && !this.#sent.has(request)
    this.#sent.add(request)
    const sent = isFirst ? id : `escapement-copy-${++this.#copies}`
    const { promise, resolve, reject } = Promise.withResolvers<Message>()
    this.#pending.set(sent, { resolve, reject })
    this.#send(JSON.stringify({ ...request, id: sent }))
    return promise
  }

  readonly #sent = new WeakSet<Message>()
}

function messageIn(line: string): Message | undefined {
  try {
    const message: Json = JSON.parse(line)
    return isMap(message) ? message : undefined
  } catch {
    return undefined
  }
}

/** Characters of a line. */
const LINE_MAX = 16_777_216

async function eachLine(
  of: string,
  input: AsyncIterable<Uint8Array>,
  onLine: (line: string) => void,
): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of input) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_MAX)
      throw new LineTooLong(`the ${of} sent a line of more than ${LINE_MAX} characters`)
    for (const line of lines) if (line.trim() !== '') onLine(line.trimEnd())
  }
}
