/** Reads what a model has written, in a message or a chunk of LangChain: its text, its reasoning, its files, and the length of all else. */
import { fieldOf } from '../data/foreign-field.ts'
import { lengthOfFile, lengthOfTexts } from './written-length.ts'

/** The fields of a chunk in which packages put what the model has written. */
export interface Content {
  readonly content: unknown
  readonly additional_kwargs?: Readonly<Record<string, unknown>>
}

/** `calls`: the number of calls in the message, which repeat in fields of the provider. */
export function contentOf(message: Content, calls: number) {
  const { content } = message
  const [text, reasoning, files] = [textIn(content), reasoningIn(message), filesIn(content)]
  const isRead = text !== '' || reasoning !== '' || files + calls > 0
  return { text, reasoning, files, unread: isRead ? 0 : unreadIn(message) }
}

const textIn = (content: unknown): string =>
  typeof content === 'string' ? content : textsIn(content, textOf)

/** The fields of one chunk repeat the same text. Earlier versions of ChatOpenAI pass the summaries of the Responses API on only in `reasoning`. */
function reasoningIn({ content, additional_kwargs: fields }: Content): string {
  const { reasoning_content: text, reasoning } = fields ?? {}
  if (typeof text === 'string') return text
  return textsIn(content, thoughtOf) || textsIn(fieldOf(reasoning, 'summary'), summaryOf)
}

/** A part of the content. Its type decides which field is read. */
interface Block {
  readonly type?: unknown
  readonly text?: unknown
  readonly reasoning?: unknown
  readonly thinking?: unknown
  readonly reasoningText?: unknown
}

const textOf = ({ type, text }: Block): unknown => (type === 'text' ? text : undefined)

const summaryOf = ({ type, text }: Block): unknown => (type === 'summary_text' ? text : undefined)

/** Blocks of LangChain, of Anthropic, and of Bedrock's Converse. */
function thoughtOf({ type, reasoning, thinking, reasoningText }: Block): unknown {
  if (type === 'reasoning') return reasoning
  if (type === 'thinking') return thinking
  return type === 'reasoning_content' ? fieldOf(reasoningText, 'text') : undefined
}

/** The texts of all parts that have one. */
function textsIn(content: unknown, read: (block: Block) => unknown): string {
  if (!Array.isArray(content)) return ''
  return content
    .map(part => read(part ?? {}))
    .filter(text => typeof text === 'string')
    .join('')
}

/** The characters in a chunk of which nothing is used: blocks of unknown types, and fields that repeat the blocks of most chunks. */
function unreadIn({ content, additional_kwargs: fields = {} }: Content): number {
  const unknown = Object.entries(fields).filter(([name]) => !NO_FIELD.test(name))
  const lengths = unknown.map(([, value]) => lengthOfTexts(value))
  return lengthOfTexts(Array.isArray(content) ? content : []) || Math.max(0, ...lengths)
}

/** Fields that describe the response, or repeat it as a whole. */
const NO_FIELD = /^(?:__.*|model|role|stop_\w+)$/

/** Blocks of LangChain, and those of OpenAI and Google. */
const FILES: ReadonlySet<unknown> = new Set([
  'image',
  'audio',
  'video',
  'file',
  'image_url',
  'inlineData',
  'media',
])

/** What the generated files cost, in characters. */
function filesIn(content: unknown): number {
  if (!Array.isArray(content)) return 0
  const files: readonly { readonly data?: unknown }[] = content.filter(part =>
    FILES.has(part?.type),
  )
  return files.reduce((sum, { data }) => sum + lengthOfFile(data), 0)
}
