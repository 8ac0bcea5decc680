/** The errors of an endpoint that succeeds with something else than the answer of a model. */
import { oneLine } from '../core/watch/data/invisible.ts'
import { redactEnvironment } from './redact-environment.ts'

/** What an endpoint has sent instead of an answer, as far as it is known. */
export interface ForeignBody {
  readonly type: string
  readonly address?: string | undefined
  /** Its beginning. */
  readonly body?: string | undefined
}

/** Characters of a body that a message shows, and that are searched for secrets. */
const SHOWN_MAX = 200
const SEARCHED_MAX = 4_096
const TYPE_MAX = 60

/** A page has the name of a persistent failure: the address is wrong, or somebody must log in. Another body may be the message of a proxy. */
export function foreignBody(of: ForeignBody, name: 'HtmlPage' | 'NoAnswer' | 'Error'): Error {
  const { type, address, body = '' } = of
  const where = address === undefined ? '' : ` at ${addressText(address)}`
  const what = type === '' ? 'a text' : type.slice(0, TYPE_MAX)
  const begins = bodyText(body)
  const message = `the endpoint${where} answered with ${what}; expected a stream of events${begins}`
  return Object.assign(new Error(message), { name })
}

/** A stream without an event, or without anything in its events. */
export const emptyAnswer = (): Error =>
  Object.assign(new Error('the stream ended without an answer'), { name: 'NoAnswer' })

/** An answer that ended too early, as when its connection is lost. */
export const brokenAnswer = (): Error =>
  Object.assign(new Error('the answer broke off'), { code: 'ECONNRESET' })

/** Without user, query and fragment, which may hold a key. */
function addressText(address: string): string {
  const { origin, pathname } = URL.parse(address) ?? {}
  return origin === undefined ? '(unknown address)' : `${origin}${pathname}`
}

/** Secrets are removed first: half a secret would not be recognized. */
function bodyText(body: string): string {
  const clean = redactEnvironment()(body.slice(0, SEARCHED_MAX)).replaceAll(/\s+/g, ' ').trim()
  if (clean === '') return ''
  const shown = clean.length > SHOWN_MAX ? `${clean.slice(0, SHOWN_MAX - 1)}…` : clean
  return `. It begins: ${oneLine(shown)}`
}
