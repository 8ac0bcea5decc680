/** `escapement report`: a thread and its child threads as one HTML page, which needs no service. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createGzip } from 'node:zlib'
import { readArchive, writeLines } from '../../../adapters/node/files.ts'
import { archiveLines } from '../../../runtime/store/archive.ts'
import { parseArchive } from '../../../runtime/store/archive-parser.ts'
import { type App, EXIT, UsageError } from '../app/app.ts'
import { withFileName } from './copy.ts'
import { type StoreOptions, withStore } from './thread.ts'

interface ReportOptions extends StoreOptions {
  readonly out: string
}

/** Seen from this file, both in the repository and in the package. */
const PAGE = fileURLToPath(
  new URL('../../../../visualizer/report/dist/report.html', import.meta.url),
)
/** The place of the journal in the built page. */
const PLACE = '<script type="application/gzip" id="journal">'

export async function report(app: App, subject: string, options: ReportOptions): Promise<number> {
  const { out, store: file } = options
  const page = await builtPage()
  const signal = AbortSignal.any([app.signal, app.leave])
  if (existsSync(subject)) {
    await withFileName(subject, async () => parseArchive(readArchive(subject)))
    await writePage(out, page, { lines: withBreaks(readArchive(subject)), keep: [subject], signal })
  } else
    await withStore(options, store =>
      writePage(out, page, {
        lines: archiveLines(store, subject),
        keep: [file, `${file}-wal`, `${file}-shm`],
        signal,
      }),
    )
  app.err(`wrote ${subject} to ${out}; it has the whole journal, and opens in any browser\n`)
  return EXIT.goal
}

/** @throws UsageError in a repository without the built page */
async function builtPage(): Promise<readonly [before: string, after: string]> {
  const html = await readFile(PAGE, 'utf8').catch(() => '')
  const at = html.indexOf(PLACE) + PLACE.length
  if (at < PLACE.length)
    throw new UsageError('the page of the report is not built', {
      hint: 'in the source of the project, run `npm run build:page`',
    })
  return [html.slice(0, at), html.slice(at)]
}

interface Content {
  readonly lines: AsyncIterable<string>
  /** Files that are read, and the store. */
  readonly keep: readonly string[]
  readonly signal: AbortSignal
}

/** Base64 keeps whatever the journal holds out of the page: it cannot end a tag or start a script. */
function writePage(out: string, [before, after]: readonly [string, string], of: Content) {
  const { lines, ...options } = of
  const written = async function* () {
    yield before
    yield* base64(packed(lines))
    yield after
  }
  return writeLines(out, written(), { ...options, own: true })
}

function packed(lines: AsyncIterable<string>): AsyncIterable<Buffer> {
  const gzip = createGzip()
  return Readable.from(lines)
    .on('error', error => gzip.destroy(error))
    .pipe(gzip)
}

/** Three bytes become four letters: the bytes that are left over wait for the next chunk. */
async function* base64(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk])
    const whole = bytes.length - (bytes.length % 3)
    yield bytes.toString('base64', 0, whole)
    rest = bytes.subarray(whole)
  }
  yield rest.toString('base64')
}

async function* withBreaks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`
}
