/** Texts that were escaped for a URL, JSON, source code or HTML, also several times and in different ways. */
import { maskSpans, type Span } from './mask.ts'

/** One escaped unit of UTF-16, or one byte as `\x9b` or `%9b`. Each part is bounded, which keeps the search linear. */
const ESCAPE = new RegExp(
  [
    '<br ?/?>',
    '%(?:u[\\da-f]{4}|[\\da-f]{2})',
    String.raw`\\(?:U0{4}[\da-f]{4}|u[\da-f]{4}|[ux]\{0{0,4}[\da-f]{1,4}\}|x[\da-f]{2}|[0-3]?[0-7]{1,2}|[abefnrtv]|[^\sA-Za-z0-9])`,
    '&#x0{0,6}(?:[\\da-f]{2,4}|[9ad]);',
    '&#0{0,7}(?:9|1[03]|3[2-9]|[4-9]\\d|[1-9]\\d{2,3});',
    '&(?:amp|quot|apos|lt|gt|colon|sol|bsol|equals|commat|quest|num|dollar|percnt|plus|lowbar|period|comma|semi|excl|ast|lpar|rpar|lsqb|rsqb|lcub|rcub);',
  ].join('|'),
  'gi',
)

const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', colon: ':', sol: '/', bsol: '\\' },
  ...{ equals: '=', commat: '@', quest: '?', num: '#', dollar: '$', percnt: '%', plus: '+' },
  ...{ lowbar: '_', period: '.', comma: ',', semi: ';', excl: '!', ast: '*', lpar: '(' },
  ...{ rpar: ')', lsqb: '[', rsqb: ']', lcub: '{', rcub: '}' },
}
/** The characters that a letter after a backslash stands for. */
const CONTROLS: Readonly<Record<string, string>> = {
  ...{ a: '\x07', b: '\b', e: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
}

/** How often a text is unescaped: JSON within JSON within a URL. */
const LAYERS_MAX = 6

/** Masks the parts that `find` returns for the text, or for what it was before it was escaped. */
export function maskLayers(text: string, find: (layer: string) => readonly Span[]): string {
  const spans: Span[] = []
  let places: Uint32Array | undefined
  let layer = text
  for (let depth = 0; depth <= LAYERS_MAX; depth++) {
    for (const [start, end] of find(layer)) spans.push([placeOf(start), placeOf(end)])
    const inner = layer.replace(ESCAPE, characterOf)
    if (inner === layer) break
    places = placesIn(layer, places)
    layer = inner
  }
  return spans.length === 0 ? text : maskSpans(text, spans)

  function placeOf(index: number): number {
    return places ? (places[index] as number) : index
  }
}

/** For each character of the unescaped text, and for its end, the index in the text whose `places` these are. */
function placesIn(text: string, outer: Uint32Array | undefined): Uint32Array {
  const places = new Uint32Array(text.length + 1)
  const placeOf = (at: number) => (outer ? (outer[at] as number) : at)
  let length = 0
  let at = 0
  const keepTo = (end: number) => {
    while (at < end) places[length++] = placeOf(at++)
  }
  for (const { 0: whole, index } of text.matchAll(ESCAPE)) {
    keepTo(index)
    places[length++] = placeOf(index)
    at = index + whole.length
  }
  keepTo(text.length)
  places[length] = placeOf(text.length)
  return places
}

function characterOf(escaped: string): string {
  if (escaped.startsWith('<')) return '\n'
  if (escaped.startsWith('%')) return ofCode(escaped.replace(/^%u?/i, ''), 16)
  if (escaped.startsWith('&')) return ofEntity(escaped.slice(1, -1).toLowerCase())
  const [, kind = '', ...more] = escaped
  const rest = more.join('')
  if (/[ux]/i.test(kind) && rest !== '') return ofCode(rest.replace(/[{}]/g, ''), 16)
  if (/[0-7]/.test(kind)) return ofCode(escaped.slice(1), 8)
  return CONTROLS[kind.toLowerCase()] ?? escaped.slice(1)
}

function ofEntity(name: string): string {
  if (name.startsWith('#x')) return ofCode(name.slice(2), 16)
  return name.startsWith('#') ? ofCode(name.slice(1), 10) : (NAMED[name] as string)
}

const ofCode = (digits: string, base: number): string =>
  String.fromCharCode(Number.parseInt(digits, base))
