/** Reads the archive of a thread line by line. Each line is checked when it arrives, so that a forged file does not fill the memory. */
import { oneLine } from '../../core/watch/data/invisible.ts'
import { createHash } from 'node:crypto'
import type { Row } from '../../core/run/run.ts'
import { isMap, type Json, jsonLength, LEVELS_MAX, valuesIn } from '../../core/watch/data/json.ts'
import { type Fault, faultLine } from '../../core/watch/data/fault.ts'
import { parentIn } from '../../core/watch/data/thread-name.ts'
import { notationOf, type Policy, safeParsePolicy } from '../../core/watch/policy/policy.ts'
import {
  GRAPHS_MAX,
  LINE_MAX,
  type Archive,
  BadArchive,
  FORMAT,
  FORMAT_VERSION,
  versionOf,
} from './archive.ts'
import { isNameOf } from './value-name.ts'
import { rowFault } from './row-schema.ts'
import { rowUpcast } from './upcast.ts'

/** The threads of the header, by which the rows are assigned. */
type Header = readonly { readonly thread: string; readonly rows: number }[]

/** The values of all lines: numbers, texts, lists and objects, of which each takes 8 to 100 bytes in memory. */
const VALUES_MAX = 20_000_000
/** Characters that are read at once. They take some 20 ms. */
const PART = 262_144

/**
 * Reads an archive to its last byte. `lines` come without their line breaks. `pause` is awaited between two parts of a long archive, so that
 * timers and signals of the process run.
 * @throws BadArchive
 */
export async function parseArchive(
  lines: AsyncIterable<string>,
  pause: () => Promise<unknown> = async () => {},
): Promise<Archive> {
  const sum = createHash('sha256')
  let assembly: Assembly | undefined
  let expected: string | undefined
  let [line, part] = [0, 0]
  const count = valueCounter()
  for await (const text of lines) {
    line += 1
    if (expected !== undefined) throw new BadArchive('continues after its last line, the hash')
    const value = parseLine(text, line)
    count(value, line)
    if (!assembly) assembly = assemblyOf(headerOf(value))
    else if (isMap(value) && typeof value.sha256 === 'string') expected = value.sha256
    else assembly.add(value, line)
    if (expected === undefined) sum.update(`${text}\n`)
    part += text.length
    if (part < PART) continue
    part = 0
    await pause()
  }
  if (!assembly) throw new BadArchive('is empty')
  if (expected === undefined)
    throw new BadArchive('is truncated: its last line, the hash, is missing')
  const actual = sum.digest('hex')
  if (expected !== actual)
    throw new BadArchive(`was changed: its SHA-256 is ${actual}, expected ${expected}`)
  return assembly.archive()
}

function parseLine(text: string, line: number): Json {
  if (text.length > LINE_MAX)
    throw new BadArchive(`line ${line} has ${text.length} characters; expected at most ${LINE_MAX}`)
  try {
    return JSON.parse(text) as Json
  } catch {
    throw new BadArchive(
      line === 1
        ? 'is not an escapement archive: expected a header in its first line, as `escapement export --out` writes it'
        : `line ${line} is not JSON`,
    )
  }
}

/** Limits the depth of each line and the values of all of them. */
function valueCounter() {
  let values = 0
  return (value: Json, line: number) => {
    const more = valuesIn(value)
    if (more === Number.POSITIVE_INFINITY)
      throw new BadArchive(`line ${line} is nested deeper than ${LEVELS_MAX} levels`)
    values += more
    if (values > VALUES_MAX)
      throw new BadArchive(`has more than ${VALUES_MAX} values up to line ${line}`)
  }
}

function headerOf(value: Json): Header {
  if (!isMap(value) || value.format !== FORMAT)
    throw new BadArchive(
      `is not an escapement archive: expected a header with format '${FORMAT}', as \`escapement export --out\` writes it`,
    )
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

interface Assembly {
  /** Takes the graph or the row of the next line. @throws BadArchive */
  add(body: Json, line: number): void
  /** @throws BadArchive if rows are missing */
  archive(): Archive
}

/** The graphs come first, then the rows of each thread in the order of the header. */
function assemblyOf(header: Header): Assembly {
  const kept = new Map<string, Json>()
  let graphs = 0
  const threads = header.map(({ thread, rows: count }) => ({ thread, count, rows: [] as Row[] }))
  let index = 0
  let upcast: ReturnType<typeof rowUpcast>
  const addRow = (body: Json) => {
    const next = threads[index]
    if (!next) throw new BadArchive('has more rows than its header lists')
    const { thread, count, rows } = next
    const row = rowOf(thread, body, rows.length)
    if (rows.length === 0) upcast = rowUpcast(versionOf([row]))
    rows.push(checkRow(thread, upcasted(thread, row, upcast)))
    if (rows.length === count) index += 1
  }
  return {
    add(body, line) {
      const isGraph = isMap(body) && 'kept' in body
      if (!isGraph && !(isMap(body) && Number.isInteger(body.seq)))
        throw new BadArchive(`line ${line} is neither a graph nor a row`)
      if (!isGraph || index > 0 || threads[0]?.rows.length !== 0) return addRow(body)
      graphs += JSON.stringify(body.value ?? null).length
      if (graphs > GRAPHS_MAX)
        throw new BadArchive(`has graphs of more than ${GRAPHS_MAX} characters up to line ${line}`)
      addGraph(kept, body)
    },
    archive() {
      const short = threads.find(({ count, rows }) => rows.length !== count)
      if (short)
        throw new BadArchive(
          `thread '${short.thread}' has ${short.rows.length} rows; expected ${short.count}`,
        )
      return { threads: threads.map(({ thread, rows }) => ({ thread, rows })), kept }
    },
  }
}

function addGraph(kept: Map<string, Json>, body: Readonly<Record<string, Json>>): void {
  const { kept: name, value = null } = body
  // A wrapped agent has no graph in the store.
  if (value === null) return
  if (typeof name !== 'string' || !isMap(value) || !isNameOf(name, value))
    throw new BadArchive(`the value '${String(name)}' is not the graph of this name`)
  kept.set(name, value)
}

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

function upcasted(thread: string, row: Row, upcast: ReturnType<typeof rowUpcast>): Row {
  try {
    return upcast ? upcast(row) : row
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

/** Characters of a policy, and its scopes. Each row is folded with all of it. */
const POLICY_MAX = 4_194_304
const SCOPES_MAX = 10_000

function policyFault(policy: Policy): Fault | undefined {
  if (jsonLength(policy) > POLICY_MAX)
    return { path: 'policy', message: `expected at most ${POLICY_MAX} characters` }
  try {
    if (Object.keys(policy.limits.scopes ?? {}).length > SCOPES_MAX)
      return { path: 'policy.limits.scopes', message: `expected at most ${SCOPES_MAX} scopes` }
    const [fault] = safeParsePolicy(notationOf(policy)).faults ?? []
    return fault && { ...fault, path: `policy.${fault.path}` }
  } catch {
    return { path: 'policy.detect', message: 'expected the options of each detector' }
  }
}
