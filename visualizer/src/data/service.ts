/** The service behind the page: the client of the package, with the session of the browser. */
import { update } from './route.ts'
import { type Client, createClient, isServiceError } from '../../../src/client.ts'

/** A report is opened from a file, and sends no request. */
const address = location.protocol === 'file:' ? 'http://localhost' : location.origin

/**
 * The page and its service have one origin. The cookie of the session goes with each request. Broken streams are opened again by the
 * page, which says so.
 */
export const service: Client = createClient(address, { retries: 0 })

/** A failed request in words for a person. */
export function problemText(error: unknown): string {
  if (isServiceError(error)) {
    const { code, detail, status } = error.problem
    if (code === 'stale-seq')
      return 'The thread has moved on since you looked. Look again, then repeat the command.'
    if (code === 'question-closed')
      return 'Another person has answered the question, or its deadline has passed.'
    if (status === 401)
      return 'This page has no session. Open the link that `escapement serve` prints.'
    const faults = error.problem.errors?.map(({ path, message }) => `${path}: ${message}`) ?? []
    return [detail, ...faults].join('\n')
  }
  return error instanceof TypeError
    ? 'The service does not answer.'
    : String((error as Error).message)
}

/** Exchanges the one-time token of a link for a cookie, and removes it from the address. */
export async function openSession(): Promise<void> {
  const [, token] = /[#&?]token=([\w-]+)/.exec(location.hash) ?? []
  if (token === undefined) return
  const rest = location.hash.replace(/[#&?]token=[\w-]+/, '')
  history.replaceState(null, '', `${location.pathname}${location.search}${rest || '#/'}`)
  update()
  // A link works once. Its session goes on after that.
  await service.calls.session({ body: { token } }).catch(() => {})
}

/** One command from one click, however often its request is repeated. */
export const commandId = (): string => crypto.randomUUID()
