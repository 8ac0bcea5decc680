/**
 * Whether a text that repeats itself is a list of items: the answer to a batch of questions may be the same for all of them.
 *
 * Intuition: a list has a separator after each item, which is a comma, a sign or the end of a line.
 * Hard cases: prose has commas, too, but not after every word or two. A model that is stuck may end a line after each sentence, which
 * looks like one finding in each line. It is given the length of a list. Rejected: labels that only a blank separates. A
 * model that repeats one word looks the same.
 */
import { parseJson } from '../data/json.ts'

/** Lines without blanks: labels, or rows of a CSV. */
const ROWS = /^\S*(?:\n\S+)*\n\S*$/
/** A label of one or two words. */
const LABEL = /^\S{1,32}(?: \S{1,32})?$/
const SEPARATOR = /[,;|\n\u3001\uff0c\uff1b]/
/** A longer line is a paragraph. */
const LINE_MAX = 80
/** The field of a record, with a value of one or two words: `- label: neutral`. */
const FIELD = /^\s*(?:[-*] )?["']?[\w-]+(?: [\w-]+)?["']?\s?[:=](?: \S{1,32}(?: \S{1,32})?)?\s?$/

/** Whether a chunk is one or more whole items. It may begin anywhere in the first one. */
export const isListed = (chunk: string): boolean =>
  ROWS.test(chunk) || isOfLabels(chunk) || isOfLines(chunk)

/** Each label stands before a separator, and blanks may stand around it. */
function isOfLabels(chunk: string): boolean {
  const start = chunk.search(SEPARATOR) + 1
  if (start === 0) return false
  // The chunk may begin anywhere in a label. Not by one pattern: a line break is a blank and a separator.
  const whole = chunk.slice(start) + chunk.slice(0, start)
  const labels = whole.split(SEPARATOR).flatMap(part => part.trim() || [])
  return labels.length > 0 && labels.every(label => LABEL.test(label))
}

/** One short line without an empty one after it, or the lines of a record. */
function isOfLines(chunk: string): boolean {
  const end = chunk.indexOf('\n') + 1
  if (end === 0) return false
  if (!chunk.includes('\n', end)) return chunk.length <= LINE_MAX
  const lines = (chunk.slice(end) + chunk.slice(0, end)).split('\n')
  return lines.every(line => line.trim() === '' || FIELD.test(line))
}

/** Whether a chunk, given twice, is a number of whole items of a list in JSON. It may begin anywhere in the first one. */
export function isListInJson(twice: string): boolean {
  const { length } = twice
  for (let at = twice.indexOf(','); at >= 0 && at < length / 2; at = twice.indexOf(',', at + 1))
    if (parseJson(`[${twice.slice(at + 1, at + length / 2)}]`) !== undefined) return true
  return false
}
