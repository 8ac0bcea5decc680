/** Answers of endpoints as streams of events: limited in size, and with the dialects of endpoints translated into OpenAI's own. */

/** Bytes of one answer, events included: many times the longest answer of a model. */
export const ANSWER_MAX = 67_108_864

/** An answer without an end is not read to its end. */
class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

/** `fetch` for streamed answers. A page of a proxy has status 200, too: it is refused. */
export const fetchStream: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const { body, ok, status, headers } = response
  if (!body || !ok) return response
  const type = headers.get('content-type') ?? ''
  const foreign = NO_STREAM.test(type)
    ? new Error(`the endpoint answered with ${type.slice(0, 60)}; expected a stream of events`)
    : undefined
  return new Response(body.pipeThrough(translated(foreign)), { status, headers })
}

const NO_STREAM = /^(text\/html|application\/(json|xml))/i

function translated(foreign: Error | undefined): TransformStream<Uint8Array, Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
  let bytes = 0
  let line = ''
  let first = true
  const translate = (text: string) => {
    const known = text.startsWith('data:') && (first || text.includes('"reasoning"'))
    const other = known ? inOwnWords(text.slice('data:'.length)) : undefined
    if (other !== undefined) first = false
    return other === undefined ? text : `data: ${other}`
  }
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (foreign) return controller.error(foreign)
      if (bytes > ANSWER_MAX)
        return controller.error(
          new TooLarge(`the answer has more than ${ANSWER_MAX} bytes; expected an end to it`),
        )
      // Only what is new is split: a line may come in very many chunks.
      const [rest = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n')
      line += rest
      if (lines.length === 0) return
      const whole = [line, ...lines]
      line = whole.pop() ?? ''
      controller.enqueue(encoder.encode(whole.map(text => `${translate(text)}\n`).join('')))
    },
    flush(controller) {
      controller.enqueue(encoder.encode(translate(line + decoder.decode())))
    },
  })
}

/**
 * An event with the role that LangChain needs in the first delta, and the one name for reasoning that it knows. Some endpoints
 * leave the role out, and LangChain loses the calls of the answer; some say `reasoning`. `undefined`: no delta.
 */
function inOwnWords(data: string): string | undefined {
  try {
    const event = JSON.parse(data)
    const delta = event.choices?.[0]?.delta
    if (typeof delta !== 'object' || delta === null) return undefined
    delta.role ??= 'assistant'
    if (typeof delta.reasoning === 'string') delta.reasoning_content ??= delta.reasoning
    return JSON.stringify(event)
  } catch {
    return undefined
  }
}
