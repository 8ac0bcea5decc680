/** The length of what a model has written beside its text. It costs tokens, also if no endpoint reports them. */

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
const NO_TEXT: ReadonlySet<string> = new Set(['type', 'id', 'signature', 'data', 'format'])

/** The characters of all texts in a value. */
export function lengthOfTexts(value: unknown): number {
  let length = 0
  const add = (key: string, each: unknown) => {
    if (typeof each === 'string' && !NO_TEXT.has(key)) length += each.length
    return each
  }
  try {
    JSON.stringify(value, add)
  } catch {
    // A cycle, or a nesting that is too deep, contains no more texts that are worth a count.
  }
  return length
}
