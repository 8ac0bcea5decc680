/** Reads a YAML or JSON file as plain data, with the position of each value. */
import { oneLine } from '../../core/watch/data/invisible.ts'
import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Document } from 'yaml'
import { isScalar, LineCounter, visit } from 'yaml'
import { offsetOf, offsetsIn } from './offsets.ts'
import { readYaml } from './yaml.ts'
import { notJsonAt } from '../../core/watch/data/json.ts'
import type { Fault, OrFaults } from '../../core/watch/data/fault.ts'

/** A fault and its position. `line` and `column` start at 1. */
export type PlacedFault = Fault & Readonly<{ file: string; line?: number; column?: number }>

/** `graphs/ring.yaml:12:7: nodes.B.on.done: …` */
export function faultText({ file, line, column, path, message }: PlacedFault): string {
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`
  return oneLine([place, path, message].filter(Boolean).join(': '))
}

export interface Source {
  readonly file: string
  readonly value: unknown
  place(fault: Fault): PlacedFault
}

export type OrPlaced<T> = OrFaults<T, PlacedFault>

type SourceRead = OrPlaced<{ readonly source: Source }>

const BYTES_MAX = 1_000_000
/** Uses of anchors: a few lines of them can expand to gigabytes. */
const ALIASES_MAX = 100
const FAULTS_MAX = 5
const ENDINGS: readonly string[] = ['.yaml', '.yml', '.json']

/** Reads a file. Returns faults of the file and does not throw them. */
export async function readSource(file: string): Promise<SourceRead> {
  const fault = (message: string): SourceRead => ({ faults: [{ file, path: '', message }] })
  if (!ENDINGS.includes(extname(file).toLowerCase()))
    return fault(`expected a file ending in ${ENDINGS.join(', ')}`)
  try {
    const about = await stat(file)
    if (!about.isFile()) return fault('is not a file')
    if (about.size > BYTES_MAX)
      return fault(`has ${about.size} bytes; expected at most ${BYTES_MAX}`)
    const bytes = await readFile(file)
    if (bytes.length === 0) return fault('is empty')
    if (bytes.includes(0)) return fault('is a binary file; expected text')
    return sourceOf(file, new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code === 'ENOENT') return fault('file not found')
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return fault('is not UTF-8 text')
    return fault(`cannot be read: ${message}`)
  }
}

function sourceOf(file: string, text: string): SourceRead {
  const lines = new LineCounter()
  const faultAt = (offset: number | undefined, message: string, path = ''): PlacedFault => {
    const { line, col: column } = lines.linePos(offset ?? -1)
    return { file, path, ...(offset !== undefined && line > 0 ? { line, column } : {}), message }
  }
  const json = extname(file).toLowerCase() === '.json'
  const broken = json ? jsonFault(text) : undefined
  const document = readYaml(text, {
    lineCounter: lines,
    logLevel: 'error',
    stringKeys: true,
    // A message with its excerpt takes the parser time in the length of the text, for each fault.
    prettyErrors: false,
  })
  // Valid JSON may be invalid YAML (a misplaced tab): such faults do not count. Duplicate keys are rejected in both.
  const found = [...document.errors, ...document.warnings].filter(
    ({ code }) => !json || broken !== undefined || code === 'DUPLICATE_KEY',
  )
  if (broken !== undefined || found.length > 0) {
    const faults = found
      .slice(0, FAULTS_MAX)
      .map(({ message, pos }) => faultAt(pos[0], parserMessage(message, json ? 'JSON' : 'YAML')))
    return { faults: faults.length > 0 ? faults : [faultAt(undefined, `JSON: ${broken}`)] }
  }
  const merge = json ? undefined : mergeKeyIn(document)
  if (merge !== undefined) return { faults: [faultAt(merge, NO_MERGE)] }
  try {
    const offsets = offsetsIn(document.contents)
    const value = json ? JSON.parse(text) : document.toJS({ maxAliasCount: ALIASES_MAX })
    // An alias may stand inside of what it stands for.
    const [, path, message] = /^(\S*) (.*)$/.exec(notJsonAt(value) ?? '') ?? []
    if (path !== undefined && message !== undefined)
      return { faults: [faultAt(offsetOf(offsets, path), message, path)] }
    const place: Source['place'] = ({ path, message }) =>
      faultAt(offsetOf(offsets, path), message, path)
    return { source: { file, value, place } }
  } catch (error) {
    return { faults: [faultAt(undefined, parserMessage((error as Error).message, 'YAML'))] }
  }
}

const NO_MERGE =
  'YAML: merge keys (`<<`) are not read; expected the settings written out here, or an alias in the place of a whole value (`on: *edges`)'

/** The offset of a merge key. YAML 1.2 does not define it, and the schema would report an unknown key. */
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

function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** The message of the parser without its position, and without the excerpt below it. */
export function parserMessage(message: string, notation: string): string {
  const [first = ''] = message.split('\n')
  if (/call stack|Stack overflow/.test(first)) return `${notation}: is nested too deep`
  return `${notation}: ${first.replace(/ at line \d+, column \d+:?$/, '')}`
}
