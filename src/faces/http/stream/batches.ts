/** Collects events into batches: one message for many events is several times faster for a browser. */
export interface BatchLimits {
  /** Ms in which a batch collects events. Default: 50. */
  readonly time?: number
  /** Events of a batch. Default: 200. */
  readonly events?: number
  /** Characters of a batch. Default: 64 Ki. */
  readonly characters?: number
}

/** Reads the source only as fast as its reader takes batches. */
export async function* batches<T>(
  source: AsyncIterable<T>,
  { time = 50, events = 200, characters = 65_536 }: BatchLimits = {},
): AsyncGenerator<readonly { readonly item: T; readonly text: string }[]> {
  const iterator = source[Symbol.asyncIterator]()
  // A failure while the reader is slow is met with the next read.
  const read = () => {
    const result = iterator.next()
    result.catch(() => {})
    return result
  }
  let next = read()
  try {
    for (;;) {
      const first = await next
      if (first.done) return
      const batch = [withText(first.value)]
      let size = batch[0]?.text.length ?? 0
      const end = Date.now() + time
      next = read()
      while (batch.length < events && size < characters) {
        const more = await within(next, end - Date.now())
        if (!more || more.done) break
        const item = withText(more.value)
        batch.push(item)
        size += item.text.length
        next = read()
      }
      yield batch
    }
  } finally {
    void iterator.return?.().then(undefined, () => {})
  }
}

const withText = <T>(item: T) => ({ item, text: JSON.stringify(item) })

/** The value of a promise, or `undefined` after `ms`. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, Math.max(0, ms), undefined)
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
