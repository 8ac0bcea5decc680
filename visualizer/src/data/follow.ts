/** Loads a thread from the service and follows it, across lost connections. */
import type { Row } from '../../../src/core/run.ts'
import { isServiceError } from '../../../src/client.ts'
import { wholeLinesOf } from '../../../src/faces/http/client/thread.ts'
import { problemText, service } from './service.ts'
import { RunModel } from './run-model.ts'

const PAGE = 100_000
const RETRY_FIRST_MS = 500
const RETRY_MAX_MS = 5_000
/** An ended thread gets a new round when somebody sends a message. */
const ENDED_CHECK_MS = 3_000

/** A thread whose graph the service does not hold is read again after this time. */
const STORED_CHECK_MS = 2_000

/** @throws ServiceError */
export async function openThread(thread: string): Promise<RunModel> {
  return new RunModel(thread, await service.thread(thread).graph())
}

/** Fills and follows the model until the signal is aborted. */
export async function followThread(model: RunModel, signal: AbortSignal): Promise<void> {
  let delay = RETRY_FIRST_MS
  while (!signal.aborted) {
    try {
      if (model.journal.end < 0) {
        model.setLink({ kind: 'loading' })
        await loadRows(model, signal)
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

async function loadRows(model: RunModel, signal: AbortSignal): Promise<void> {
  const params = { thread: model.thread }
  for (;;) {
    const query = { after: model.journal.end, limit: PAGE }
    const before = model.journal.end
    const response = await service.calls.rows({ params, query }, { signal })
    for await (const text of wholeLinesOf(response)) model.journal.add(rowsIn(text))
    if (model.journal.end - before < PAGE) return
  }
}

/** One call for many lines is faster than one for each. A line break within a value is escaped. */
const rowsIn = (lines: string): readonly Row[] =>
  JSON.parse(`[${lines.trimEnd().replaceAll('\n', ',')}]`)

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
  const model = await openThread(thread)
  await loadRows(model, signal)
  return model
}
