/** Reads the stream of an endpoint, of whatever type and size, as a stream of events that LangChain reads. */
import { eventOfAnswer, eventOfLength, eventOfPart, eventOfUsage } from './endpoint-event.ts'
import { isForeign, translateEvent } from './endpoint-event.ts'

/** Bytes of one answer, events included: many times the longest answer of a model. */
const ANSWER_MAX = 67_108_864

/** Bytes of the body of a failed answer. The client reads it to its end. */
const ERROR_MAX = 65_536

function head(max: number): TransformStream<Uint8Array, Uint8Array> {
  let left = max
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left))
      left -= chunk.byteLength
      if (left <= 0) controller.terminate()
    },
  })
}

/** `fetch` for streamed answers. Translates an answer in one piece, and rejects the page of a proxy, which also has status 200. */
export const fetchStream: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const { body, ok, status, headers } = response
  if (!body) return response
  if (!ok) return new Response(body.pipeThrough(head(ERROR_MAX)), { status, headers })
  const type = headers.get('content-type') ?? ''
  const message = `the endpoint answered with ${type.slice(0, 60)}; expected a stream of events`
  if (/^application\/json/i.test(type)) {
    const event = streamOf(oneEvent(body, new Error(message)))
    return new Response(event, { status, headers: { 'content-type': 'text/event-stream' } })
  }
  const fault = /^(text\/html|application\/xml)/i.test(type) ? new Error(message) : undefined
  return new Response(body.pipeThrough(translator(fault)), { status, headers })
}

/** A stream that reads on only when its last chunk was read: an error does not discard it. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await chunks.return(undefined)),
  })
}

/** Some endpoints ignore `stream: true`. Their answer counts, and has cost its usage, or what arrived of it. */
async function* oneEvent(
  body: ReadableStream<Uint8Array>,
  fault: Error,
): AsyncGenerator<Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
  const dataOf = (event: string) => encoder.encode(`data: ${event}\n\n`)
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > ANSWER_MAX) throw tooLarge()
    // An answer that breaks off, or is abandoned, has cost what arrived before.
    if (isAnswer(text)) yield dataOf(eventOfLength(text.length))
  }
  text += decoder.decode()
  const event = eventOfAnswer(text)
  const whole = event ?? eventOfUsage(text)
  if (whole !== undefined) yield dataOf(whole)
  if (event === undefined) throw fault
  yield dataOf('[DONE]')
}

const isAnswer = (text: string): boolean => text.slice(0, HEAD).includes('"choices"')

/** The beginning of an answer, which names its fields. */
const HEAD = 1_000

const tooLarge = () =>
  Object.assign(new Error(`the answer has more than ${ANSWER_MAX} bytes; expected an end to it`), {
    name: 'TooLarge',
  })

function translator(fault: Error | undefined): TransformStream<Uint8Array, Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
  let bytes = 0
  let line = ''
  let first = true
  let over: Error | undefined
  const translate = (text: string) => {
    const matches = text.startsWith('data:') && (first || isForeign(text))
    const event = matches ? translateEvent(text.slice('data:'.length)) : undefined
    if (event !== undefined) first = false
    return event === undefined ? text : `data: ${event}`
  }
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      const error = fault ?? over
      if (error) return controller.error(error)
      if (bytes > ANSWER_MAX) {
        over = tooLarge()
        if (!line.startsWith('data:')) return controller.error(over)
        // The error would drop the event that has no end. It is thrown at the next chunk, once the event was read.
        const part = eventOfPart(line.slice('data:'.length))
        return controller.enqueue(encoder.encode(`data: ${part}\n\n`))
      }
      // Only the new chunk is split: a line may arrive in very many chunks.
      const [rest = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n')
      line += rest
      if (lines.length === 0) return
      const whole = [line, ...lines]
      line = whole.pop() ?? ''
      controller.enqueue(encoder.encode(whole.map(text => `${translate(text)}\n`).join('')))
    },
    flush(controller) {
      if (over) throw over
      controller.enqueue(encoder.encode(translate(line + decoder.decode())))
    },
  })
}
