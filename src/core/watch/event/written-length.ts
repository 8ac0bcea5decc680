/** The length of what a model has written beside its text. It costs tokens, also if no endpoint reports them. */

import { fieldOf } from '../data/foreign-field.ts'

/** The most that a file is estimated at. Providers charge some 1,300 tokens for an image of any size. */
const FILE_MAX = 5_000

/** The characters that cost as much as a generated file: those of its base64, or the most if only its URL is known. */
export function lengthOfFile(content: unknown): number {
  if (typeof content === 'string') return Math.min(content.length, FILE_MAX)
  return content instanceof Uint8Array
    ? Math.min(Math.ceil(content.length / 3) * 4, FILE_MAX)
    : FILE_MAX
}

/** Fields whose texts the model has not written, and encoded data. */
const NO_TEXT: ReadonlySet<string> = new Set([
  ...['type', 'id', 'format', 'data', 'signature', 'thought_signature'],
  ...['encrypted_content', 'reasoning_opaque', 'annotations', 'citations', 'images'],
])

/** All texts in a value, joined, without those in the fields `skipped`. */
export function textsIn(value: unknown, skipped?: RegExp): string {
  const texts: string[] = []
  const add = (key: string, each: unknown) => {
    if (NO_TEXT.has(key) || skipped?.test(key)) return undefined
    if (typeof each === 'string') texts.push(each)
    return each
  }
  try {
    JSON.stringify(value, add)
  } catch {
    // A cycle, or a nesting that is too deep, contains no more texts that are worth a count.
  }
  return texts.join('')
}

/** The characters of all texts in a value. */
export const lengthOfTexts = (value: unknown): number => textsIn(value).length

/** The fields of a delta of chat completions that every library reads. */
const READ: ReadonlySet<string> = new Set(['role', 'content', 'tool_calls'])

/**
 * What a delta of chat completions has beside its text and its calls. Endpoints name it `reasoning_content`, `reasoning`, `thinking` and
 * otherwise, and repeat it in several fields: the longest counts. `passed`: the other fields that a library reads.
 */
export function textBeside(delta: object, passed: readonly string[] = []): string {
  const { content } = delta as { content?: unknown }
  const parts = Array.isArray(content)
    ? content.filter(part => fieldOf(part, 'type') !== 'text')
    : []
  const others = Object.entries(delta).filter(([name]) => !READ.has(name) && !passed.includes(name))
  const texts = [parts, ...others.map(([, value]) => value)].map(value => textsIn(value))
  const longest = texts.reduce((a, b) => (b.length > a.length ? b : a), '')
  return longest === content ? '' : longest
}
