/** The archive of a thread, to continue it in another store, as lines of JSON: a header, the graphs, the rows of each thread, and the SHA-256 of all preceding bytes. */
import { createHash } from 'node:crypto'
import type { Row } from '../../core/run.ts'
import {
  type Json,
  isMap,
  isTooDeep,
  LEVELS_MAX,
  canonical,
  hash,
} from '../../core/watch/data/json.ts'
import {
  codedError,
  type Fault,
  faultLine,
  oneLine,
  truncate,
} from '../../core/watch/data/fault.ts'
import { parentIn } from '../../core/watch/data/thread-name.ts'
import { notationOf, type Policy, safeParsePolicy } from '../../core/watch/policy/policy.ts'
import { VERSION } from '../../core/watch/parts.ts'
import { rowFault } from './row-schema.ts'
import { familyOf } from './source.ts'
import { type Store, StoreUnavailable, UnknownThread } from './store.ts'
import { upcastRows } from './upcast.ts'

/** A parsed archive. */
export interface Archive {
  /** The thread itself, followed by its child threads (`<thread>/…`). */
  readonly threads: readonly ArchivedThread[]
  /** Graphs by their hashes. */
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

/** The threads of the header, by which the rows are assigned. */
type Header = readonly { readonly thread: string; readonly rows: number }[]

const FORMAT = 'escapement'
/** The newest version of the format that this build reads. */
const FORMAT_VERSION = 1
const PAGE = 1_000
/** Characters of a line. A value takes some thirty times its text in memory. */
const LINE_MAX = 16_777_216

/** The lines of the archive of a thread and its child threads, each with its line break. @throws UnknownThread */
export async function* archiveLines(store: Store, thread: string): AsyncGenerator<string> {
  const family = await familyOf(store, thread)
  if (family[0]?.summary.thread !== thread) throw new UnknownThread(thread)
  const threads = family.map(({ summary, started: event, left }) => {
    const sources = [...left, event].map(({ source, specHash }) => source ?? specHash)
    return { thread: summary.thread, rows: summary.seq + 1, sources }
  })
  // In threads of the first version, the name of a graph is not the hash of its stored value.
  const recorded = new Set(
    family.flatMap(({ started, left }) => [...left, started].map(({ source }) => source)),
  )
  const sum = createHash('sha256')
  const line = (value: unknown) => {
    const text = `${JSON.stringify(value)}\n`
    sum.update(text)
    return text
  }
  const header = threads.map(({ sources, ...of }) => ({ ...of, source: sources[0] }))
  yield line({ format: FORMAT, version: FORMAT_VERSION, escapement: VERSION, threads: header })
  const owners = new Map(threads.flatMap(({ thread, sources }) => sources.map(of => [of, thread])))
  for (const [source, owner] of owners) {
    const value = await graphValue(store, source, { owner, isHash: recorded.has(source) })
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

/** A stored graph. `owner`: a thread that runs it. @throws StoreUnavailable if it is missing or damaged */
async function graphValue(
  store: Store,
  source: string,
  { owner, isHash }: { readonly owner: string; readonly isHash: boolean },
): Promise<Json> {
  const value = await store.getBlob(source)
  const repair = 'restore the store from a backup'
  if (value === undefined)
    throw new StoreUnavailable(`the graph ${source} of thread '${owner}' is missing; ${repair}`)
  if (isHash && hash(canonical(value)) !== source)
    throw new StoreUnavailable(
      `the graph stored as ${source} is damaged: its value has another hash; ${repair}`,
    )
  return value
}

/** The hash of the graph of a thread, from its first row. */
export const sourceOf = ({ event }: Pick<Row, 'event'>): string =>
  event.type === 'thread.started' ? (event.source ?? event.specHash) : ''

/** Reads an archive to its last byte. `lines` come without their line breaks. @throws BadArchive */
export async function parseArchive(lines: AsyncIterable<string>): Promise<Archive> {
  const sum = createHash('sha256')
  let header: Header | undefined
  let expected: string | undefined
  const bodies: Json[] = []
  for await (const text of lines) {
    if (expected !== undefined) throw new BadArchive('continues after its last line, the hash')
    const value = parseLine(text, header ? bodies.length + 2 : 1)
    if (!header) header = headerOf(value)
    else if (isMap(value) && typeof value.sha256 === 'string') expected = value.sha256
    else if (isMap(value) && ('kept' in value || Number.isInteger(value.seq))) bodies.push(value)
    else throw new BadArchive(`line ${bodies.length + 2} is neither a graph nor a row`)
    // A count that is slightly off is reported with its thread.
    if (bodies.length % PAGE === 0 && bodies.length > countOf(header) + PAGE)
      throw new BadArchive(`has more than ${PAGE} rows more than its header lists`)
    if (expected === undefined) sum.update(`${text}\n`)
  }
  if (!header) throw new BadArchive('is empty')
  if (expected === undefined)
    throw new BadArchive('is truncated: its last line, the hash, is missing')
  const actual = sum.digest('hex')
  if (expected !== actual)
    throw new BadArchive(`was changed: its SHA-256 is ${actual}, expected ${expected}`)
  return sortBodies(header, bodies)
}

/** The most lines after the header: each thread has its rows, and at most one graph. */
const countOf = (header: Header): number => header.reduce((total, { rows }) => total + rows + 1, 0)

function parseLine(text: string, line: number): Json {
  if (text.length > LINE_MAX)
    throw new BadArchive(`line ${line} has ${text.length} characters; expected at most ${LINE_MAX}`)
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    throw new BadArchive(
      line === 1
        ? 'is not an escapement archive: expected a header in its first line'
        : `line ${line} is not JSON`,
    )
  }
  if (isTooDeep(value))
    throw new BadArchive(`line ${line} is nested deeper than ${LEVELS_MAX} levels`)
  return value
}

function headerOf(value: Json): Header {
  if (!isMap(value) || value.format !== FORMAT)
    throw new BadArchive(`is not an escapement archive: expected a header with format '${FORMAT}'`)
  if (value.version !== FORMAT_VERSION)
    throw new BadArchive(
      `has format version ${JSON.stringify(value.version)}; expected ${FORMAT_VERSION}: use the version of escapement that wrote it, or a newer one`,
    )
  const { threads } = value
  const isNamed = (name: Json | undefined) =>
    typeof name === 'string' && name.trim() !== '' && oneLine(name) === name
  const isValid = (each: Json) =>
    isMap(each) && isNamed(each.thread) && Number.isInteger(each.rows) && Number(each.rows) > 0
  if (!(Array.isArray(threads) && threads.length > 0 && threads.every(isValid)))
    throw new BadArchive('header: expected `threads`, each with its name and its number of rows')
  const header = threads as unknown as Header
  const names = header.map(({ thread }) => thread)
  const known = new Set<string>()
  const again = names.find(name => known.size === known.add(name).size)
  if (again !== undefined) throw new BadArchive(`header: lists thread '${again}' twice`)
  const stranger = names.slice(1).find(name => !known.has(parentIn(name) ?? ''))
  if (stranger !== undefined)
    throw new BadArchive(`header: '${stranger}' is not a child thread of '${names[0]}'`)
  return header
}

function sortBodies(threads: Header, bodies: readonly Json[]): Archive {
  const kept = new Map<string, Json>()
  let at = 0
  for (; isMap(bodies[at]) && 'kept' in (bodies[at] as object); at++) {
    const { kept: name, value = null } = bodies[at] as { kept: string; value?: Json }
    // A wrapped agent has no graph in the store.
    if (value === null) continue
    if (hash(canonical(value)) !== name)
      throw new BadArchive(`the graph '${String(name)}' does not have that hash`)
    kept.set(name, value)
  }
  const archived = threads.map(({ thread, rows: count }) => {
    const rows = bodies.slice(at, at + count).map((body, index) => rowOf(thread, body, index))
    at += count
    if (rows.length !== count)
      throw new BadArchive(`thread '${thread}' has ${rows.length} rows; expected ${count}`)
    return { thread, rows: upcast(thread, rows).map(row => checkRow(thread, row)) }
  })
  if (at !== bodies.length)
    throw new BadArchive(`has ${bodies.length - at} rows more than its header lists`)
  return { threads: archived, kept }
}

/** The version that a thread began with. */
export const versionOf = ([first]: readonly Row[]): string | undefined =>
  first?.event.type === 'thread.started' ? first.event.versions.escapement : undefined

/** Version 0.1.0 did not always record its own. */
const hasVersion = (versions: Json | undefined): boolean =>
  isMap(versions) && typeof (versions.escapement ?? '') === 'string'

function rowOf(thread: string, body: Json, seq: number): Row {
  const row = isMap(body) && isMap(body.event) ? body : undefined
  const first = seq === 0 ? row?.event : undefined
  const isFirst = isMap(first) && first.type === 'thread.started' && hasVersion(first.versions)
  if (row?.seq !== seq || (seq === 0 && !isFirst))
    throw new BadArchive(
      `thread '${thread}': expected row ${seq}${seq === 0 ? ', the thread.started event' : ''}`,
    )
  return body as unknown as Row
}

function upcast(thread: string, rows: readonly Row[]): readonly Row[] {
  try {
    return upcastRows(versionOf(rows), rows)
  } catch (cause) {
    throw new BadArchive(`thread '${thread}': the rows are not those of its version`, { cause })
  }
}

/** A policy beyond its ranges, such as a detector that searches a billion events, would make each event slow. */
function checkRow(thread: string, row: Row): Row {
  const policy = 'policy' in row.event ? row.event.policy : undefined
  const fault = rowFault(row) ?? (policy && policyFault(policy))
  if (fault) throw new BadArchive(`thread '${thread}': row ${row.seq}: ${faultLine(fault)}`)
  return row
}

function policyFault(policy: Policy): Fault | undefined {
  try {
    const [fault] = safeParsePolicy(notationOf(policy)).faults ?? []
    return fault && { ...fault, path: `policy.${fault.path}` }
  } catch {
    return { path: 'policy.detect', message: 'expected the options of each detector' }
  }
}
