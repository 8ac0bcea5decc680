/**
 * Content blocks, as MCP, LangChain, the AI SDK and model endpoints send them: texts, and beside them images, files, links and structured
 * content.
 *
 * Intuition: an image beside "403 Forbidden" is content, but only the text says how the call went.
 * Hard case: the structured content of MCP repeats its text, or holds what the text only announces ("Search done."). Then it is the answer.
 */
import { isMap, type Json, parseJson, printed } from '../data/json.ts'

const TEXT = /^(?:(?:in|out)put_)?text$/
/** The beginning of blocks, of which any may be the first. */
const MAY_BE_BLOCKS = /^\s*(?:\[\s*\{|\{\s*"(?:_meta|content|isError|structuredContent|type)"\s*:)/

/** The texts of content blocks, if there is nothing else. The blocks of a result with `isError` remain: the flag is the answer. */
export function textsOf(value: Json | undefined): string | undefined {
  if (isText(value)) return value.text
  if (isMap(value) && value.isError === true) return undefined
  const blocks = blocksOf(value)
  if (blocks === undefined || blocks.length === 0) return undefined
  const texts = blocks.map(block => (isMap(block) ? textsOf(block) : undefined))
  if (texts.includes(undefined)) return undefined
  return withStructured(texts.join('\n'), isMap(value) ? value.structuredContent : undefined)
}

type TextBlock = Readonly<{ text: string }>

const isText = (value: Json | undefined): value is Json & TextBlock =>
  isMap(value) &&
  typeof value.text === 'string' &&
  typeof value.type === 'string' &&
  TEXT.test(value.type)

/** The blocks of a list, of a result of MCP, or of an output of the AI SDK. */
function blocksOf(value: Json | undefined): readonly Json[] | undefined {
  if (Array.isArray(value)) return value
  if (!isMap(value) || !Object.keys(value).every(name => OF_BLOCKS.test(name))) return undefined
  const { content, type, value: output } = value
  if (Array.isArray(content)) return content
  return type === 'content' && Array.isArray(output) ? output : undefined
}

/** Another field is part of the answer: a flag, a status. */
const OF_BLOCKS = /^(?:_meta|content|isError|structuredContent|type|value)$/

/** A text that is not a record itself announces the structured content beside it. */
function withStructured(text: string, structured: Json | undefined): string {
  if (!isMap(structured) || Object.keys(structured).length === 0) return text
  if (typeof parseJson(text) === 'object') return text
  return JSON.stringify(text === '' ? structured : { ...structured, text })
}

/** What an answer says in words: the texts of its content blocks, if there are others beside them. `isError`: it is flagged as a failure. */
export interface Said {
  readonly text: string
  readonly isError: boolean
}

export function saidIn(answer: string): Said {
  const value = MAY_BE_BLOCKS.test(answer) ? parseJson(answer) : undefined
  const found = blocksOf(value)
  const blocks = found && (typedBlocks(found) ?? found)
  if (!blocks?.every(isBlock)) return { text: answer, isError: false }
  const texts = blocks.flatMap(({ type, text = '' }) => (TEXT.test(type) ? [printed(text)] : []))
  const { isError, structuredContent } = isMap(value) ? value : {}
  const text = texts.length > 0 ? withStructured(texts.join('\n'), structuredContent) : answer
  return { text, isError: isError === true }
}

type Block = Readonly<{ type: string; text?: Json }>

const isBlock = (block: Json): block is Json & Block =>
  isMap(block) && typeof block.type === 'string'

/** Blocks of Bedrock, whose only field is named like its type, as the other protocols write them. */
export function typedBlocks(blocks: readonly Json[]): readonly Json[] | undefined {
  const typed = blocks.map(block => {
    const [field, ...others] = isMap(block) ? Object.entries(block) : []
    if (field === undefined || others.length > 0 || !OF_BEDROCK.test(field[0])) return undefined
    const [type, value] = field
    return type === 'json' ? { type: 'text', text: JSON.stringify(value) } : { type, [type]: value }
  })
  return typed.includes(undefined) ? undefined : (typed as readonly Json[])
}

const OF_BEDROCK = /^(?:text|json|image|document|video)$/
