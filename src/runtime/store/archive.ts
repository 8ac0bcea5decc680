/**
 * The archive of a thread: all that is needed to go on with it in another store, as lines of JSON. A header, the graphs by their
 * hashes, each thread's rows as they are stored, and last the SHA-256 of all bytes before.
 */
import { createHash } from 'node:crypto'
import type { Row } from '../../core/run.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { canonical, hash } from '../../core/watch/data/signature.ts'
import { VERSION } from '../../core/watch/parts.ts'
import { type Store, UnknownThread } from './store.ts'
import { upcastRows } from './upcast.ts'

/** What can be read. */
export interface Archive {
  /** The thread itself, and after it those it has begun (`<thread>/…`). */
  readonly threads: readonly Archived[]
  /** Graphs by their hashes. */
  readonly kept: ReadonlyMap<string, Json>
}

export interface Archived {
  readonly thread: string
  readonly rows: readonly Row[]
}

/** What is no archive, or not a whole one. Whoever knows the file says its name. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive'
}

interface Header {
  readonly format: string
  readonly version: number
  readonly escapement: string
  readonly threads: readonly {
    readonly thread: string
    readonly rows: number
    readonly source: string
  }[]
}

const FORMAT = 'escapement'
/** The newest version of the format this build understands. */
const FORMAT_VERSION = 1
const PAGE = 1_000

/** The lines of the archive of a thread and those it has begun, each with its line break. @throws UnknownThread */
export async function* archiveLines(store: Store, thread: string): AsyncGenerator<string> {
  const known = await store.threads()
  const own = known
    .filter(each => each.thread === thread || each.thread.startsWith(`${thread}/`))
    .toSorted((a, b) => (a.thread < b.thread ? -1 : 1))
  if (own[0]?.thread !== thread) throw new UnknownThread(thread)
  const threads = await Promise.all(
    own.map(async ({ thread: name, seq }) => ({
      thread: name,
      rows: seq + 1,
      source: await sourceOf(store, name),
    })),
  )
  const sum = createHash('sha256')
  const line = (value: unknown) => {
    const text = `${JSON.stringify(value)}\n`
    sum.update(text)
    return text
  }
  yield line({
    format: FORMAT,
    version: FORMAT_VERSION,
    escapement: VERSION,
    threads,
  } satisfies Header)
  for (const source of new Set(threads.map(({ source }) => source)))
    yield line({ kept: source, value: (await store.getBlob(source)) ?? null })
  for (const { thread: name, rows: count } of threads)
    for (let next = 0; next < count; ) {
      // A thread may be driven meanwhile: what comes after the header was written is left out.
      const rows = await store.rows(name, next - 1, Math.min(PAGE, count - next))
      if (rows.length === 0)
        throw new Error(
          `thread '${name}' has lost rows: ${count} were there, and ${next} can be read`,
        )
      for (const row of rows) yield line(row)
      next += rows.length
    }
  yield `${JSON.stringify({ sha256: sum.digest('hex') })}\n`
}

async function sourceOf(store: Store, thread: string): Promise<string> {
  const [first] = await store.rows(thread, -1, 1)
  return first?.event.type === 'thread.started' ? (first.event.source ?? first.event.specHash) : ''
}

/** Reads an archive, to its last byte. `lines` come without their line breaks. @throws BadArchive */
export async function parseArchive(lines: AsyncIterable<string>): Promise<Archive> {
  const sum = createHash('sha256')
  let header: Header | undefined
  let told: string | undefined
  const bodies: Json[] = []
  for await (const text of lines) {
    if (told !== undefined) throw new BadArchive('goes on after its last line, the hash')
    const value = parseLine(text, header ? bodies.length + 2 : 1)
    if (!header) header = headerOf(value)
    else if (isRecord(value) && typeof value.sha256 === 'string') told = value.sha256
    else bodies.push(value)
    if (told === undefined) sum.update(`${text}\n`)
  }
  if (!header) throw new BadArchive('is empty')
  if (told === undefined) throw new BadArchive('is truncated: its last line, the hash, is missing')
  const real = sum.digest('hex')
  if (told !== real) throw new BadArchive(`was changed: its SHA-256 is ${real}, expected ${told}`)
  return sortBodies(header, bodies)
}

function parseLine(text: string, line: number): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw new BadArchive(
      line === 1
        ? 'is no archive of escapement: expected a header in its first line'
        : `line ${line} is not JSON`,
    )
  }
}

function headerOf(value: Json): Header {
  if (!isRecord(value) || value.format !== FORMAT)
    throw new BadArchive(`is no archive of escapement: expected a header with format '${FORMAT}'`)
  if (value.version !== FORMAT_VERSION)
    throw new BadArchive(
      `has format version ${JSON.stringify(value.version)}; expected ${FORMAT_VERSION}: use the escapement that wrote it, or a newer one`,
    )
  const { threads } = value
  const sound =
    Array.isArray(threads) &&
    threads.length > 0 &&
    threads.every(each => isRecord(each) && isName(each.thread) && isCount(each.rows))
  if (!sound)
    throw new BadArchive(
      'header: expected `threads`, each with its name and the number of its rows',
    )
  return value as unknown as Header
}

function sortBodies({ threads }: Header, bodies: readonly Json[]): Archive {
  const kept = new Map<string, Json>()
  let at = 0
  for (; isRecord(bodies[at]) && 'kept' in (bodies[at] as object); at++) {
    const { kept: name, value = null } = bodies[at] as {
      readonly kept: string
      readonly value?: Json
    }
    // A wrapped agent has no graph in the store.
    if (value === null) continue
    if (hash(canonical(value)) !== name)
      throw new BadArchive(`the graph '${String(name)}' does not have that hash`)
    kept.set(name, value)
  }
  const read = threads.map(({ thread, rows: count }) => {
    const rows = bodies.slice(at, at + count).map((body, index) => rowOf(thread, body, index))
    at += count
    if (rows.length !== count)
      throw new BadArchive(`thread '${thread}' has ${rows.length} rows; expected ${count}`)
    return { thread, rows: upcastRows(versionOf(rows), rows) }
  })
  if (at !== bodies.length)
    throw new BadArchive(`has ${bodies.length - at} rows more than its header tells`)
  return { threads: read, kept }
}

/** The version that a thread began with. */
export function versionOf([first]: readonly Row[]): string | undefined {
  return first?.event.type === 'thread.started' ? first.event.versions.escapement : undefined
}

function rowOf(thread: string, body: Json, seq: number): Row {
  const event = isRecord(body) && isRecord(body.event) ? body.event : undefined
  const sound =
    isRecord(body) &&
    body.seq === seq &&
    event &&
    typeof event.type === 'string' &&
    typeof event.at === 'number' &&
    (seq > 0 || event.type === 'thread.started')
  if (!sound)
    throw new BadArchive(
      `thread '${thread}': expected row ${seq}${seq === 0 ? ', its beginning' : ''}`,
    )
  return body as unknown as Row
}

function isRecord(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isName(value: Json | undefined): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function isCount(value: Json | undefined): boolean {
  return Number.isInteger(value) && (value as number) > 0
}
