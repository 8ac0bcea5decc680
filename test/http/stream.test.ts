/** Streams of the service: batches, resumption, gaps, heartbeats, and clients that do not read. */
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { batches } from '../../src/faces/http/stream/batches.ts'
import { LiveLog } from '../../src/faces/http/stream/live-log.ts'
import { followRows } from '../../src/host/follow-rows.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { answering, asking } from '../host/graphs.ts'
import { askingThread, type Message, messages, service } from './service.ts'

const seqsIn = (of: readonly Message[]): readonly number[] =>
  of.flatMap(({ event, data }) =>
    event === 'batch'
      ? data.events.map(({ seq, row }: { seq?: number; row: { seq: number } }) => seq ?? row.seq)
      : [],
  )

async function read(stream: AsyncIterable<Message>, until: (all: readonly Message[]) => boolean) {
  const all: Message[] = []
  for await (const message of stream) {
    all.push(message)
    if (until(all)) break
  }
  return all
}

const upTo = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

describe('the stream of a thread', () => {
  test('has every event once, in batches, and ends with the thread', async () => {
    const of = await service()
    const { state } = await askingThread(of)
    const all = read(messages(`${of.url}/v1/threads/one/stream`), () => false)
    await of.send('POST', '/v1/threads/one/commands', {
      do: 'answer',
      question: state.questions[0].id,
      decision: 'approved',
    })
    const got = await all
    const { seq } = await of.runtime.thread('one').state()
    expect(seqsIn(got)).toEqual(upTo(0, seq))
    expect(got.filter(({ event }) => event === 'batch').length).toBeLessThan(seq)
    expect([got.at(-2)?.id, got.at(-1)?.event]).toEqual([String(seq), 'end'])
  })

  test('Last-Event-ID continues without a hole or a repeat', async () => {
    const of = await service()
    const { state } = await askingThread(of)
    const resumed = messages(`${of.url}/v1/threads/one/stream?until=waiting`, {
      'last-event-id': '1',
    })
    expect(seqsIn(await read(resumed, () => false))).toEqual(upTo(2, state.seq))
  })

  test('an id from another store is a gap, followed by all events', async () => {
    const of = await service()
    const { state } = await askingThread(of)
    const [gap, ...rest] = await read(
      messages(`${of.url}/v1/threads/one/stream?until=waiting`, { 'last-event-id': '900' }),
      () => false,
    )
    expect(gap).toMatchObject({ event: 'gap', data: { thread: 'one', from: 0, to: state.seq } })
    expect(seqsIn(rest)).toEqual(upTo(0, state.seq))
  })

  test('tokens carry effect, call and attempt', async () => {
    const { promise: isRead, resolve } = Promise.withResolvers<void>()
    const graph = answering(async (_, { onDelta }) => {
      await isRead
      onDelta('Hel')
      await pause(100)
      return { text: 'Hello', calls: [] }
    })
    const of = await service({ graphs: [graph] })
    await of.send('POST', '/v1/threads', {
      graph: graph.machine.id,
      input: { goal: 'g' },
      thread: 'one',
    })
    const all = read(messages(`${of.url}/v1/threads/one/stream`), () => {
      resolve()
      return false
    })
    const events = (await all).flatMap(({ event, data }) => (event === 'batch' ? data.events : []))
    const tokens = events.filter(({ type }: { type: string }) => type === 'token')
    expect(tokens).toMatchObject([
      { text: 'Hel', effect: expect.any(String), call: expect.any(String), attempt: 1 },
    ])
  })

  test.each(['/v1/threads/one/stream', '/v1/stream'])(
    'a quiet stream has comments, which keep proxies from closing it: %s',
    async path => {
      const of = await service({ limits: { heartbeat: 20 } })
      await askingThread(of)
      const left = new AbortController()
      const headers = { authorization: 'Bearer key-view' }
      const response = await fetch(`${of.url}${path}`, { headers, signal: left.signal })
      expect(response.headers.get('x-accel-buffering')).toBe('no')
      let text = ''
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString()
        if (text.split('\n: \n\n').length > 3) break
      }
      left.abort()
    },
  )

  test('a client that does not read blocks no run', async () => {
    const of = await service()
    const { state } = await askingThread(of)
    const { hostname, port } = new URL(of.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      'GET /v1/threads/one/stream HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer key-view\r\n\r\n',
    )
    socket.pause()
    await of.send('POST', '/v1/threads/one/commands', {
      do: 'answer',
      question: state.questions[0].id,
      decision: 'approved',
    })
    expect((await of.runtime.thread('one').result()).outcome).toBe('success')
    socket.destroy()
  })
})

