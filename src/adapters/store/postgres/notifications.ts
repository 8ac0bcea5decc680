/** Notifies the other stores on a schema which threads have changed, with LISTEN and NOTIFY. */
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Connection, newClient, type OwnClient } from './connection.ts'

/** The least time between two notifications of one store, in ms: they are sent together. */
const INTERVAL = 50
/** Bytes of the names in one notification. Postgres takes 8,000 bytes. */
const BYTES_MAX = 7_500
/** The first and the longest delay before the store listens again, in ms. */
const DELAYS = [100, 5_000] as const

type Listener = (thread: string) => void

/** Reports the changes of this store, and those of the others to its listeners. */
export function notifications(connection: Connection) {
  const origin = randomUUID().slice(0, 8)
  const name = createHash('sha256').update(connection.schema).digest('hex').slice(0, 16)
  const channel = `escapement_${name}`
  const { noteChange, flush } = sender(connection, { origin, channel })
  const { onChange, end } = receiver(connection, { origin, channel })
  return {
    noteChange,
    onChange,
    /** Sends what is noted, and stops listening. */
    async close(): Promise<void> {
      end()
      await flush()
    },
  }
}

type Channel = Readonly<{ origin: string; channel: string }>

/**
 * Postgres commits the transactions with a notification one after another. Notifications are therefore sent by transactions of
 * their own, which wait for no disk, and at most twenty a second. A lost one delays a reader until it polls.
 */
function sender({ statement, execute }: Connection, { origin, channel }: Channel) {
  const send = statement(
    `WITH quick AS (SELECT set_config('synchronous_commit', 'off', true)) SELECT pg_notify($1, $2) FROM quick`,
  )
  let changed = new Set<string>()
  let isSending = false
  const flush = async () => {
    const threads = [...changed]
    changed = new Set()
    for (const payload of payloadsOf(origin, threads))
      await execute(send, [channel, payload]).catch(() => {})
  }
  const sendAll = async () => {
    isSending = true
    while (changed.size > 0) {
      await flush()
      await pause(INTERVAL, undefined, { ref: false })
    }
    isSending = false
  }
  return {
    flush,
    noteChange(thread: string): void {
      changed.add(thread)
      if (!isSending) void sendAll()
    },
  }
}

/** Listens while it has listeners, on a connection of its own. */
function receiver({ config }: Connection, { origin, channel }: Channel) {
  const listeners = new Set<Listener>()
  let client: OwnClient | undefined
  let isListening = false
  const receive = (payload = '[]') => {
    const [from, ...threads] = JSON.parse(payload) as readonly string[]
    if (from === origin) return
    for (const thread of threads) for (const listener of listeners) listener(thread)
  }
  const listenOnce = async () => {
    const opened = await newClient(config)
    const ended = Promise.withResolvers<void>()
    opened.on('end', ended.resolve)
    opened.on('error', () => ended.resolve())
    opened.on('notification', ({ payload }) => receive(payload))
    client = opened
    try {
      await opened.connect()
      opened.unref()
      await opened.query(`LISTEN ${channel}`)
      if (listeners.size > 0) await ended.promise
    } finally {
      client = undefined
      await opened.end().catch(() => {})
    }
  }
  const listen = async () => {
    isListening = true
    for (let delay: number = DELAYS[0]; listeners.size > 0; ) {
      const startedAt = performance.now()
      await listenOnce().catch(() => {})
      delay = performance.now() - startedAt > DELAYS[1] ? DELAYS[0] : Math.min(2 * delay, DELAYS[1])
      if (listeners.size > 0) await pause(delay, undefined, { ref: false })
    }
    isListening = false
  }
  const endIfIdle = () => {
    if (listeners.size === 0) void client?.end().catch(() => {})
  }
  return {
    onChange(listener: Listener): () => void {
      listeners.add(listener)
      if (!isListening) void listen()
      return () => {
        listeners.delete(listener)
        endIfIdle()
      }
    },
    end(): void {
      listeners.clear()
      endIfIdle()
    },
  }
}

/** Each payload is a list: the sender, and the threads that changed. */
function payloadsOf(origin: string, threads: readonly string[]): readonly string[] {
  const groups: string[][] = []
  let room = 0
  for (const thread of threads) {
    const bytes = Buffer.byteLength(JSON.stringify(thread)) + 1
    if (bytes > room || groups.length === 0) {
      groups.push([origin])
      room = BYTES_MAX
    }
    groups.at(-1)?.push(thread)
    room -= bytes
  }
  return groups.map(group => JSON.stringify(group))
}
