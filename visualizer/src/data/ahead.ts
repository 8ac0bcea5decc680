/** The thread of the address, which is requested while the code of its screen loads. */
import { openThread, type Opened } from './follow.ts'

interface Ahead {
  readonly thread: string
  readonly opened: Promise<Opened>
  readonly left: AbortController
}

let ahead: Ahead | undefined

export function requestAhead(thread: string): void {
  const left = new AbortController()
  const opened = openThread(thread, left.signal)
  // The screen handles the failure.
  opened.catch(() => {})
  ahead = { thread, opened, left }
  // A person has gone elsewhere before the screen was there. An unread response would keep its connection.
  addEventListener('hashchange', () => ahead?.left.abort(), { once: true })
}

/** Opens a thread, with the response that was requested ahead if it is the one. @throws ServiceError */
export function openRequested(thread: string, signal: AbortSignal): Promise<Opened> {
  const requested = ahead
  ahead = undefined
  if (requested?.thread !== thread || requested.left.signal.aborted) {
    requested?.left.abort()
    return openThread(thread, signal)
  }
  signal.addEventListener('abort', () => requested.left.abort())
  return requested.opened
}
