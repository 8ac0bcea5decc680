/** Redacts secrets in values before they are journaled, shown or sent to a model. */
import { hash, isMap, type Json, mapFields, valueAt } from '../../core/watch/data/json.ts'
import { credentialsIn } from './credentials.ts'
import { MASK, overlapping } from './mask.ts'
import { nestedIn } from './nested-base64.ts'
import { literal } from './token-formats.ts'
import { maskLayers } from './unescape.ts'

/** Shorter secrets match ordinary words. */
const SECRET_MIN = 8

/** Values that this process uses as secrets: a graph names their variables with `keyFrom` and `secretFrom`. */
const USED = new Set<string>()

/** Redacts a value in everything that this process journals from now on. Returns the value. */
export function useSecret<S extends string | undefined>(secret: S): S {
  if (secret !== undefined) USED.add(secret)
  return secret
}

/** A redactor that also masks these secrets, in clear and encoded. Secrets under 8 characters are ignored. */
export function redactor(secrets: readonly string[] = []): <T>(value: T) => T {
  let count = -1
  let known: readonly RegExp[] = []
  const clean = (text: string): string => {
    if (text.length < SECRET_MIN) return text
    if (count !== USED.size) known = patternsOf([...secrets, ...USED])
    count = USED.size
    return maskAll(text, known)
  }
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value)
    if (value === null || typeof value !== 'object') return value
    const before: readonly unknown[] = Object.values(value)
    const after = before.map(walk)
    const keys = Array.isArray(value) ? [] : Object.keys(value)
    // Most values are clean and are returned as they are.
    const isClean = after.every((inner, index) => inner === before[index])
    if (isClean && keys.every(key => clean(key) === key)) return value
    if (Array.isArray(value)) return after
    const names = distinct(keys.map(clean))
    return Object.fromEntries(names.map((name, index) => [name, after[index]]))
  }
  return walk as <T>(value: T) => T
}

/** A run of millions of characters exceeds the stack of the engine: such a text is masked whole. */
function maskAll(text: string, known: readonly RegExp[]): string {
  const find = (layer: string) => [
    ...known.flatMap(pattern => overlapping(pattern, layer)),
    ...nestedIn(layer, known),
  ]
  try {
    return maskLayers(known.length === 0 ? text : maskLayers(text, find), credentialsIn)
  } catch (error) {
    if (error instanceof RangeError) return MASK
    throw error
  }
}

/** Two keys that are secrets become `[redacted]` and `[redacted] 2`, so that both values remain. */
function distinct(keys: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return keys.map(key => {
    let name = key
    for (let nth = 2; taken.has(name); nth++) name = `${key} ${nth}`
    taken.add(name)
    return name
  })
}

/** A redacted key. Different keys stay different, and equal keys equal. */
export function redactKey(redact: <T>(value: T) => T, key: string): string {
  const redacted = redact(key)
  return redacted === key ? key : `${redacted}-${hash(key)}`
}

/** A redacted change of a policy. The custom keys of its scopes stay different from each other. */
export function redactChange(redact: <T>(value: T) => T, change: Json): Json {
  const scopes = valueAt(change, 'limits.scopes')
  if (!isMap(change) || !isMap(change.limits) || !isMap(scopes)) return redact(change)
  const keyed = mapFields(scopes, scope =>
    isMap(scope) && typeof scope.key === 'string'
      ? { ...scope, key: redactKey(redact, scope.key) }
      : scope,
  )
  return redact({ ...change, limits: { ...change.limits, scopes: keyed } })
}

/** Characters of the pieces of a longer secret, so that most of an excerpt is masked, too. */
const PIECE = 64
/** Two pieces share two characters, and so the digit of base64 between them is masked. */
const STEP = PIECE - 2
/** Characters of the secrets in one pattern. A pattern for several thousand exceeds the stack of the engine. */
const PATTERN_MAX = 1_024

function patternsOf(secrets: readonly string[]): RegExp[] {
  // Without the line break of a file and the scheme of a header, which an echo leaves out.
  const values = secrets.map(each => each.trim().replace(/^(?:basic|bearer|token)\s+/i, ''))
  // The longest first: one secret may begin with another.
  const known = values.filter(each => each.length >= SECRET_MIN).sort((a, b) => b.length - a.length)
  const groups: string[][] = []
  let room = 0
  for (const piece of new Set(known.flatMap(piecesOf))) {
    if (piece.length > room) {
      groups.push([])
      room = PATTERN_MAX
    }
    groups.at(-1)?.push(piece)
    room -= piece.length
  }
  return groups.map(group => new RegExp(group.flatMap(encodings).join('|'), 'g'))
}

