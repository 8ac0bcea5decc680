/** Numbers that are times, parts of dates, or serial numbers. They differ from answer to answer. */
import { codeAt, DASH, isDigit, SLASH } from './characters.ts'

/** A shorter number is content. */
const LENGTH_MIN = 9
/** An integer of this length is a time or a serial number. */
const SERIAL_LENGTH = 13
/** Seconds since 1970, from September 2020 to 2033, also with a fraction. */
const EPOCH = /^1[6-9]\d{8}(?:\.\d*)?$/
const DOTTED_DATE = /^\d{1,2}\.\d{1,2}\.(?:19|20)\d\d$/
/** `"bytes_done":1677721600`, `1677721600 of 9000000000 bytes` */
const OF_BYTES = /(?:bytes|size)\w*["']?\s?[:=]?\s?$/i
const BYTES = /^ (?:bytes|of)\b/
const BYTES_MAX = 24

/** A time or a serial number. Amounts, shares such as `0.0333333333333333`, versions and addresses are content. */
export function isSerial(text: string, start: number, end: number): boolean {
  const length = end - start
  if (length < LENGTH_MIN) return false
  const number = text.slice(start, end)
  if (DOTTED_DATE.test(number)) return true
  if (!EPOCH.test(number) && (length < SERIAL_LENGTH || number.includes('.'))) return false
  const isOfBytes =
    OF_BYTES.test(text.slice(Math.max(0, start - BYTES_MAX), start)) ||
    BYTES.test(text.slice(end, end + BYTES_MAX))
  return !isOfBytes
}

/** What joins the numbers of a date. */
export const isJoint = (code: number): boolean => code === DASH || code === SLASH

/** A date, or a year and a month, also with the time or a number behind it: `2026-01-03`, `1/3/26`, `20260103-153012`. */
const DATE =
  /^(?:\d{4}([-/])\d{1,2}\1\d{1,2}|\d{1,2}([-/])\d{1,2}\2(?:\d{4}|\d\d)|(?:19|20)\d\d[-/](?:0[1-9]|1[0-2])|20\d{6})(?:-\d{1,6})?$/
const DATE_MAX = 17
/** Of the path `/2026/01/03/`. */
const JOINTS = /^[-/]+|[-/]+$/g

/** Whether the number at `start` is a part of a date. `0-100`, `500/7` and the number `2026-1001` are content. */
export function isOfDate(text: string, start: number): boolean {
  let from = start
  while (start - from < DATE_MAX && isOfNumbers(codeAt(text, from - 1))) from--
  let to = start
  while (to - from <= DATE_MAX && isOfNumbers(codeAt(text, to))) to++
  return DATE.test(text.slice(from, to).replace(JOINTS, ''))
}

const isOfNumbers = (code: number): boolean => isDigit(code) || isJoint(code)
