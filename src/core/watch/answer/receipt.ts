/**
 * The receipt of a write, without its id where other fields repeat it: `"html_url":"…/7#issuecomment-123"` beside `"id":123`,
 * `"number_in_job":4556` beside `"run_id":4556`.
 *
 * Intuition: an id is new in each receipt, and so is an address that contains it.
 * Hard case: a read of items, whose addresses are what was found. Rejected: each number in an address.
 */
const RECORD = /^\s*[[{]/
/** A longer answer is not a receipt. */
const LONG = 8_000
/** A short number under another name may be a count elsewhere. */
const ID = /"(?:id"\s*:\s*"?([\w-]{2,40})|\w*(?:_id|[a-z]Id)"\s*:\s*"?([\w-]{4,40}))\b/g
const IDS_MAX = 8

export function withoutRepeatedId(text: string): string {
  if (text.length > LONG || !RECORD.test(text)) return text
  const found = [...text.matchAll(ID)].map(([, id = '', other = '']) => id + other)
  const ids = [...new Set(found)].slice(0, IDS_MAX)
  return ids.reduce(
    (rest, id) => rest.replaceAll(new RegExp(`(?<!\\w)${id}(?!\\w)`, 'g'), ''),
    text,
  )
}
