/**
 * Records that are only the envelope of one answer: the message of a tool, the response of a server, the result of a remote call.
 *
 * Intuition: `{ "status": 200, "body": {…} }` and `{ "role": "tool", "tool_call_id": …, "content": … }` say that an answer came, and the answer
 * is what they hold. Everything else in them says only that it came well, which call it answers, or how it was sent.
 * Hard cases: `{ "id": 7, "data": {…} }` may be item 7, and `{ "data": [], "next": … }` is a page. Both remain.
 * Rejected: an envelope around a text, but of a message. `{ "result": "Permission denied" }` is how a tool explains a failure.
 */
import { typedBlocks } from './content-blocks.ts'
import { isMap, isTooDeep, type Json, parseJson } from '../data/json.ts'

/** The beginning of a record that may be an envelope. Most answers are none, and are not parsed. */
const MAY_HOLD =
  /^\s*\{\s*"(?:_meta|body|cache_?control|call_?id|code|content|data|duration\w*|elapsed\w*|errors?|headers|http_?status(?:_?code)?|id|is_?error|json|jsonrpc|lc|message|meta|msg|name|ok|output|payload|redirected|response|results?|role|status(?:_?code|_?text)?|structured_?content|success|tool_?(?:call|use)_?id|tool_?result|tool_?name|type|value)"/i

type Field = readonly [name: string, value: Json]

/** The answer in a text that is only its envelope. */
export function heldIn(text: string): string | undefined {
  if (!MAY_HOLD.test(text)) return undefined
  const value = parseJson(text)
  if (!isMap(value) || isTooDeep(value)) return undefined
  const held = heldByMessage(value) ?? heldByRecord(Object.entries(value))
  if (held === undefined) return undefined
  return typeof held === 'string' ? held : JSON.stringify(held)
}

/** How an answer was sent. An address may name the item. */
const SENT =
  /^(?:headers|redirected|type|content_?type|status_?text|duration\w*|elapsed\w*|jsonrpc)$/i
const FLAG = /^(?:is_?)?(?:ok|success|succeeded|successful)$/i
const STATUS = /^(?:status(?:_?code)?|http_?status(?:_?code)?)$/i
const CODE = /^(?:code|message|msg)$/i
const FAULTS = /^(?:is_?)?(?:errors?|err)$/i
const HELD =
  /^(?:results?|data|(?:(?:response|raw)_?)?body|value|output|payload|response|json|structured_?content)$/i

/** The only record or list of a record whose other fields say nothing of it. */
function heldByRecord(fields: readonly Field[]): Json | undefined {
  const held = fields.filter(([name, value]) => HELD.test(name) && isAnswer(value))
  const [only] = held
  if (only === undefined || held.length > 1) return undefined
  const others = fields.filter(field => field !== only)
  const isRemote = others.some(([name]) => name === 'jsonrpc')
  const isOfHeld = ([name]: Field) =>
    // The types of superjson, in which dates and sets are texts.
    (name === 'id' && isRemote) || (name === 'meta' && only[0] === 'json')
  return others.every(field => isSilent(field) || isOfHeld(field)) ? only[1] : undefined
}

/** Whether a field says only how an answer was sent, or that it came well. */
function isSilent([name, value]: Field): boolean {
  if (SENT.test(name)) return name !== 'type' || value === 'json'
  if (FLAG.test(name)) return value === true || value === 1
  if (STATUS.test(name)) return isStatus(value) || isWell(value)
  if (CODE.test(name))
    return value === 0 || value === null || value === '' || isStatus(value) || isWell(value)
  return FAULTS.test(name) && isUnset(value)
}

const isStatus = (value: Json): boolean => typeof value === 'number' && value >= 200 && value < 400

const isWell = (value: Json): boolean =>
  typeof value === 'string' &&
  /^(?:ok|done|success(?:ful)?|succeeded|completed?|2\d\d(?: \w+)?)$/i.test(value)

const isUnset = (value: Json): boolean =>
  value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0)

/** A record or a list, or the JSON of one as a text. */
const isAnswer = (value: Json): boolean =>
  typeof value === 'string'
    ? /^\s*[[{]/.test(value) && parseJson(value) !== undefined
    : typeof value === 'object' && value !== null

type JsonMap = Readonly<Record<string, Json>>

/** What a message of a tool contains, if the rest says only which call it answers. */
function heldByMessage(message: JsonMap): Json | undefined {
  const { kwargs, toolResult } = message
  // As LangChain serializes a message.
  if (message.lc === 1 && isMap(kwargs)) return heldByMessage(kwargs) ?? kwargs
  // As Bedrock answers a call.
  if (isMap(toolResult) && Object.keys(message).length === 1) return heldByBlocks(toolResult)
  const fields = Object.entries(message)
  const held = fields.filter(([name]) => CONTENT.test(name))
  const others = fields.filter(([name]) => !CONTENT.test(name))
  const isMessage = message.role === 'tool' || others.some(([name]) => CALL.test(name))
  const isOfCall = (field: Field) =>
    IS_ERROR.test(field[0]) ? isUnset(field[1]) : OF_CALL.test(field[0]) || isSilent(field)
  return isMessage && held.length === 1 && others.every(isOfCall) ? held[0]?.[1] : undefined
}

const CALL = /^(?:tool_?call_?id|tool_?use_?id|call_id)$/i
const CONTENT = /^(?:content|output|result)$/
/** The call, its tool, and what libraries put beside them. */
const OF_CALL =
  /^(?:tool_?call_?id|tool_?use_?id|call_id|role|type|name|tool_?name|additional_kwargs|response_metadata|cache_?control|_meta)$/i
const IS_ERROR = /^is_?error$/i

function heldByBlocks(result: JsonMap): Json | undefined {
  const { content, status, toolUseId: _, ...others } = result
  if (!Array.isArray(content) || Object.keys(others).length > 0) return undefined
  if (status !== undefined && !isWell(status)) return undefined
  return typedBlocks(content)
}
