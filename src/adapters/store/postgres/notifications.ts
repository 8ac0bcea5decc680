/** Notifies the other stores on a schema which threads and breakers have changed, with LISTEN and NOTIFY. */
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { addTo } from '../../../core/watch/data/sets.ts'
import { type Connection, newClient, type OwnClient } from './connection.ts'

/** The least time between two notifications of one store, in ms: they are sent together. */
const INTERVAL = 50
/** Bytes of the names in one notification. Postgres takes 8,000 bytes. */
const BYTES_MAX = 7_500
/** The first and the longest delay before the store listens again, in ms. */
const DELAYS = [100, 5_000] as const

type Listener = (name: string) => void

/** Reports the changes of this store to the others, and theirs to its listeners: threads with news, and breakers in another state. */
export function notifications(connection: Connection) {
  const origin = randomUUID().slice(0, 8)
  const name = createHash('sha256').update(connection.schema).digest('hex').slice(0, 16)
  const channels = [`escapement_${name}`, `escapement_breakers_${name}`] as const
  const { onChange, report, end } = receiver(connection, { origin, channels })
  const of = (channel: string) => ({
    ...sender(connection, { origin, channel }),
    onChange: (listener: Listener) => onChange(channel, listener),
  })
  const [threads, breakers] = [of(channels[0]), of(channels[1])]
  return {
    threads,
    breakers: {
      ...breakers,
      /** Calls of this process wait for its own changes, too. */
      noteChange(resource: string): void {
        report(channels[1], [resource])
        breakers.noteChange(resource)
      },
    },
    /** Sends what is noted, and stops listening. */
    async close(): Promise<void> {
      end()
      await Promise.all([threads.flush(), breakers.flush()])
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
    const names = [...changed]
    changed = new Set()
    for (const payload of payloadsOf(origin, names))
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
    noteChange(name: string): void {
      changed.add(name)
      if (!isSending) void sendAll()
    },
  }
}

interface Channels {
  readonly origin: string
  readonly channels: readonly string[]
}

/** Listens while it has listeners, on one connection beside the pool. */
function receiver({ config }: Connection, { origin, channels }: Channels) {
  const listeners = new Map<string, Set<Listener>>()
  let client: OwnClient | undefined
  let isListening = false
  const report = (channel: string, names: readonly string[]) => {
    for (const name of names) for (const listener of listeners.get(channel) ?? []) listener(name)
  }
  const receive = (channel: string, payload = '[]') => {
    const [from, ...names] = JSON.parse(payload) as readonly string[]
    if (from !== origin) report(channel, names)
  }
  const listenOnce = async () => {
    const opened = await newClient(config)
    const ended = Promise.withResolvers<void>()
    opened.on('end', ended.resolve)
    opened.on('error', () => ended.resolve())
    opened.on('notification', ({ channel, payload }) => receive(channel, payload))
    client = opened
    try {
      await opened.connect()
      opened.unref()
      await opened.query(channels.map(channel => `LISTEN ${channel}`).join('; '))
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
    report,
    onChange(channel: string, listener: Listener): () => void {
      const remove = addTo(listeners, channel, listener)
      if (!isListening) void listen()
      return () => {
        remove()
        endIfIdle()
      }
    },
    end(): void {
      listeners.clear()
      endIfIdle()
    },
  }
}

/** Each payload is a list: the sender, and the names of what changed. */
function payloadsOf(origin: string, names: readonly string[]): readonly string[] {
  const groups: string[][] = []
  let room = 0
  for (const name of names) {
    const bytes = Buffer.byteLength(JSON.stringify(name)) + 1
    if (bytes > room || groups.length === 0) {
      groups.push([origin])
      room = BYTES_MAX
    }
    groups.at(-1)?.push(name)
    room -= bytes
  }
  return groups.map(group => JSON.stringify(group))
}
