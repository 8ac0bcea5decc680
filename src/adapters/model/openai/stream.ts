/** How the answers of endpoints are read: as streams of events, and no longer than anybody means them to be. */

/** Bytes of one answer, events and all: many times what the longest answer of a model takes. */
export const ANSWER_MAX = 67_108_864

/** An answer that has no end is not read to its end. */
class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

/** `fetch`, whose answers break off where they are too long, or are no stream: a page of a proxy has status 200, too. */
export const fetchStream: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const { body, ok, status, headers } = response
  if (!body || !ok) return response
  const type = headers.get('content-type') ?? ''
  const foreign = NO_STREAM.test(type)
    ? new Error(`the endpoint answered with ${type.slice(0, 60)}; expected a stream of events`)
    : undefined
  return new Response(body.pipeThrough(limitSize(foreign)), { status, headers })
}

const NO_STREAM = /^(text\/html|application\/(json|xml))/i

function limitSize(foreign: Error | undefined): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (foreign) controller.error(foreign)
      else if (bytes > ANSWER_MAX)
        controller.error(
          new TooLarge(`the answer has more than ${ANSWER_MAX} bytes; expected an end to it`),
        )
      else controller.enqueue(chunk)
    },
  })
}
