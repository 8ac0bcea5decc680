/** Redacts secrets in values before they are journalled, shown or sent to a model. */
import type { Json } from '../core/watch/data/json.ts'
import { literal, MASK, maskCredentials } from './secret-patterns.ts'

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
export function redactor(secrets: readonly string[] = []): (value: Json) => Json {
  let count = -1
  let known: RegExp | undefined
  const clean = (text: string): string => {
    if (text.length < SECRET_MIN) return text
    if (count !== USED.size) known = anyOf([...secrets, ...USED])
    count = USED.size
    return maskCredentials(known ? text.replace(known, MASK) : text)
  }
  const walk = (value: Json): Json => {
    if (typeof value === 'string') return clean(value)
    if (value === null || typeof value !== 'object') return value
    const before: readonly Json[] = Object.values(value)
    const after = before.map(walk)
    const keys = Array.isArray(value) ? [] : Object.keys(value)
    // Most values are clean and are returned as they are.
    const isClean = after.every((inner, index) => inner === before[index])
    if (isClean && keys.every(key => clean(key) === key)) return value
    return Array.isArray(value)
      ? after
      : Object.fromEntries(keys.map((key, index) => [clean(key), after[index] as Json]))
  }
  return walk
}

function anyOf(secrets: readonly string[]): RegExp | undefined {
  const encoded = secrets.filter(each => each.length >= SECRET_MIN).flatMap(encodings)
  // The longest first: one secret may begin with another.
  const all = [...new Set(encoded)].sort((a, b) => b.length - a.length)
  return all.length > 0 ? new RegExp(all.map(literal).join('|'), 'g') : undefined
}

/** A secret as it appears in other texts: in JSON (once and twice), in URLs, in hexadecimal and in base64. */
function encodings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inUrl = encodeURIComponent(secret.toWellFormed())
  const form = new URLSearchParams({ s: secret }).toString().slice(2)
  const hex = Buffer.from(secret).toString('hex')
  const base64 = [0, 1, 2].map(offset => inBase64(secret, offset))
  return [
    secret,
    inJson,
    JSON.stringify(inJson).slice(1, -1),
    inUrl,
    inUrl.replaceAll(/%../g, code => code.toLowerCase()),
    form,
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map(text => text.replaceAll('+', '-').replaceAll('/', '_')),
  ]
}

/** The characters that a secret alone determines when it stands after so many bytes of another text. */
function inBase64(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
  const text = bytes.toString('base64').replaceAll('=', '')
  const end = bytes.length % 3 === 0 ? text.length : text.length - 1
  return text.slice(offset === 0 ? 0 : offset + 1, end)
}
