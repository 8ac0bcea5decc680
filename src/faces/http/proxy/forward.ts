/** Passes requests on to the server that they are meant for. */
import { Refused } from '../contract/problem.ts'

/** Headers of one connection, and those that name the proxy. */
const OWN = new Set([
  ...['accept-encoding', 'connection', 'content-length', 'expect', 'host', 'keep-alive', 'origin'],
  ...['proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
])
/** `fetch` unpacks the body. */
const UNPACKED = new Set(['content-encoding', ...OWN])

const without = (headers: Headers, names: ReadonlySet<string>): Headers =>
  new Headers([...headers].filter(([name]) => !names.has(name)))

/** Sends a request with this body to a URL. Rejects with `Refused` if the server does not answer. */
export async function forward(request: Request, url: string, body?: string): Promise<Response> {
  const { method, headers, signal } = request
  const init = { method, headers: without(headers, OWN), signal, redirect: 'manual' } as const
  try {
    return await fetch(url, body === undefined || body === '' ? init : { ...init, body })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    const cause = (error as { cause?: { code?: string; message?: string } }).cause
    const detail = `${new URL(url).origin} does not answer: ${cause?.code ?? cause?.message ?? 'fetch failed'}`
    throw new Refused(502, 'upstream-unreachable', detail)
  }
}

/** The response of a server as the proxy sends it. */
export function passed({ status, headers }: Response, body: Response['body']): Response {
  return new Response(body, { status, headers: without(headers, UNPACKED) })
}

/** The body of a response within a limit. @throws Refused */
export async function textOf(response: Response, most: number): Promise<string> {
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    if (text.length > most)
      throw new Refused(502, 'answer-too-large', `the answer has more than ${most} characters`)
  }
  return text
}
