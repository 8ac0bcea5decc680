/** Reads the stream of an endpoint, of whatever type and size, as a stream of events that LangChain reads. */
import { formOf, HEAD_MAX, HEAD_MIN } from './answer-form.ts'
import { AnswerTranslator, END } from './answer-translator.ts'
import { eventOfAnswer, eventOfArrived, eventOfUsage } from './endpoint-event.ts'
import { brokenAnswer, type ForeignBody, foreignBody } from '../../../kit/no-answer.ts'
import { EventParser, type ServerEvent, textOfEvent } from './endpoint-sse.ts'
import { ReportScanner } from './report-scanner.ts'

/** Bytes of one answer, events included: many times the longest answer of a model. */
const ANSWER_MAX = 67_108_864

/** How long an answer is read after an error, in ms: its usage may follow. */
const AFTER_ERROR_MAX = 250

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
  const address = response.url || (input instanceof Request ? input.url : `${input}`)
  const events = eventsIn(body.getReader(), { type, address })
  return new Response(events, { status, headers: { 'content-type': 'text/event-stream' } })
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** Reads on only when its last chunk was read: an error does not discard it. */
function eventsIn(reader: Reader, answer: ForeignBody): ReadableStream<Uint8Array> {
  const close = () => void reader.cancel().catch(() => {})
  const chunks = translated(chunksIn(reader), answer, close)
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(error)
        await reader.cancel(error)
      }
    },
    cancel: reason => reader.cancel(reason),
  })
}

async function* chunksIn(reader: Reader): AsyncGenerator<Uint8Array> {
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
}

async function* translated(
  chunks: AsyncGenerator<Uint8Array>,
  answer: ForeignBody,
  close: () => void,
): AsyncGenerator<Uint8Array> {
  const { first, text } = await headOf(chunks)
  if (first.length === 0) return
  const all = chained(first, chunks)
  const form = formOf(answer.type, text)
  if (form === 'page') throw foreignBody({ ...answer, body: text }, 'HtmlPage')
  if (form === 'events') yield* eachEvent(all, close)
  // Most texts are the message of a proxy that has lost its connection.
  else
    yield* oneEvent(all, body =>
      foreignBody({ ...answer, body }, form === 'json' ? 'Error' : 'NoAnswer'),
    )
}

/** The chunks that show the form of an answer. The first one may be a blank line. */
async function headOf(chunks: AsyncGenerator<Uint8Array>) {
  const decoder = new TextDecoder()
  const first: Uint8Array[] = []
  let text = ''
  while (text.trimStart().length < HEAD_MIN && text.length < HEAD_MAX) {
    const { done, value } = await chunks.next()
    if (done) break
    first.push(value)
    text += decoder.decode(value.subarray(0, HEAD_MAX), { stream: true })
  }
  return { first, text }
}

async function* chained(first: readonly Uint8Array[], rest: AsyncGenerator<Uint8Array>) {
  yield* first
  yield* rest
}

/** Some endpoints ignore `stream: true`. Their answer counts, and has cost its usage, or what arrived of it, also if it is a text. */
async function* oneEvent(
  chunks: AsyncIterable<Uint8Array>,
  faultOf: (body: string) => Error,
): AsyncGenerator<Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
  const dataOf = (event: string) => encoder.encode(`data: ${event}\n\n`)
  const reports = new ReportScanner()
  let text = ''
  const whole = () => {
    reports.end()
    return eventOfAnswer(text) ?? eventOfUsage(text) ?? eventOfArrived(text.length, reports)
  }
  try {
    for await (const chunk of chunks) {
      const part = decoder.decode(chunk, { stream: true })
      text += part
      if (text.length > ANSWER_MAX) throw tooLarge()
      reports.add(part)
      // An answer that breaks off, or is abandoned, has cost what arrived before.
      yield dataOf(eventOfArrived(text.length, reports))
    }
  } catch (error) {
    // The connection may break after the last byte of the answer.
    yield dataOf(whole())
    throw error
  }
  text += decoder.decode()
  yield dataOf(whole())
  if (eventOfAnswer(text) === undefined) throw faultOf(text)
  yield dataOf(END)
}

const tooLarge = () =>
  Object.assign(new Error(`the answer has more than ${ANSWER_MAX} bytes; expected an end to it`), {
    name: 'TooLarge',
  })

/** `close` ends the chunks. */
async function* eachEvent(
  chunks: AsyncIterable<Uint8Array>,
  close: () => void,
): AsyncGenerator<Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
  const [parser, translator] = [new EventParser(), new AnswerTranslator()]
  let bytes = 0
  let closing: NodeJS.Timeout | undefined
  const bytesOf = (event: ServerEvent) => encoder.encode(textOfEvent(event))
  function* translated(part: string): Generator<Uint8Array> {
    let text = ''
    for (const event of parser.add(part)) {
      if (event.data !== END) {
        const sent = translator.translate(event)
        if (sent) text += textOfEvent(sent)
        continue
      }
      if (text !== '') yield encoder.encode(text)
      text = textOfEvent(faultOf(translator) ?? event)
    }
    if (text !== '') yield encoder.encode(text)
  }
  // An event without an end has cost what arrived of it.
  function* unfinished(isBroken: boolean): Generator<Uint8Array> {
    for (const event of parser.rest()) {
      const rest = translator.translateRest(event, isBroken)
      if (rest) yield bytesOf(rest)
    }
  }
  try {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength
      if (bytes > ANSWER_MAX) throw tooLarge()
      yield* translated(decoder.decode(chunk, { stream: true }))
      if (translator.error) closing ??= setTimeout(close, AFTER_ERROR_MAX)
    }
  } catch (error) {
    yield* unfinished(true)
    // What the endpoint says of its failure came first.
    if (translator.error) yield bytesOf(translator.error)
    throw error
  } finally {
    clearTimeout(closing)
  }
  yield* translated(decoder.decode())
  yield* unfinished(false)
  const fault = faultOf(translator)
  if (fault) yield bytesOf(fault)
}

/** What the client throws at the end. @throws if the answer broke off, or is in the form of another API */
function faultOf({ error, isCut, isForeign, unreadable }: AnswerTranslator) {
  if (error) return error
  if (isForeign) throw foreign()
  if (isCut) throw brokenAnswer()
  return unreadable === undefined ? undefined : { name: undefined, data: unreadable }
}

const foreign = () =>
  new Error('the endpoint answered with events of another API; expected chat completions')
