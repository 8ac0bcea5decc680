/** A YAML or JSON file as plain data, with the place of everything in it. */
import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml'
import type { Fault } from '../../core/graph/spec/fault.ts'

/** A fault and where it stands; `line` and `column` count from 1. */
export interface PlacedFault extends Fault {
  readonly file: string
  readonly line?: number
  readonly column?: number
}

/** `graphs/ring.yaml:12:7: nodes.B.on.done: there is no node named 'X'` */
export function faultText({ file, line, column, path, message }: PlacedFault): string {
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`
  return [place, path, message].filter(Boolean).join(': ')
}

export interface Source {
  readonly file: string
  readonly value: unknown
  /** Adds where it is to a fault with a path. */
  place(fault: Fault): PlacedFault
}

export type SourceRead =
  | { readonly source: Source; readonly faults?: undefined }
  | { readonly source?: undefined; readonly faults: readonly PlacedFault[] }

const BYTES_MAX = 1_000_000
/** Uses of anchors: a few lines of them can stand for gigabytes. */
const ALIASES_MAX = 100
const FAULTS_MAX = 5
const ENDINGS: readonly string[] = ['.yaml', '.yml', '.json']

/** Reads a file. Never throws for what is wrong with it. */
export async function readSource(file: string): Promise<SourceRead> {
  const fault = (message: string): SourceRead => ({ faults: [{ file, path: '', message }] })
  if (!ENDINGS.includes(extname(file).toLowerCase()))
    return fault(`expected a file ending in ${ENDINGS.join(', ')}`)
  try {
    const about = await stat(file)
    if (!about.isFile()) return fault('is no file')
    if (about.size > BYTES_MAX)
      return fault(`has ${about.size} bytes; expected at most ${BYTES_MAX}`)
    const bytes = await readFile(file)
    if (bytes.length === 0) return fault('is empty')
    if (bytes.includes(0)) return fault('is a binary file; expected text')
    return sourceOf(file, new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code === 'ENOENT') return fault('there is no such file')
    return fault(
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? 'is not UTF-8 text'
        : `cannot be read: ${message}`,
    )
  }
}

function sourceOf(file: string, text: string): SourceRead {
  const lines = new LineCounter()
  const json = extname(file).toLowerCase() === '.json'
  const broken = json ? jsonFault(text) : undefined
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: true,
    strict: true,
    logLevel: 'error',
    stringKeys: true,
  })
  // Sound JSON that is no YAML (a tab in the wrong place) is read as JSON, if need be without places; doubled keys are refused in both.
  const found = [...document.errors, ...document.warnings].filter(
    ({ code }) => !json || broken !== undefined || code === 'DUPLICATE_KEY',
  )
  if (broken !== undefined || found.length > 0) {
    const faults = found.slice(0, FAULTS_MAX).map(({ message, pos }) => ({
      file,
      path: '',
      ...positionAt(lines, pos[0]),
      message: parserMessage(message, json ? 'JSON' : 'YAML'),
    }))
    return { faults: faults.length > 0 ? faults : [{ file, path: '', message: `JSON: ${broken}` }] }
  }
  const merge = json ? undefined : mergeKeyIn(document)
  if (merge !== undefined)
    return { faults: [{ file, path: '', ...positionAt(lines, merge), message: NO_MERGE }] }
  try {
    const value = json ? JSON.parse(text) : document.toJS({ maxAliasCount: ALIASES_MAX })
    const endless = cycleIn(value)
    if (endless !== undefined)
      return {
        faults: [
          {
            file,
            path: endless,
            ...positionAt(lines, offsetOf(document, endless)),
            message: 'has no end: an alias stands inside of what it stands for',
          },
        ],
      }
    return {
      source: {
        file,
        value,
        place: fault => ({ ...fault, file, ...positionAt(lines, offsetOf(document, fault.path)) }),
      },
    }
  } catch (error) {
    return {
      faults: [{ file, path: '', message: parserMessage((error as Error).message, 'YAML') }],
    }
  }
}

const NO_MERGE =
  'YAML: merge keys (`<<`) are not read; expected the settings written out here, or an alias in the place of a whole value (`on: *edges`)'

/** Where a map is to be merged into another: YAML 1.2 has no such thing, and the key would be taken for one that nobody knows. */
function mergeKeyIn(document: Document): number | undefined {
  let at: number | undefined
  visit(document, {
    Pair: (_, { key }) => {
      if (!isScalar(key) || key.value !== '<<' || key.type !== 'PLAIN') return undefined
      at = key.range?.[0]
      return visit.BREAK
    },
  })
  return at
}

/** The path at which a value holds what it is part of. */
function cycleIn(
  value: unknown,
  path = '',
  above: ReadonlySet<unknown> = new Set(),
): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (above.has(value)) return path
  const inside = new Set(above).add(value)
  for (const [key, inner] of Object.entries(value)) {
    const found = cycleIn(
      inner,
      Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`,
      inside,
    )
    if (found !== undefined) return found
  }
  return undefined
}

function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** What the parser says when it has run out of stack. */
const OVERFLOW = /call stack|Stack overflow/

/** The parser's message without its own account of the place, and without the excerpt below it. */
function parserMessage(message: string, notation: string): string {
  const [said = ''] = message.split('\n')
  if (OVERFLOW.test(said)) return `${notation}: is nested too deep`
  return `${notation}: ${said.replace(/ at line \d+, column \d+:?$/, '')}`
}

function positionAt(
  lines: LineCounter,
  offset: number | undefined,
): Pick<PlacedFault, 'line' | 'column'> {
  if (offset === undefined) return {}
  const { line, col } = lines.linePos(offset)
  return line > 0 ? { line, column: col } : {}
}

/**
 * Where the path of a fault leads, as far as the document goes: the key it names, or the last one on the way that is there.
 * Keys may hold dots themselves (`done.command`), so the longest key that fits is followed.
 */
function offsetOf(document: Document, path: string): number | undefined {
  let at: unknown = document.contents
  let rest = path
  let offset: number | undefined
  while (rest !== '') {
    const next = isMap(at)
      ? entryOf(at.items as readonly { key: unknown; value: unknown }[], rest)
      : isSeq(at)
        ? itemOf(at.items, rest)
        : undefined
    if (!next) break
    at = next.value
    offset = next.offset ?? offset
    rest = next.rest
  }
  return offset
}

interface Found {
  readonly value: unknown
  readonly offset: number | undefined
  readonly rest: string
}

function entryOf(
  items: readonly { readonly key: unknown; readonly value: unknown }[],
  path: string,
): Found | undefined {
  const fitting = items
    .map(({ key, value }) => ({
      key,
      value,
      name: isScalar(key) ? String(key.value) : String(key),
    }))
    .filter(
      ({ name }) =>
        name !== '' && path.startsWith(name) && ['', '.', '['].includes(path.charAt(name.length)),
    )
    .sort((a, b) => b.name.length - a.name.length)[0]
  return (
    fitting && {
      value: fitting.value,
      offset: (fitting.key as Node | null)?.range?.[0],
      rest: path.slice(fitting.name.length).replace(/^\./, ''),
    }
  )
}

function itemOf(items: readonly unknown[], path: string): Found | undefined {
  const [whole = '', index = ''] = /^\[(\d+)\]\.?/.exec(path) ?? []
  const value = items[Number(index)]
  return index === '' || value === undefined
    ? undefined
    : { value, offset: (value as Node | null)?.range?.[0], rest: path.slice(whole.length) }
}
