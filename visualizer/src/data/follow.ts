/** Loads a thread from the service and follows it, across lost connections. */
import { isServiceError } from '../../../src/client.ts'
import { wholeOf } from '../../../src/faces/http/contract/rows.ts'
import { linesOf } from '../../../src/faces/http/client/thread.ts'
import { problemText, service } from './service.ts'
import { RunModel } from './run-model.ts'

const PAGE = 1_000_000
const RETRY_FIRST_MS = 500
const RETRY_MAX_MS = 5_000
/** An ended thread gets a new round when somebody sends a message. */
const ENDED_CHECK_MS = 3_000

/** A thread whose graph the service does not hold is read again after this time. */
const STORED_CHECK_MS = 2_000

/** A thread that is being opened. */
export interface Opened {
  readonly model: RunModel
  /** The response with its first rows, which was requested together with the graph. */
  readonly first: Promise<Response>
}

/** @throws ServiceError */
export async function openThread(thread: string, signal: AbortSignal): Promise<Opened> {
  const first = rowsAfter(thread, -1, signal)
  // The loop that reads the rows handles their failure.
  first.catch(() => {})
  return { model: new RunModel(thread, await service.thread(thread).graph()), first }
}

/** Fills and follows the model until the signal is aborted. */
export async function followThread({ model, first }: Opened, signal: AbortSignal): Promise<void> {
  let next: Promise<Response> | undefined = first
  let delay = RETRY_FIRST_MS
  while (!signal.aborted) {
    try {
      if (model.journal.end < 0) {
        model.setLink({ kind: 'loading' })
        const response = next
        next = undefined
        await loadRows(model, signal, response)
      }
      if (model.link.kind !== 'stored') model.setLink({ kind: 'live' })
      delay = RETRY_FIRST_MS
      await followRows(model, signal)
      await sleep(ENDED_CHECK_MS, signal)
    } catch (error) {
      if (signal.aborted) return
      if (isServiceError(error) && error.code === 'wrong-graph') {
        model.setLink({ kind: 'stored' })
        await sleep(STORED_CHECK_MS, signal)
        await loadRows(model, signal).catch(() => {})
        continue
      }
      if (isServiceError(error) && error.problem.status < 500 && error.problem.status !== 429) {
        model.setLink({ kind: 'failed', message: problemText(error) })
        return
      }
      const { link } = model
      model.setLink({ kind: 'lost', since: link.kind === 'lost' ? link.since : Date.now() })
      await sleep(delay, signal)
      delay = Math.min(RETRY_MAX_MS, delay * 2)
    }
  }
}

/** `next`: the response with the rows after those of the model. */
async function loadRows(
  model: RunModel,
  signal: AbortSignal,
  next = rowsAfter(model.thread, model.journal.end, signal),
): Promise<void> {
  const before = model.journal.end
  for await (const lines of linesOf(await next))
    model.journal.add(lines.map(line => wholeOf(JSON.parse(line))))
  if (model.journal.end - before >= PAGE) await loadRows(model, signal)
}

const rowsAfter = (thread: string, after: number, signal: AbortSignal): Promise<Response> =>
  service.calls.rows(
    { params: { thread }, query: { after, limit: PAGE, fields: 'lite' } },
    { signal },
  )

/** The stream repeats no event, and the journal ignores those it has. */
async function followRows(model: RunModel, signal: AbortSignal): Promise<void> {
  const after = model.journal.end
  const events = service.thread(model.thread).events({ after, signal })
  for await (const event of events) {
    if (event.type === 'token') continue
    model.journal.add([event.row])
    if (model.link.kind !== 'live') model.setLink({ kind: 'live' })
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
}

/** A thread as it is now. @throws ServiceError */
export async function loadThread(thread: string, signal: AbortSignal): Promise<RunModel> {
  const { model, first } = await openThread(thread, signal)
  await loadRows(model, signal, first)
  return model
}
