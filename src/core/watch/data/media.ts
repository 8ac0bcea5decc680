/**
 * Bytes in answers: images, files and recordings, of which only the identity counts.
 *
 * Hard case: base64 in `data` without a type beside it may be a token, which differs each time. It remains.
 */
import { hash } from './json.ts'

/** What stands before bytes: the name of their field, or the beginning of an address. */
const BEFORE = /"(?:data|blob|base64|b64_json|bytes|image)"\s?:\s?"|data:[\w.+/-]{1,100};base64,/g
/** These names may also be those of a token. */
const UNSURE = /"(?:data|bytes)"\s?:\s?"$/
const END = /[^\w+/=-]/g
/** Shorter texts may be ids. */
const LENGTH_MIN = 512
/** The type of the bytes, in the same record. */
const TYPE = /"(?:mime_?type|media_?type|format)"|"type"\s?:\s?"(?:image|audio|video|file|base64)/i
const BESIDE = 80

/** The text with the size and the identity of bytes in their place. Not by one pattern, which would need a stack of their length. */
export function withoutBytes(text: string): string {
  if (text.length < LENGTH_MIN) return text
  let kept = ''
  let from = 0
  for (const { 0: before, index } of text.matchAll(BEFORE)) {
    const start = index + before.length
    if (start < from) continue
    END.lastIndex = start
    const end = END.exec(text)?.index ?? text.length
    const beside = text.slice(Math.max(0, start - BESIDE), start) + text.slice(end, end + BESIDE)
    if (end - start < LENGTH_MIN || (UNSURE.test(before) && !TYPE.test(beside))) continue
    const bytes = text.slice(start, end)
    kept += text.slice(from, start) + bytesText(`${bytes.length} characters`, bytes)
    from = end
  }
  return kept + text.slice(from)
}

/** The beginning of a run of base64. */
const BASE64 = /(?<![\w+/-])[\w+/-]{512}/g

/** What `bytesText` writes. */
const SIZED = /\b\d+ (?:characters|bytes) [a-z]{8,40}\b/g

/** The text without any long base64, and without the size and the identity of bytes, which say nothing in words. */
export function withoutBase64(received: string): string {
  // Most texts have no size, and are not read for one.
  const isSized = received.includes(' characters ') || received.includes(' bytes ')
  const text = isSized ? received.replace(SIZED, '…') : received
  if (text.length < LENGTH_MIN) return text
  let kept = ''
  let from = 0
  for (const { index } of text.matchAll(BASE64)) {
    if (index < from) continue
    END.lastIndex = index
    kept += `${text.slice(from, index)}…`
    from = END.exec(text)?.index ?? text.length
  }
  return kept + text.slice(from)
}

/** Other bytes have another text. Its hash is written in letters: with digits, it would be compared like an id, which does not count. */
export const bytesText = (size: string, bytes: string): string =>
  `${size} ${inLetters(hash(bytes))}`

const inLetters = (text: string): string =>
  text.replace(/\d/g, digit => `z${'abcdefghij'[Number(digit)]}`)
