/** Bytes in values: images, files and recordings, of which only the identity counts. */
import { hash, isMap, type Json, mapFields } from './json.ts'

/** Shorter texts may be ids or tokens. */
const BASE64 = /^(data:[\w.+/;=-]{1,100},)?[\w+/-]{512,}={0,2}$/

/** The value with a short text in place of long base64: an image leaves no room for the text beside it. */
export function withoutMedia(value: Json): Json {
  if (typeof value === 'string') {
    const [media, type = ''] = BASE64.exec(value) ?? []
    return media === undefined ? value : `${type}${bytesText(`${media.length} characters`, media)}`
  }
  if (Array.isArray(value)) return value.map(withoutMedia)
  return isMap(value) ? mapFields(value, withoutMedia) : value
}

/** Other bytes have another text. Its hash is written in letters: with digits, it would be compared like an id, which does not count. */
export const bytesText = (size: string, bytes: string): string =>
  `${size} ${inLetters(hash(bytes))}`

const inLetters = (text: string): string =>
  text.replace(/\d/g, digit => `z${'abcdefghij'[Number(digit)]}`)
