/**
 * Content blocks, as MCP, LangChain, the AI SDK and model endpoints send them: texts, and beside them images, files, links and structured
 * content.
 *
 * Intuition: an image beside "403 Forbidden" is content, but only the text says how the call went.
 * Hard cases: the structured content of MCP repeats its text, or holds what the text only announces ("Search done."). Then it is the answer.
 * The fields of a form have types, too: a block that is not a text holds bytes, or says where they are.
 */
import { errorInElement } from './error-element.ts'
import { withoutBase64 } from '../data/media.ts'
import { isMap, isTooDeep, type Json, parseJson, printed } from '../data/json.ts'

const TEXT = /^(?:(?:in|out)put_)?text$/
const BRACKET = /^\s*[[{]/
/** A block of text in a list or a record. Other answers are not parsed. */
const HAS_TEXT =
  /"type"\s?:\s?"(?:(?:in|out)put_)?text"|^\s*\[\s*\{\s*"(?:text|json|image|inline_?data|file_?data)"\s?:/i
/** A longer text is read as it is. */
const LENGTH_MAX = 65_536

/** The value of a text that may consist of content blocks. */
export function parseBlocks(text: string): Json | undefined {
  const value = parseJson(text)
  return isTooDeep(value) ? undefined : value
}

/** The texts of content blocks, if there is nothing else. A record that says that the call failed remains: that is the answer. */
export function textsInBlocks(value: Json | undefined): string | undefined {
  if (isText(value)) return value.text
  const blocks = isMap(value) && saysFailed(value) ? undefined : blocksOf(value)
  if (blocks === undefined || blocks.length === 0) return undefined
  const texts = blocks.map(block => (isMap(block) ? textsInBlocks(block) : undefined))
  if (texts.includes(undefined)) return undefined
  return withStructured(texts.join('\n'), isMap(value) ? value.structuredContent : undefined)
}

type JsonMap = Readonly<Record<string, Json>>

const isText = (value: Json | undefined): value is Json & Readonly<{ text: string }> =>
  isMap(value) &&
  typeof value.text === 'string' &&
  typeof value.type === 'string' &&
  TEXT.test(value.type)

/** The blocks of a list, of a result of MCP, or of an output of the AI SDK. */
function blocksOf(value: Json | undefined): readonly Json[] | undefined {
  if (Array.isArray(value)) return value
  if (!isMap(value) || !Object.keys(value).every(name => BESIDE.test(name))) return undefined
  const { content, type, value: output } = value
  if (Array.isArray(content)) return content
  return type === 'content' && Array.isArray(output) ? output : undefined
}

/** What a protocol puts beside its blocks. A title or an owner is content. */
const BESIDE =
  /^(?:_meta|content|type|value|structuredContent|is_?error|ok|success|role|model|usage|stop_\w{1,20}|duration\w{0,10}|elapsed\w{0,10}|took|(?:request|trace|message)_?id|id|meta|metadata|seq|turn|remaining)$/i

/** Whether a field beside the blocks says so. */
const saysFailed = (record: JsonMap): boolean =>
  Object.entries(record).some(
    ([name, value]) =>
      (value === false && /^(?:ok|success)$/i.test(name)) ||
      (value === true && /^is_?error$/i.test(name)),
  )

/** A text that is not a record itself announces the structured content beside it. */
function withStructured(text: string, structured: Json | undefined): string {
  if (!isMap(structured) || Object.keys(structured).length === 0) return text
  if (typeof parseJson(text) === 'object') return text
  return JSON.stringify(text === '' ? structured : { ...structured, text })
}

/** What an answer says in words: the texts of its content blocks, if there are others beside them. */
export interface Said {
  readonly text: string
  /** A field beside the blocks, or an element around the text, says that the call failed. */
  readonly failed: boolean
  /** The text is the message of an error, whatever its words. */
  readonly explained?: true
}

export function saidIn(received: string): Said {
  const said = saidInBlocks(received)
  const message = errorInElement(said.text)
  return message === undefined ? said : { text: message, failed: true, explained: true }
}

function saidInBlocks(received: string): Said {
  const answer = withoutBase64(received)
  const isShort = answer.length <= LENGTH_MAX && BRACKET.test(answer) && HAS_TEXT.test(answer)
  const value = isShort ? parseBlocks(answer) : undefined
  const found = blocksOf(value)
  const blocks = found && (typedBlocks(found) ?? found)
  if (!blocks?.every(isBlock)) return { text: answer, failed: false }
  const texts = blocks.flatMap(({ type, text = '' }) => (TEXT.test(type) ? [printed(text)] : []))
  const record = isMap(value) ? value : {}
  const text =
    texts.length > 0 ? withStructured(texts.join('\n'), record.structuredContent) : answer
  return { text, failed: saysFailed(record) }
}

type Block = Readonly<{ type: string; text?: Json }>

const isBlock = (block: Json): block is Json & Block =>
  isMap(block) && typeof block.type === 'string' && (TEXT.test(block.type) || isMedia(block))

const isMedia = (block: JsonMap): boolean =>
  MEDIA.test(String(block.type)) && Object.keys(block).some(name => SOURCE.test(name))

const MEDIA =
  /^(?:(?:in|out)put[_-])?(?:image|audio|video|media|file|document)(?:[_-](?:url|data|id|file[_-]id))?$|^(?:resource(?:_link)?|(?:inline|file)_?data|search_result|tool_reference|reasoning|thinking)$/i
/** Where the bytes are, or what a block of a model says. */
const SOURCE =
  /^(?:data|url|uri|source|resource|image|image_?url|input_audio|(?:inline|file)_?data|audio|video|document|file|file_?(?:id|url|data)|text|thinking|tool_name)$/i

/** Blocks of Bedrock and Gemini, whose only field is named like its type, as the other protocols write them. */
export function typedBlocks(blocks: readonly Json[]): readonly Json[] | undefined {
  const typed = blocks.map(block => {
    const [field, ...others] = isMap(block) ? Object.entries(block) : []
    if (field === undefined || others.length > 0 || !OF_BEDROCK.test(field[0])) return undefined
    const [type, value] = field
    return type === 'json' ? { type: 'text', text: JSON.stringify(value) } : { type, [type]: value }
  })
  return typed.includes(undefined) ? undefined : (typed as readonly Json[])
}

const OF_BEDROCK = /^(?:text|json|image|document|video|inline_?data|file_?data)$/i
