/** Endpoints that stream events (server-sent events). */
import { defined } from '../../../core/watch/data/json.ts'
import type { ThreadEvent } from '../../../host/thread/thread.ts'
import { ownsThread } from '../access/tenant.ts'
import { Refused } from '../contract/problem.ts'
import { eventStream } from '../stream/event-stream.ts'
import { batches, type BatchLimits } from '../stream/batches.ts'
import type { LiveLog, LogEntry } from '../stream/live-log.ts'
import type { Handlers } from './handler.ts'

export function streams(log: LiveLog, limits: BatchLimits): Handlers<'threadStream' | 'stream'> {
  return {
    async threadStream({ query, params, request, runtime, ...service }) {
      const handle = runtime.thread(params.thread ?? '')
      const { seq: last } = await handle.summary()
      const resumed = request.headers.get('last-event-id')
      const after = resumed === null ? (query.after ?? -1) : seqIn(resumed)
      // A client of another store has seen more events than there are.
      const isGap = after > last
      return eventStream(service, request.signal, async function* (send, signal) {
        if (isGap) yield send('gap', { thread: handle.id, from: 0, to: last })
        const terms = defined({ after: isGap ? -1 : after, until: query.until, signal })
        for await (const batch of batches(handle.events(terms), limits))
          yield send('batch', textOf(handle.id, batch), lastSeq(batch))
        if (!signal.aborted) yield send('end', { thread: handle.id })
      })
    },

    async stream({ request, runtime, caller, ...service }) {
      const resumed = request.headers.get('last-event-id')
      const leave = await log.read()
      const isShown = ({ thread }: LogEntry) => ownsThread(caller ?? {}, thread)
      return eventStream(
        service,
        request.signal,
        async function* (send, signal) {
          const [id, n] = resumed?.split('.') ?? []
          let at = id === log.id && log.holds(Number(n)) ? Number(n) : undefined
          if (resumed !== null && at === undefined) yield send('gap', { from: resumed })
          if (at === undefined) {
            at = log.last
            const { threads } = await runtime.threads({ limit: 10_000 })
            const heads = threads.map(({ thread, graph, status, seq }) => ({
              thread,
              graph,
              status,
              seq,
            }))
            yield send('snapshot', { threads: heads }, `${log.id}.${at}`)
          }
          for await (const batch of batches(entries(log, at, signal, isShown), limits)) {
            at = batch.at(-1)?.item.n ?? at
            yield send('batch', textOf(undefined, batch), `${log.id}.${at}`)
          }
          // A client that is too slow reconnects, and receives a snapshot.
          if (!signal.aborted) yield send('gap', { from: `${log.id}.${at}` })
        },
        { ended: leave },
      )
    },
  }
}

function seqIn(id: string): number {
  if (/^\d{1,15}$/.test(id)) return Number(id)
  throw new Refused(422, 'invalid-request', 'Last-Event-ID: expected the number of an event')
}

/** The events are texts already: they are joined, not stringified again. */
function textOf(thread: string | undefined, batch: readonly { readonly text: string }[]): string {
  const head = thread === undefined ? '' : `"thread":${JSON.stringify(thread)},`
  return `{${head}"events":[${batch.map(({ text }) => text).join(',')}]}`
}

/** The number of the last stored event of a batch. A token is not stored: it does not move the cursor. */
function lastSeq(batch: readonly { readonly item: ThreadEvent }[]): number | undefined {
  return batch.findLast(({ item }) => item.type !== 'token')?.item.seq
}

/** The entries of the log that are shown. Ends when the log no longer holds the next one. */
async function* entries(
  log: LiveLog,
  from: number,
  signal: AbortSignal,
  isShown: (entry: LogEntry) => boolean,
): AsyncGenerator<LogEntry> {
  for (let at = from; !signal.aborted && log.holds(at); ) {
    const next = log.after(at)
    yield* next.filter(isShown)
    at = next.at(-1)?.n ?? at
    await log.next(at, signal)
  }
}
