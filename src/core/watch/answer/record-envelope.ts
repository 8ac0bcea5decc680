/**
 * Records that are only the envelope of one answer: the message of a tool, the response of a server, the result of a remote call.
 *
 * Intuition: `{ "status": 200, "body": {…} }` and `{ "role": "tool", "tool_call_id": …, "content": … }` say that an answer came, and the answer
 * is what they hold. Everything else in them says only that it came well, which call it answers, or how it was sent.
 * Hard cases: `{ "id": 7, "data": {…} }` may be item 7, and `{ "data": [], "next": … }` is a page. Both remain.
 * Rejected: an envelope around a text, but of a message. `{ "result": "Permission denied" }` is how a tool explains a failure.
 */
import { isMap, isTooDeep, type Json, parseJson } from '../data/json.ts'

/** The beginning of a record that may be an envelope. Most answers are none, and are not parsed. */
const MAY_HOLD =
  /^\s*\{\s*"(?:[^"\\]{1,80}"\s*:\s*\{|(?:body|call_?id|code|content|data|duration\w*|elapsed\w*|errors?|headers|http_?status(?:_?code)?|id|is_?error|json|jsonrpc|lc|message|meta|msg|name|ok|output|payload|redirected|response|results?|role|status(?:_?code|_?text)?|structured_?content|success|tool_?(?:call|use)_?id|tool_?name|type|url|value)")/i

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

/** How an answer was sent, and that it came well. */
const SENT =
  /^(?:headers|url|redirected|type|content_?type|status_?text|duration\w*|elapsed\w*|jsonrpc)$/i
const WELL =
  /^(?:(?:is_?)?(?:ok|success|succeeded|successful)|status(?:_?code)?|code|http_?status(?:_?code)?|message|msg)$/i
const FAULTS = /^(?:is_?)?(?:errors?|err)$/i
const HELD =
  /^(?:results?|data|(?:(?:response|raw)_?)?body|value|output|payload|response|json|structured_?content)$/i

/** The only record or list of a record whose other fields say nothing of it. */
function heldByRecord(fields: readonly Field[]): Json | undefined {
  const held = fields.filter(([name, value]) => HELD.test(name) && isAnswer(value))
  const [only] = held
  if (only === undefined) return namedRecord(fields)
  if (held.length > 1) return undefined
  const others = fields.filter(field => field !== only)
  const isRemote = others.some(([name]) => name === 'jsonrpc')
  const isSilent = ([name, value]: Field) =>
    isOfSending(name, value) ||
    (WELL.test(name) && isWell(value)) ||
    (FAULTS.test(name) && isUnset(value)) ||
    (name === 'id' && isRemote) ||
    // The types of superjson, in which dates and sets are texts.
    (name === 'meta' && only[0] === 'json')
  return others.every(isSilent) ? only[1] : undefined
}

/** `{ "order": {…} }`. An error is none. */
function namedRecord([field, ...others]: readonly Field[]): Json | undefined {
  if (field === undefined || others.length > 0) return undefined
  const [name, value] = field
  return isMap(value) && Object.keys(value).length > 0 && !STATED.test(name) ? value : undefined
}

/** What a record states by the name of its field. */
const STATED = /err|fail|fault|exception|problem|issue|reject|denied|status|state|outcome/i

const isOfSending = (name: string, value: Json): boolean =>
  SENT.test(name) && (name !== 'type' || value === 'json')

const isWell = (value: Json): boolean =>
  value === true ||
  value === 0 ||
  value === null ||
  value === '' ||
  (typeof value === 'number' && value >= 200 && value < 400) ||
  (typeof value === 'string' &&
    /^(?:ok|done|success(?:ful)?|succeeded|completed?|2\d\d(?: \w+)?)$/i.test(value))

const isUnset = (value: Json): boolean =>
  value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0)

/** A record or a list, or the JSON of one as a text. */
const isAnswer = (value: Json): boolean =>
  typeof value === 'string'
    ? /^\s*[[{]/.test(value) && parseJson(value) !== undefined
    : typeof value === 'object' && value !== null

type JsonMap = Readonly<Record<string, Json>>

/** What a message of a tool contains. One that says that its call failed remains. */
function heldByMessage(message: JsonMap): Json | undefined {
  const { kwargs, toolResult } = message
  // As LangChain serializes a message.
  if (message.lc === 1 && isMap(kwargs)) return heldByMessage(kwargs) ?? kwargs
  // As Bedrock answers a call.
  if (isMap(toolResult) && Object.keys(message).length === 1) return heldByBlocks(toolResult)
  const isMessage = message.role === 'tool' || Object.keys(message).some(name => CALL.test(name))
  if (!isMessage || isFailure(message)) return undefined
  return message.content ?? message.output ?? message.result
}

const CALL = /^(?:tool_?call_?id|tool_?use_?id|call_id)$/i

const isFailure = ({ status, is_error: isError }: JsonMap): boolean =>
  isError === true || status === 'error'

function heldByBlocks(result: JsonMap): Json | undefined {
  const { content } = result
  const [block, ...others] = Array.isArray(content) ? content : []
  if (isFailure(result) || !isMap(block) || others.length > 0) return undefined
  return block.json ?? block.text
}
