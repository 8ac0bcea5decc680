/** The lines of an archive from its bytes: gzip, as `escapement export --out` writes it, or plain text, as the service sends it. */
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { BadArchive } from './archive.ts'

/** Bytes of a packed archive and of its content: a few bytes can unpack to gigabytes. */
const PACKED_MAX = 134_217_728
const UNPACKED_MAX = 268_435_456
/** A journal packs to a tenth or a thirtieth of its size. Bytes that pack to less than a two-hundredth are a bomb. */
const RATIO_MAX = 200
const RATIO_FROM = 4_194_304

type Chunks = AsyncIterable<Uint8Array>

/** The lines without their line breaks. `size`: the number of all bytes. @throws BadArchive */
export async function* archiveLinesIn(chunks: Chunks, size: number): AsyncGenerator<string> {
  const { isGzip, all } = await withKind(chunks)
  checkSize(size, isGzip ? PACKED_MAX : UNPACKED_MAX)
  const most = isGzip ? Math.min(UNPACKED_MAX, Math.max(RATIO_FROM, size * RATIO_MAX)) : size
  const decoder = new TextDecoder('utf-8', { fatal: true })
  // A long line comes in many chunks, which are joined once.
  let parts: string[] = []
  let bytes = 0
  try {
    for await (const chunk of isGzip ? unpacked(all) : all) {
      bytes += chunk.length
      if (bytes > most)
        throw new BadArchive(`unpacks to more than ${most} bytes; expected at most that`)
      const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n')
      parts.push(first)
      const rest = more.pop()
      if (rest === undefined) continue
      yield parts.join('')
      yield* more
      parts = [rest]
    }
    const last = parts.join('') + decoder.decode()
    if (last === '') return
    if (isGzip) throw new BadArchive('is truncated: its last line has no end')
    // Editors and HTTP clients drop the last line break.
    yield last
  } catch (error) {
    throw explainError(error)
  }
}

function checkSize(size: number, most: number): void {
  if (size > most) throw new BadArchive(`has ${size} bytes; expected at most ${most}`)
}

/** Looks at the first two bytes, which gzip begins with. */
async function withKind(
  chunks: Chunks,
): Promise<{ readonly isGzip: boolean; readonly all: Chunks }> {
  const iterator = chunks[Symbol.asyncIterator]()
  const head: Uint8Array[] = []
  for (let length = 0; length < 2; ) {
    const { done, value } = await iterator.next()
    if (done) break
    head.push(value)
    length += value.length
  }
  const [first, second] = Buffer.concat(head)
  const all = async function* () {
    try {
      yield* head
      yield* { [Symbol.asyncIterator]: () => iterator }
    } finally {
      await iterator.return?.()
    }
  }
  return { isGzip: first === 0x1f && second === 0x8b, all: all() }
}

/** An error of either stream ends the other. The reader gets it. */
function unpacked(packed: Chunks): Chunks {
  return pipeline(Readable.from(packed, { objectMode: false }), createGunzip(), () => {})
}

const MESSAGES: Readonly<Record<string, string>> = {
  Z_DATA_ERROR: 'was changed: its gzip data is damaged',
  Z_BUF_ERROR: 'is truncated: expected the rest of the gzip data',
  ERR_ENCODING_INVALID_ENCODED_DATA:
    'is neither gzip nor UTF-8 text; expected an escapement archive',
}

function explainError(error: unknown): unknown {
  const { code = '' } = error as { code?: string }
  const message = MESSAGES[code]
  return message === undefined ? error : new BadArchive(message, { cause: error })
}
