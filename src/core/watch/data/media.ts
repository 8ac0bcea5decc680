/** Bytes in answers: images, files and recordings, of which only the identity counts. Base64 elsewhere may be a token, which differs each time. */
import { hash, type Json, printed } from './json.ts'

/** Base64 in a field for bytes, or in a `data:` address. */
const BYTES =
  /(?<="(?:data|blob|base64|b64_json|bytes|image)"\s?:\s?"|data:[\w.+/-]{1,100};base64,)[\w+/-]{512,}={0,2}/g

/** The text with the size and the identity of bytes in their place. */
export const withoutBytes = (text: string): string =>
  text.replace(BYTES, bytes => bytesText(`${bytes.length} characters`, bytes))

/** The value without its bytes: an image leaves no room for the text beside it. */
export function withoutMedia(value: Json): Json {
  const text = withoutBytes(printed(value))
  return typeof value === 'string' ? text : (JSON.parse(text) as Json)
}

/** Other bytes have another text. Its hash is written in letters: with digits, it would be compared like an id, which does not count. */
export const bytesText = (size: string, bytes: string): string =>
  `${size} ${inLetters(hash(bytes))}`

const inLetters = (text: string): string =>
  text.replace(/\d/g, digit => `z${'abcdefghij'[Number(digit)]}`)