describe('the stream of all threads', () => {
  test('begins with a snapshot, then has each row of each thread once, also of another process', async () => {
    const of = await service()
    const other = await service({ file: of.file })
    await askingThread(of, 'before')
    const all = read(messages(`${of.url}/v1/stream`), got => {
      return ['one', 'two'].every(name =>
        got.some(({ data }) =>
          data.events?.some(
            (each: { thread: string; row: { event: { type: string } } }) =>
              each.thread === name && each.row.event.type === 'node.done',
          ),
        ),
      )
    })
    await pause(100)
    await Promise.all([askingThread(of, 'one'), askingThread(other, 'two')])
    const [snapshot, ...rest] = await all
    expect(snapshot).toMatchObject({ event: 'snapshot', data: { threads: [{ thread: 'before' }] } })
    const events = rest.flatMap(({ data }) => data.events ?? [])
    for (const name of ['one', 'two']) {
      const seqs = events
        .filter(({ thread }: { thread: string }) => thread === name)
        .map(({ row }: { row: { seq: number } }) => row.seq)
      expect(seqs).toEqual(upTo(0, seqs.length - 1))
      expect(seqs.length).toBeGreaterThan(2)
    }
  })

  test('resumes by Last-Event-ID, and after a restart by a gap with a snapshot', async () => {
    const of = await service()
    const url = `${of.url}/v1/stream`
    const first = read(messages(url), ([...got]) => got.some(({ event }) => event === 'batch'))
    await pause(100)
    await askingThread(of)
    const id = (await first).at(-1)?.id ?? ''
    await askingThread(of, 'two')
    const [next] = await read(messages(url, { 'last-event-id': id }), () => true)
    expect(next?.event).toBe('batch')
    await of.stop()
    const restarted = await service({ file: of.file })
    const resumed = await read(
      messages(`${restarted.url}/v1/stream`, { 'last-event-id': id }),
      got => got.length === 2,
    )
    expect(resumed.map(({ event }) => event)).toEqual(['gap', 'snapshot'])
    expect(resumed[1]?.data.threads.map(({ thread }: { thread: string }) => thread)).toEqual([
      'one',
      'two',
    ])
  })

  test('reads nothing of idle threads, and nothing at all without a reader', async () => {
    const store = memoryStore()
    const graph = asking()
    const runtime = createRuntime({ store, graphs: [graph] })
    for (let index = 0; index < 20; index++) await runtime.start(graph, { goal: 'g' })
    await expect.poll(async () => (await store.driven()).threads.length).toBe(0)
    const reads: string[] = []
    const counted = new Proxy(store, {
      get: (of, name: keyof Store) => {
        const method = of[name] as (...args: unknown[]) => unknown
        return (...args: unknown[]) => {
          reads.push(name)
          return method.apply(of, args)
        }
      },
    })
    const stop = new AbortController()
    const rows = followRows(counted, stop.signal)
    await rows.next()
    reads.length = 0
    void rows.next()
    await expect.poll(() => reads.length).toBeGreaterThan(2)
    expect(new Set(reads)).toEqual(new Set(['driven']))
    stop.abort()
    await runtime.close()
  })

  test('ends following when its last reader has left for a while', async () => {
    vi.useFakeTimers()
    try {
      let isFollowed = false
      const follow = async function* (signal: AbortSignal) {
        isFollowed = true
        yield []
        await new Promise(resolve => signal.addEventListener('abort', resolve))
        isFollowed = false
      }
      const log = new LiveLog({ follow } as never, new AbortController().signal)
      const [leave, leaveToo] = [await log.read(), await log.read()]
      leave()
      leave()
      await vi.advanceTimersByTimeAsync(60_000)
      expect(isFollowed).toBe(true)
      leaveToo()
      await vi.advanceTimersByTimeAsync(20_000)
      const back = await log.read()
      await vi.advanceTimersByTimeAsync(60_000)
      expect(isFollowed).toBe(true)
      back()
      const { last } = log
      await vi.advanceTimersByTimeAsync(60_000)
      expect(isFollowed).toBe(false)
      expect(log.holds(last)).toBe(false)
    } finally {
      vi.useRealTimers()
    }
  })

  test('a log beyond its bound drops the oldest rows, which a reader sees as a gap', async () => {
    const rows = [0, 1, 2].map(seq => ({ thread: 't', row: { seq } as never }))
    const follow = async function* () {
      yield []
      yield rows
    }
    const log = new LiveLog({ follow } as never, new AbortController().signal, 25)
    await log.read()
    await pause(5)
    expect(log.last).toBeGreaterThanOrEqual(3)
    expect([log.holds(0), log.after(0).length <= 2]).toEqual([false, true])
  })
})

describe('batches', () => {
  const numbers = async function* (count: number) {
    for (let index = 0; index < count; index++) yield index
  }

  test('are bounded by events and by characters', async () => {
    const sizes = async (limits: object) => {
      const all = []
      for await (const batch of batches(numbers(10), limits)) all.push(batch?.length)
      return all
    }
    expect(await sizes({ events: 4 })).toEqual([4, 4, 2])
    expect(await sizes({ characters: 3 })).toEqual([3, 3, 3, 1])
  })
})
