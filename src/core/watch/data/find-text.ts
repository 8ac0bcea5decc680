/**
 * Finds a text in another one in linear time. V8 compares a text of more than 500 characters again at almost each place of one that
 * resembles it: 1,000 characters in 16 million take seconds.
 */

/** V8 finds shorter texts in linear time. */
const SHORT_MAX = 500

/** Whether `text` contains `part`. */
export const hasText = (text: string, part: string): boolean =>
  part.length <= SHORT_MAX ? text.includes(part) : placesOf(text, part, 1).length > 0

/** `text` without each `part`. */
export function withoutText(text: string, part: string): string {
  if (part.length <= SHORT_MAX) return text.replaceAll(part, '')
  let from = 0
  let rest = ''
  for (const at of placesOf(text, part)) {
    rest += text.slice(from, at)
    from = at + part.length
  }
  return from === 0 ? text : rest + text.slice(from)
}

/** The first places of `part`, which do not overlap: the search of Knuth, Morris and Pratt. */
function placesOf(text: string, part: string, max = Number.POSITIVE_INFINITY): readonly number[] {
  const borders = bordersOf(part)
  const places: number[] = []
  let matched = 0
  for (let at = 0; at < text.length && places.length < max; at++) {
    matched = extend(part, borders, matched, text.charCodeAt(at))
    if (matched < part.length) continue
    places.push(at + 1 - matched)
    matched = 0
  }
  return places
}

/** For each beginning of `part`, the length of the longest shorter beginning that is also its end. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length)
  let matched = 0
  for (let at = 1; at < part.length; at++) {
    matched = extend(part, borders, matched, part.charCodeAt(at))
    borders[at] = matched
  }
  return borders
}

/** How much of `part` the read text ends with after one more character. */
function extend(part: string, borders: Int32Array, before: number, code: number): number {
  let matched = before
  while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1] as number
  return part.charCodeAt(matched) === code ? matched + 1 : matched
}
