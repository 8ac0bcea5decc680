/** Follows a thread of a service by its URL: a stream says that something has happened, and the state says what. */
import type { IndicatorState } from './shown.ts'

interface Listener {
  readonly show: (state: IndicatorState) => void
  /** The service does not answer, or refuses. */
  readonly lost: (why: string) => void
}

/** The least time in ms between two reads of the state. */
const READ_EVERY_MS = 250
/** A refused stream is opened again after this time. The browser itself retries a broken one. */
const REOPEN_MS = 5_000

/** Returns the function that ends it. */
export function follow(source: string, { show, lost }: Listener): () => void {
  const left = new AbortController()
  let isReading = false
  let isStale = false
  const readOnce = async () => {
    isStale = false
    try {
      const response = await fetch(source, { signal: left.signal })
      if (!response.ok) return lost(`The service refuses (${response.status})`)
      show((await response.json()) as IndicatorState)
    } catch {
      if (!left.signal.aborted) lost('The service does not answer')
    }
  }
  /** The state is read once more for all that happens during a read. */
  const read = async () => {
    isStale = true
    if (isReading) return
    isReading = true
    while (isStale && !left.signal.aborted) {
      await readOnce()
      await new Promise(resolve => setTimeout(resolve, READ_EVERY_MS))
    }
    isReading = false
  }
  const open = () => {
    if (left.signal.aborted) return
    const stream = new EventSource(`${source}/stream`)
    left.signal.addEventListener('abort', () => stream.close())
    stream.addEventListener('batch', () => void read())
    stream.addEventListener('end', () => {
      stream.close()
      void read()
    })
    // Also the event with this name that the service sends before it ends the stream.
    stream.addEventListener('error', () => {
      void read()
      if (stream.readyState === EventSource.CLOSED) setTimeout(open, REOPEN_MS)
    })
  }
  void read()
  open()
  return () => left.abort()
}
