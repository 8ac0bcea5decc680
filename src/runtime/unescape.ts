/** Texts that were escaped for a URL, JSON, source code or HTML, also several times. */

/** One escaped character of ASCII. Each part is bounded, which keeps the search linear. */
const ESCAPE =
  /%(?:25){0,3}[2-7][\da-f]|(?<!\\)\\{1,7}(?:(?:u00|x)[2-7][\da-f]|["'/nrt])|&(?:amp;){0,3}(?:#x0{0,2}[2-7][\da-f]|#0{0,2}(?:3[2-9]|[4-9]\d|1[01]\d|12[0-6])|quot|apos|lt|gt|colon|sol|equals|commat|quest);/gi

const NAMED: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  colon: ':',
  sol: '/',
  equals: '=',
  commat: '@',
  quest: '?',
}

/** The text before it was escaped; the same text if it was not. */
export const unescaped = (text: string): string => text.replace(ESCAPE, characterOf)

/** For each character of `unescaped(text)`, and for its end, the index in `text`. */
export function placesIn(text: string): Uint32Array {
  const places = new Uint32Array(text.length + 1)
  let length = 0
  let at = 0
  const keepTo = (end: number) => {
    while (at < end) places[length++] = at++
  }
  for (const { 0: whole, index } of text.matchAll(ESCAPE)) {
    keepTo(index)
    places[length++] = index
    at = index + whole.length
  }
  keepTo(text.length)
  places[length] = text.length
  return places
}

function characterOf(escaped: string): string {
  if (escaped.startsWith('&')) return ofEntity(escaped.slice(escaped.lastIndexOf('&') + 1, -1))
  const last = escaped.at(-1) as string
  if (escaped.startsWith('%') || /[ux]/i.test(escaped)) return ofCode(escaped.slice(-2), 16)
  return /[nrt]/i.test(last) ? ' ' : last
}

function ofEntity(entity: string): string {
  const name = entity.replace(/^(?:amp;)+/i, '').toLowerCase()
  if (name.startsWith('#x')) return ofCode(name.slice(2), 16)
  return name.startsWith('#') ? ofCode(name.slice(1), 10) : (NAMED[name] as string)
}

const ofCode = (digits: string, base: number): string =>
  String.fromCharCode(Number.parseInt(digits, base))