/** Each piece overlaps the one before it. All are of one length. */
function piecesOf(secret: string): readonly string[] {
  const characters = Array.from(secret)
  if (characters.length <= PIECE) return [secret]
  const count = 1 + Math.ceil((characters.length - PIECE) / STEP)
  return Array.from({ length: count }, (_, index) => {
    const start = Math.min(index * STEP, characters.length - PIECE)
    return characters.slice(start, start + PIECE).join('')
  })
}

/** Patterns of a secret in other texts: in clear and with escaped characters, in hexadecimal and in base64. */
function encodings(secret: string): string[] {
  const base64 = [0, 1, 2].map(offset => Array.from(inBase64(secret, offset), digit64).join(BREAKS))
  return [inClear(secret), inHex(secret), ...base64]
}

/** Line breaks of MIME, also as JSON escapes them. */
const BREAKS = String.raw`(?:\s|\\[rn])*`

/** Between two bytes in hexadecimal: of dumps, of source code, and of URLs that escape every byte. */
const BETWEEN_BYTES = String.raw`(?:[\s:,%-]|\\[rnx]|0x)*`

/** Lines of a dump may end within a byte. */
const inHex = (secret: string): string =>
  bytesOf(secret)
    .map(byte => byte.replace(/^(\[[^\]]*\]|.)/, `$1${BREAKS}`))
    .join(BETWEEN_BYTES)

/** The bytes as two hexadecimal digits of either case. */
const bytesOf = (text: string): string[] =>
  [...Buffer.from(text)].map(byte => anyCase(byte.toString(16).padStart(2, '0')))

const anyCase = (digits: string) =>
  digits.replaceAll(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`)

/** A digit of base64, as URLs spell or escape it. */
const digit64 = (digit: string): string =>
  digit === '+' ? '(?:[+-]|%2[Bb])' : digit === '/' ? String.raw`(?:\\?[/_]|%2[Ff])` : digit

/** The characters in clear, or as JSON (also nested), URLs, forms and HTML escape them. Encoders differ in what they escape. */
const inClear = (secret: string): string =>
  secret.replaceAll(/(\\*)([^\\]|$)/gu, (_, { length }: string, character: string) =>
    length === 0 ? escapes(character, SLASHES) : backslashes(length) + escapes(character, NONE),
  )

/** The backslashes before an escaped character: at least so many. */
const SLASHES = (least: number) => String.raw`\\{${least},7}`
const NONE = () => ''

/** A run takes the backslashes that escape the next character, too: two patterns that share them take exponential time. */
const backslashes = (length: number): string => {
  const escaped = String.raw`(?:${inUrl('\\')}|\\{1,7}u005[cC]|${ENTITY}){${length}}\\{0,7}`
  return String.raw`(?:\\{${length},${8 * length + 7}}|${escaped})`
}

const ENTITY = String.raw`&(?:amp;)?#?\w{2,6};`

const inUrl = (character: string): string =>
  bytesOf(character)
    .map(byte => `%(?:25){0,3}${byte}`)
    .join('')

function escapes(character: string, slashes: (least: number) => string): string {
  if (/^[A-Za-z0-9]?$/.test(character)) return character
  const units = character.split('').map(unit => unit.charCodeAt(0).toString(16).padStart(4, '0'))
  const short = /(?<=^"\\)[bfnrt](?="$)/.exec(JSON.stringify(character))
  const all = [
    slashes(0) + literal(character),
    inUrl(character),
    units.map(unit => `${slashes(1)}u${anyCase(unit)}`).join(''),
    ENTITY,
    ...(short ? [slashes(1) + short] : []),
    ...(character === ' ' ? [String.raw`\+`] : []),
  ]
  return `(?:${all.join('|')})`
}

/** The characters that a secret alone determines when it stands after so many bytes of another text. */
function inBase64(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
  const text = bytes.toString('base64').replaceAll('=', '')
  const end = bytes.length % 3 === 0 ? text.length : text.length - 1
  return text.slice(offset === 0 ? 0 : offset + 1, end)
}
