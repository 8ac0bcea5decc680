/** Texts that were escaped for a URL, JSON, source code or HTML, also several times and in different ways. */
import { maskSpans, type Span } from './mask.ts'

/** One escaped character, or one byte as `\x9b` or `%9b`. Each part is bounded, which keeps the search linear. */
const ESCAPE = new RegExp(
  [
    '<br ?/?>',
    '%(?:u[\\da-f]{4}|[\\da-f]{2})',
    String.raw`\\(?:U00(?:0[\da-f]|10)[\da-f]{4}|u[\da-f]{4}|[ux]\{0{0,4}(?:10|[\da-f])?[\da-f]{1,4}\}|x[\da-f]{2}|[0-3]?[0-7]{1,2}|[abefnrtv]|[^\sA-Za-z0-9])`,
    '&#x0{0,6}(?:(?:10|[\\da-f])?[\\da-f]{2,4}|[9ad]);',
    '&#0{0,7}(?:9|1[03]|3[2-9]|[4-9]\\d|[1-9]\\d{2,5});',
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
  const spans = spansInLayers(text, find)
  return spans.length === 0 ? text : maskSpans(text, spans)
}

/** The parts that `find` returns for the text, or for what it was before it was escaped. */
export function spansInLayers(
  text: string,
  find: (layer: string) => readonly Span[],
): readonly Span[] {
  const spans: Span[] = []
  let layer: Layer | undefined = { text }
  for (let depth = 0; depth <= LAYERS_MAX && layer; depth++) {
    const { places } = layer
    const placeOf = (index: number): number => (places ? (places[index] as number) : index)
    for (const [start, end] of find(layer.text)) spans.push([placeOf(start), placeOf(end)])
    layer = unescaped(layer)
  }
  return spans
}

export const unescapeOnce = (text: string): string => unescaped({ text })?.text ?? text

/** A text that was unescaped. */
interface Layer {
  readonly text: string
  /** For each of its units and for its end, the index in the first text. */
  readonly places?: Uint32Array
}

/** The layer without its escapes; undefined if it has none. */
function unescaped({ text, places: outer }: Layer): Layer | undefined {
  ESCAPE.lastIndex = 0
  let match = ESCAPE.exec(text)
  if (!match) return undefined
  const places = new Uint32Array(text.length + 1)
  const placeOf = (at: number) => (outer ? (outer[at] as number) : at)
  const parts: string[] = []
  let length = 0
  let at = 0
  const keepTo = (end: number) => {
    parts.push(text.slice(at, end))
    while (at < end) places[length++] = placeOf(at++)
  }
  for (; match; match = ESCAPE.exec(text)) {
    keepTo(match.index)
    const character = characterOf(match[0])
    parts.push(character)
    for (let unit = 0; unit < character.length; unit++) places[length++] = placeOf(at)
    at = ESCAPE.lastIndex
  }
  keepTo(text.length)
  places[length] = placeOf(text.length)
  return { text: parts.join(''), places }
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
  String.fromCodePoint(Math.min(Number.parseInt(digits, base), 0x10ffff))
