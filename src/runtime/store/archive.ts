/** The archive of a thread, to continue it in another store, as lines of JSON: a header, the graphs, the rows of each thread, and the SHA-256 of all preceding bytes. */
import { oneLine } from '../../core/watch/data/invisible.ts'
import { createHash } from 'node:crypto'
import type { Row } from '../../core/run/run.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { codedError, truncate } from '../../core/watch/data/fault.ts'
import { VERSION } from '../../core/watch/parts.ts'
import { isWrappedHash } from '../../core/watch/wrapped/watchdog.ts'
import { familyOf } from './source.ts'
import { isNameOf } from './value-name.ts'
import { type Store, StoreUnavailable, UnknownThread } from './store.ts'
import { WrappedThread } from './wrapped-thread.ts'

/** A parsed archive. */
export interface Archive {
  /** The thread itself, followed by its child threads (`<thread>/…`). */
  readonly threads: readonly ArchivedThread[]
  /** Graphs by their names. */
  readonly kept: ReadonlyMap<string, Json>
}

export type ArchivedThread = Readonly<{ thread: string; rows: readonly Row[] }>

/** The file is not a complete archive. The caller adds the file name. */
export class BadArchive extends codedError('BadArchive', 'bad-archive') {
  /** The message may contain names from the file. */
  constructor(message: string, options?: ErrorOptions) {
    super(truncate(oneLine(message), MESSAGE_MAX), options)
  }
}

const MESSAGE_MAX = 500

export const FORMAT = 'escapement'
/** The newest version of the format that this build reads. */
export const FORMAT_VERSION = 1
/** Characters of a line. A value takes some thirty times its text in memory. */
export const LINE_MAX = 16_777_216
/** Characters of all graphs of an archive. A machine takes some 240 bytes for each. */
export const GRAPHS_MAX = 4_194_304
/** The versions of its graph that an archived thread has left. */
export const LEFT_MAX = 1_000
const PAGE = 1_000

/** The lines of the archive of a thread and its child threads, each with its line break. @throws UnknownThread */
export async function* archiveLines(store: Store, thread: string): AsyncGenerator<string> {
  const family = await familyOf(store, thread)
  if (family[0]?.summary.thread !== thread) throw new UnknownThread(thread)
  const threads = family.map(({ summary, started: event, left }) => {
    if (left.length > LEFT_MAX)
      throw new BadArchive(
        `thread '${summary.thread}' has left ${left.length} versions; an archive holds at most ${LEFT_MAX}`,
      )
    const sources = [...left, event].map(({ source, specHash }) => source ?? specHash)
    return { thread: summary.thread, rows: summary.seq + 1, sources }
  })
  // In threads of the first version, the name of a graph does not follow from its stored value.
  const recorded = new Set(
    family.flatMap(({ started, left }) => [...left, started].map(({ source }) => source)),
  )
  const sum = createHash('sha256')
  const line = (value: unknown) => {
    const text = `${JSON.stringify(value)}\n`
    if (text.length > LINE_MAX + 1)
      throw new BadArchive(
        `a line of thread '${thread}' would have ${text.length - 1} characters; an archive holds at most ${LINE_MAX} in a line`,
      )
    sum.update(text)
    return text
  }
  const header = threads.map(({ sources, ...of }) => ({ ...of, source: sources[0] }))
  yield line({ format: FORMAT, version: FORMAT_VERSION, escapement: VERSION, threads: header })
  const owners = new Map(threads.flatMap(({ thread, sources }) => sources.map(of => [of, thread])))
  let graphs = 0
  for (const [source, owner] of owners) {
    const value = await graphValue(store, source, { owner, isNamed: recorded.has(source) })
    graphs += JSON.stringify(value).length
    if (graphs > GRAPHS_MAX)
      throw new BadArchive(
        `the graphs of thread '${thread}' have more than ${GRAPHS_MAX} characters; an archive holds at most that`,
      )
    yield line({ kept: source, value })
  }
  for (const { thread: name, rows: count } of threads)
    for (let next = 0; next < count; ) {
      // The thread may be running: rows added after the header are left out.
      const rows = await store.rows(name, next - 1, Math.min(PAGE, count - next))
      if (rows.length === 0)
        throw new Error(`thread '${name}' has ${count} rows, but only ${next} can be read`)
      for (const row of rows) yield line(row)
      next += rows.length
    }
  yield `${JSON.stringify({ sha256: sum.digest('hex') })}\n`
}

/** A stored graph. `owner`: a thread that runs it. @throws StoreUnavailable if it is missing or damaged, WrappedThread */
async function graphValue(
  store: Store,
  source: string,
  { owner, isNamed }: { readonly owner: string; readonly isNamed: boolean },
): Promise<Json> {
  if (isWrappedHash(source)) throw new WrappedThread(owner, 'archive')
  const value = await store.getBlob(source)
  const repair = 'restore the store from a backup'
  if (value === undefined)
    throw new StoreUnavailable(`the graph ${source} of thread '${owner}' is missing; ${repair}`)
  if (isNamed && !isNameOf(source, value))
    throw new StoreUnavailable(
      `the graph stored as ${source} is damaged: its value is another one; ${repair}`,
    )
  return value
}

/** The hash of the graph of a thread, from its first row. */
export const sourceOf = ({ event }: Pick<Row, 'event'>): string =>
  event.type === 'thread.started' ? (event.source ?? event.specHash) : ''

/** The version that a thread began with. */
export const versionOf = ([first]: readonly Row[]): string | undefined =>
  first?.event.type === 'thread.started' ? first.event.versions.escapement : undefined
