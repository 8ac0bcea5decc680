/** Limits the size of streamed answers, and translates the dialects of endpoints to OpenAI's own. */

/** Bytes of one answer, events included: many times the longest answer of a model. */
const ANSWER_MAX = 67_108_864

/** The answer exceeds the limit. */
class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

const NO_STREAM = /^(text\/html|application\/(json|xml))/i

/** `fetch` for streamed answers. Rejects the page of a proxy, which also has status 200. */
export const fetchStream: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const { body, ok, status, headers } = response
  if (!body || !ok) return response
  const type = headers.get('content-type') ?? ''
  const fault = NO_STREAM.test(type)
    ? new Error(`the endpoint answered with ${type.slice(0, 60)}; expected a stream of events`)
    : undefined
  return new Response(body.pipeThrough(translator(fault)), { status, headers })
}

function translator(fault: Error | undefined): TransformStream<Uint8Array, Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
  let bytes = 0
  let line = ''
  let first = true
  const translate = (text: string) => {
    const matches = text.startsWith('data:') && (first || text.includes('"reasoning"'))
    const event = matches ? translateEvent(text.slice('data:'.length)) : undefined
    if (event !== undefined) first = false
    return event === undefined ? text : `data: ${event}`
  }
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (fault) return controller.error(fault)
      const message = `the answer has more than ${ANSWER_MAX} bytes; expected an end to it`
      if (bytes > ANSWER_MAX) return controller.error(new TooLarge(message))
      // Only the new chunk is split: a line may arrive in very many chunks.
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
 * Adds the role that LangChain needs in the first delta: without it, LangChain loses the calls of the answer. Renames `reasoning`
 * to the one name that LangChain knows. `undefined`: not a delta.
 */
function translateEvent(data: string): string | undefined {
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
