/** A server of the Model Context Protocol over Streamable HTTP, with faults. Messages before a response pass as they arrive. */
import { isMap, type Json } from '../../../core/watch/data/json.ts'
import { isTouched, type McpFaults, type Message } from '../../../simulate/proxy/mcp-faults.ts'
import { Refused } from '../contract/problem.ts'
import { forward, passed, textOf } from './forward.ts'

/** Characters of a response. */
const RESPONSE_MAX = 16_777_216

export interface McpRequest {
  readonly request: Request
  readonly url: string
  readonly text: string
  readonly body: Json
  readonly sleep: (ms: number) => Promise<void>
}

/** @throws ConnectionLost, Refused */
export async function relayWith(faults: McpFaults, of: McpRequest): Promise<Response> {
  const { request, url, text, body } = of
  if (Array.isArray(body))
    throw new Refused(422, 'invalid-request', 'batches are not supported; send one message')
  if (isMap(body) && isTouched(body)) return answerWith(faults, body, of)
  const response = await forward(request, url, text)
  return passed(response, response.body)
}

/** The server refused the request itself: its response passes unchanged. */
class Declined extends Error {
  override readonly name = 'Declined'
  readonly response: Response
  constructor(response: Response) {
    super('the server declined')
    this.response = response
  }
}

/** One JSON response, or a stream if the server sends other messages first. */
async function answerWith(faults: McpFaults, body: Message, of: McpRequest): Promise<Response> {
  const { request, url, text, sleep } = of
  const stream = new TransformStream<string, string>()
  const writer = stream.writable.getWriter()
  const { promise: streamed, resolve } = Promise.withResolvers<Response>()
  const pass = (block: string) => {
    resolve(streamOf(stream.readable))
    return writer.write(`${block}\n\n`)
  }
  const answer = faults.answer(body, {
    sleep,
    forward: async () => {
      const response = await forward(request, url, text)
      if (!response.ok) throw new Declined(passed(response, response.body))
      return responseIn(response, body.id ?? null, pass)
    },
  })
  // After the first message of a stream, a failure can only end it.
  const end = answer.then(async message => {
    await writer.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
    await writer.close()
  })
  const single = answer.then(message => Response.json(message))
  void streamed.then(() => end.catch(error => writer.abort(error)).catch(() => {}))
  end.catch(() => {})
  try {
    return await Promise.race([streamed, single])
  } catch (error) {
    if (error instanceof Declined) return error.response
    throw error
  }
}

const streamOf = (body: ReadableStream<string>): Response =>
  new Response(body.pipeThrough(new TextEncoderStream()), {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  })

/** The response to a request in what the server sends. Other messages are passed on. */
async function responseIn(
  response: Response,
  id: Json,
  pass: (block: string) => Promise<void>,
): Promise<Message> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (!isStream) return messageIn(await textOf(response, RESPONSE_MAX))
  for await (const block of blocksIn(response)) {
    const data = block.split('\n').flatMap(line => /^data: ?(.*)$/.exec(line)?.[1] ?? [])
    const message = data.length > 0 ? messageIn(data.join('\n')) : {}
    if (message.id === id && message.method === undefined) return message
    await pass(block)
  }
  throw new Refused(502, 'no-answer', 'the server ended its stream without a response')
}

/** @throws Refused */
function messageIn(text: string): Message {
  try {
    const message: Json = JSON.parse(text)
    if (isMap(message)) return message
  } catch {
    // Reported below.
  }
  throw new Refused(502, 'not-a-message', 'the server answered with another format')
}

/** The messages of a stream of server-sent events. @throws Refused */
async function* blocksIn({ body }: Response): AsyncGenerator<string> {
  let buffer = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    buffer = (buffer + chunk).replaceAll('\r\n', '\n')
    if (buffer.length > RESPONSE_MAX)
      throw new Refused(
        502,
        'answer-too-large',
        `a message has more than ${RESPONSE_MAX} characters`,
      )
    const blocks = buffer.split('\n\n')
    buffer = blocks.pop() ?? ''
    yield* blocks
  }
}
