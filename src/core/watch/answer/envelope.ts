/** Takes an answer out of the envelopes that protocols, models and loggers put around it. */
import { isMap, isTooDeep, type Json, mapFields, parseJson } from '../data/json.ts'
import { parseBlocks, textsInBlocks } from './content-blocks.ts'
import { heldIn } from './record-envelope.ts'

/** Envelopes in one another: JSON in a fence in a block of MCP. */
const LEVELS = 6
/** A longer text is read as it is. */
const TEXT_MAX = 65_536

const FENCE = '```'
const OPENING = /^```[\w-]*[ \t]*\n/
const BLANK = /[ \t]/
/** Content blocks of MCP, of LangChain and of model endpoints. */
const BLOCKS =
  /^\s*(?:\{\s*"(?:_meta|content|isError|structuredContent)"\s*:|(?:\[\s*)?\{\s*"(?:_meta|annotations|cache_?control|citations|id|index|log_?probs|provider_?\w{1,20}|text|type)"\s*:)/i
/** JSON as a text. */
const ENCODED = /^\s*"/

/** JSON as a text in a field: the body of a response, the output of a command. */
const ENCODED_FIELD = /[:[,]\s*"(?:\s|\\[nrt])*[[{](?:\s|\\[nrt])*\\"/

/**
 * The text without fences, content blocks, elements and records that are only an envelope, and without a second encoding, also of the
 * fields of a record.
 */
export function unwrapped(text: string, levels = LEVELS): string {
  if (levels === 0 || text.length > TEXT_MAX) return text
  const inner = inFence(text) ?? inBlocks(text) ?? inElement(text) ?? heldIn(text)
  return inner === undefined ? withParsedFields(text) : unwrapped(inner, levels - 1)
}

/** A record with the values of its fields that are JSON as a text. Other texts are unchanged. */
function withParsedFields(text: string): string {
  if (!ENCODED_FIELD.test(text)) return text
  const value = parseJson(text)
  return value === undefined || isTooDeep(value)
    ? text
    : JSON.stringify(withParsedTexts(value, LEVELS))
}

function withParsedTexts(value: Json, levels: number): Json {
  if (typeof value === 'string') {
    const inner = levels > 0 && /^\s*[[{]/.test(value) ? parseJson(value) : undefined
    return inner === undefined || isTooDeep(inner) ? value : withParsedTexts(inner, levels - 1)
  }
  if (!isMap(value))
    return Array.isArray(value) ? value.map(item => withParsedTexts(item, levels)) : value
  return mapFields(value, inner => withParsedTexts(inner, levels))
}

/** Not by one pattern, which would try each blank before the last fence. */
function inFence(text: string): string | undefined {
  const trimmed = text.trim()
  const start = OPENING.exec(trimmed)?.[0].length
  if (start === undefined || !trimmed.endsWith(FENCE)) return undefined
  let end = trimmed.length - FENCE.length
  while (end > start && BLANK.test(trimmed[end - 1] ?? '')) end--
  if (trimmed[end - 1] === '\n') end--
  return trimmed.slice(start, Math.max(start, end))
}

/** JSON in one element, or in a call of JSONP: `<result>{…}</result>`, `done({…});`. */
const ELEMENT = /^<([\w:.-]{1,40})>\s*(?=[[{"<])/
const CALL = /^(?:\/\*\*\/\s*)?[\w$.]{1,60}\((?=[[{])/
const CALL_END = /\);?$/
const DATA = /^<!\[CDATA\[([\s\S]*)\]\]>$/

function inElement(text: string): string | undefined {
  const trimmed = text.trim()
  const [opening = '', name] = ELEMENT.exec(trimmed) ?? CALL.exec(trimmed) ?? []
  const closing = name === undefined ? CALL_END.exec(trimmed)?.[0] : `</${name}>`
  if (opening === '' || closing === undefined || !trimmed.endsWith(closing)) return undefined
  const inner = trimmed.slice(opening.length, -closing.length).trim()
  const data = DATA.exec(inner)?.[1] ?? inner
  return isJson(data) ? data : undefined
}

const isJson = (text: string): boolean => parseJson(text) !== undefined

function inBlocks(text: string): string | undefined {
  if (!BLOCKS.test(text) && !ENCODED.test(text)) return undefined
  const value = parseBlocks(text)
  return typeof value === 'string' ? value : textsInBlocks(value)
}

const PYTHON = /^\s*[[{]\s*(?:'|\{\s*'|None|True|False)/
const LITERALS: Readonly<Record<string, string>> = { None: 'null', True: 'true', False: 'false' }
/** A label of one line before a record: `Response (200): {…}`. */
const LABELED = /^[^\n[{]{1,60}(?::|\n)\s*([[{][\s\S]*[\]}])\s*$/

/** The record in a text: JSON, also after a label, or a record as Python prints it. */
export function recordIn(text: string): Json | undefined {
  if (PYTHON.test(text))
    return parseJson(
      text.replace(/'/g, '"').replace(/\b(?:None|True|False)\b/g, word => LITERALS[word] ?? word),
    )
  const record = /^\s*[[{]/.test(text) ? text : LABELED.exec(text)?.[1]
  return record === undefined ? undefined : parseJson(record)
}
