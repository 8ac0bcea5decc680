/** The endpoint of a model, with faults. Streams of unchanged answers pass as they arrive. */
import { factsOf } from '../../../core/watch/failure/failure.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import { type ChatRequest, chatRequestIn } from '../../../simulate/proxy/chat-completion.ts'
import { ConnectionLost, losesConnection } from '../../../simulate/proxy/connection-lost.ts'
import type { ModelFaults } from '../../../simulate/proxy/model-faults.ts'
import { Refused } from '../contract/problem.ts'
import { forward, passed, textOf } from './forward.ts'

/** Characters of an answer that is read as a whole. */
const ANSWER_MAX = 16_777_216

export interface ModelCall {
  readonly request: Request
  readonly url: string
  readonly text: string
  readonly body: Json
  readonly sleep: (ms: number) => Promise<void>
}

/** The endpoint refused: its response passes unchanged. */
class Declined extends Error {
  override readonly name = 'Declined'
  readonly response: Response
  constructor(response: Response) {
    super('the endpoint declined')
    this.response = response
  }
}

/** @throws ConnectionLost, Refused */
export async function completeWith(faults: ModelFaults, call: ModelCall): Promise<Response> {
  const { request, url, text, body, sleep } = call
  const chat = requestIn(body)
  const read = async () => {
    const response = await forward(request, url, text)
    if (!response.ok) throw new Declined(passed(response, response.body))
    return textOf(response, ANSWER_MAX)
  }
  try {
    const changed = await faults.answer(chat, { sleep, read })
    if (changed !== undefined) return completionResponse(chat, changed)
  } catch (error) {
    return failureOf(error)
  }
  const response = await forward(request, url, text)
  const learned =
    response.ok && response.body?.pipeThrough(copying(copy => faults.learn(chat, copy)))
  return passed(response, learned || response.body)
}

/** @throws Refused */
function requestIn(body: Json): ChatRequest {
  try {
    return chatRequestIn(body)
  } catch (error) {
    throw new Refused(422, 'invalid-request', (error as Error).message)
  }
}

function completionResponse({ stream }: ChatRequest, body: string): Response {
  const type = stream ? 'text/event-stream' : 'application/json'
  return new Response(body, { headers: { 'content-type': type } })
}

/** Passes bytes on, and calls back with all of them as text once the stream ends. */
function copying(onEnd: (text: string) => void): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  let text = ''
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk)
      if (text.length <= ANSWER_MAX) text += decoder.decode(chunk, { stream: true })
    },
    flush: () => onEnd(text),
  })
}

/** A failure as an endpoint reports it. @throws ConnectionLost, Refused */
function failureOf(error: unknown): Response {
  if (error instanceof Declined) return error.response
  if (error instanceof Refused) throw error
  if (error instanceof SyntaxError)
    throw new Refused(502, 'not-a-completion', 'the endpoint answered with another format')
  const facts = factsOf(error)
  const { name, message, code, status, retryAfter } = facts
  if (losesConnection(facts)) throw new ConnectionLost(message)
  const shown = status ?? STATUS[code ?? name] ?? 500
  const body = { error: { message, type: 'server_error', code: code ?? null } }
  const headers =
    retryAfter === undefined ? undefined : { 'retry-after': String(Math.ceil(retryAfter / 1_000)) }
  return Response.json(body, { status: shown, ...(headers && { headers }) })
}

/** Statuses of failures that have none. */
const STATUS: Readonly<Record<string, number>> = { ETIMEDOUT: 504, BusinessError: 422 }
