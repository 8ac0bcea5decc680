/** The events of a thread from its stream, which is opened again after the last event when its connection breaks. */
import { chunksOf } from './chunks.ts'
import { defined } from '../../../core/watch/data/json.ts'
import type { ThreadEvent, ThreadHandle } from '../../../host/thread/thread.ts'
import type { Calls } from './calls.ts'
import { isServiceError, ServiceError } from './requests.ts'

/** The first delay in ms before a broken stream is opened again. Each further one is twice as long. */
const DELAY = 500
const DELAY_MAX = 30_000
const RETRIES = 10

/** Responses of a service or a proxy that has no room, or is about to start. */
const TEMPORARY: ReadonlySet<number> = new Set([429, 502, 503, 504])

type EventOptions = NonNullable<Parameters<ThreadHandle['events']>[0]>

/** @throws ServiceError, and the error of the connection after all retries */
export async function* eventsOf(
  calls: Calls,
  thread: string,
  { after = -1, until, signal, retries = RETRIES }: EventOptions & { readonly retries?: number },
): AsyncGenerator<ThreadEvent> {
  let failures = 0
  for (let last = after; !signal?.aborted; ) {
    try {
      const input = { params: { thread }, query: { after: last, until } }
      const response = await calls.threadStream(input, defined({ signal }))
      for await (const { event, data } of messagesIn(response)) {
        failures = 0
        if (event === 'end') return
        if (event === 'error') throw new ServiceError({ title: '', status: 0, ...JSON.parse(data) })
        if (event !== 'batch') continue
        for (const each of (JSON.parse(data) as { events: ThreadEvent[] }).events) {
          if (each.type !== 'token') last = each.seq
          yield each
        }
      }
    } catch (error) {
      if (signal?.aborted) return
      if (!isTemporary(error) || failures >= retries) throw error
    }
    await sleep(Math.min(DELAY_MAX, DELAY * 2 ** failures++), signal)
  }
}

function isTemporary(error: unknown): boolean {
  if (isServiceError(error)) return TEMPORARY.has(error.problem.status)
  return !(error instanceof SyntaxError)
}

async function* messagesIn({ body }: Response) {
  const decoder = new TextDecoder()
  let buffer = ''
  for await (const bytes of chunksOf(body)) {
    buffer += decoder.decode(bytes, { stream: true })
    const blocks = buffer.split('\n\n')
    buffer = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, event = ''] = /^event: (.*)$/m.exec(block) ?? []
      const [, data = ''] = /^data: (.*)$/m.exec(block) ?? []
      yield { event, data }
    }
  }
}

/** Ends early when the signal is aborted. */
async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const wake = () => resolve()
  signal?.addEventListener('abort', wake, { once: true })
  await promise
  clearTimeout(timer)
  signal?.removeEventListener('abort', wake)
}
