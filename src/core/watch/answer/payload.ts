/**
 * The payload of an answer: what the tool or the server said, without the exchange around it.
 *
 * Intuition: `{ "ok": false }` means the same alone, in the body of a response, in an element, and behind headers or the lines of a log.
 * All of these end with the record, name the field in which it is, or hold nothing else.
 * Hard cases: a `status` and a `text` may be those of a comment. Lines of JSON with the same fields are the items of one list.
 * Rejected: a rule for each protocol, and any label before the record: `Filter: {"status":"failed"}` repeats what was asked.
 */
import { isMap, isTooDeep, type Json, parseJson, printed } from '../data/json.ts'
import { textsInBlocks } from './content-blocks.ts'
import { recordIn, unwrapped } from './envelope.ts'
import { heldValue } from './tagged.ts'

/** Envelopes in one another. */
const LEVELS = 4
/** A longer text is read as it is. */
const TEXT_MAX = 65_536

export function payloadOf(text: string, levels = LEVELS): string {
  if (levels === 0 || text.length > TEXT_MAX) return text
  const inner = unwrapped(text)
  const value = parseJson(inner)
  const payload = value === undefined ? recordAtEnd(inner) : payloadIn(value)
  return payload === undefined ? inner : payloadOf(payload, levels - 1)
}

/** The texts of the resources of MCP, the value of a pair or of a tag, or the body of a response. */
function payloadIn(value: Json): string | undefined {
  if (typeof value !== 'object' || value === null || isTooDeep(value)) return undefined
  const texts = textsInBlocks(withResources(value))
  if (texts !== undefined) return texts
  const held = heldValue(value)
  if (held !== undefined) return printed(held)
  const fields = Array.isArray(value) ? [] : Object.entries(value)
  const [body, ...others] = fields.filter(field => isBody(field, fields)).map(([, inner]) => inner)
  if (body === undefined || others.length > 0) return undefined
  return printed(body)
}

/** Content blocks with each resource as a block of text. */
function withResources(value: Json): Json {
  if (Array.isArray(value)) return value.map(asText)
  if (!isMap(value) || !Array.isArray(value.content)) return asText(value)
  return { ...value, content: value.content.map(asText) }
}

function asText(block: Json): Json {
  const resource = isMap(block) && block.type === 'resource' ? block.resource : undefined
  if (!isMap(resource) || resource.text === undefined) return block
  const { text } = resource
  return { type: 'text', text: printed(text) }
}

type Field = readonly [name: string, value: Json]

/** The fields of the record of a response. */
const OF_RESPONSE =
  /^(status(_?(code|text))?|http_?status(_?code)?|ok|success|headers|url|redirected|type|content_?type|duration\w*|elapsed\w*|body)$/i
/** What the record of a response has, and hardly another one. */
const OF_EXCHANGE = /^(status(_?code)?|http_?status(_?code)?|headers)$/i
const BODY = /^(((response|raw)_?)?body|json|text|content|data)$/i

/** Whether all fields are those of a response. */
export const isResponse = (fields: readonly Field[]): boolean =>
  fields.every(([name]) => OF_RESPONSE.test(name))

/** Whether a field is the body of a response, as a record. A text may be what people wrote. */
export const isBody = ([name, value]: Field, fields: readonly Field[]): boolean =>
  BODY.test(name) &&
  isRecord(value) &&
  isResponse(fields.filter(([other]) => other !== name)) &&
  fields.some(isOfExchange)

const isRecord = (value: Json): boolean =>
  typeof value === 'string'
    ? recordIn(value) !== undefined
    : typeof value === 'object' && value !== null

const isOfExchange = ([name, value]: Field): boolean =>
  OF_EXCHANGE.test(name) && (isMap(value) || (Number(value) >= 100 && Number(value) < 400))

/** What follows a record: an element, a fence, the end of a stream. */
const CLOSING = /(?:<\/[\w:.-]{1,60}>|```|(?:\nevent: ?\w{1,20})?\ndata: ?\[DONE\])$/
const CLOSING_MAX = 80
/** The lines around a record of several lines, which are not indented. */
const OPENED = /^(?:\S.{0,200})?[[{]$/
const CLOSED = /^[\]}]+$/
/** What stands before a record in its line. */
const LABEL =
  /^(?:[^[{\n]{0,80}?\b(?:answer|body|data|output|payload|reply|response|result|returned)\b\W{0,6}(?:\d{3}\W{0,3})?|<[^[{\n]{1,80}>\s*|[^[{\n]{0,80}(?:->|=>|→)[^[{\n]{0,12})(?=[[{])/i

/** The record with which a text ends. */
function recordAtEnd(text: string): string | undefined {
  const rest = withoutClosing(text.replaceAll('\r', ''))
  if (!/[\]}]$/.test(rest)) return undefined
  const lines = rest.split('\n')
  const isLong = CLOSED.test(lines.at(-1) ?? '')
  const from = isLong ? lines.findLastIndex(line => OPENED.test(line)) : lines.length - 1
  const record = lines.slice(Math.max(0, from)).join('\n').replace(LABEL, '')
  if (!/^[[{]/.test(record) || parseJson(record) === undefined) return undefined
  return itemsIn(lines) ?? record
}

function withoutClosing(text: string): string {
  let rest = text.trimEnd()
  for (let level = 0; level < LEVELS; level++) {
    const closing = CLOSING.exec(rest.slice(-CLOSING_MAX))?.[0]
    if (closing === undefined) return rest
    rest = rest.slice(0, -closing.length).trimEnd()
  }
  return rest
}

/** Lines of records with the same fields, as a list. */
function itemsIn(lines: readonly string[]): string | undefined {
  if (lines.length < 2 || !lines.every(line => line.startsWith('{'))) return undefined
  const list = `[${lines.join(',')}]`
  const items = parseJson(list)
  const names = (item: Json) => (isMap(item) ? Object.keys(item).toSorted().join() : '')
  const isList = Array.isArray(items) && new Set(items.map(names)).size === 1
  return isList ? list : undefined
}
