/** The chunks of a response body. Safari and WebKitGTK have no iterator of streams. */
export async function* chunksOf<T>(body: ReadableStream<T> | null): AsyncGenerator<T> {
  if (!body) return
  const reader = body.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    // A reader that leaves early ends the request. After an error, there is nothing to end.
    await reader.cancel().catch(() => {})
  }
}
