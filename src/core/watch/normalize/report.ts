/**
 * Whether a failed answer is a report: the call was made, and its answer states what came of one item, or how much failed.
 *
 * Intuition: `{ "id": 7, "status": "failed" }` is about item 7. The same of item 8 is another fact, the same of item 7 again is not.
 * "3 failed" after "4 failed" is progress. A report does not count as a mistake of the agent.
 *
 * A tool that examines reports in a sentence, too: "User not found". A linter reports on the files of its call.
 *
 * Hard case: an answer with an explanation, such as `{ "id": 7, "status": "error", "message": "Permission denied" }`. It is true of
 * each item, therefore it remains one failure. Rejected: a separate failure for each call, which misses agents that try other
 * arguments.
 */
import { isMap, type Json } from '../data/json.ts'
import { recordIn } from '../answer/envelope.ts'
import { type Field, hasOutputOfExit, isExplanation } from '../outcome/failed-record.ts'
import { filesReported } from '../outcome/file-report.ts'
import { namedItems } from './items.ts'
import { isPlaceOfPage } from '../answer/paging.ts'
import type { RequestFeatures } from './request-features.ts'
import { isVerdict } from '../outcome/verdict.ts'
import { isCount } from '../text/words.ts'

/** A longer text is not read as a record. */
const LONG = 4_000
const RECORD = /^\s*[[{]/

/** What the report is about: the items that it names, or the call. `''`: neither. `undefined`: not a report. */
export function reportOf(text: string, request: RequestFeatures | undefined): string | undefined {
  if (text.length > LONG) return undefined
  const record = RECORD.test(text) ? recordIn(text) : undefined
  if (record === undefined) return ofText(text, request)
  if (!isMap(record) || Array.isArray(record)) return undefined
  const fields = Object.entries(record)
  const files = filesReported(fields.map(outputOf).join('\n'), request?.files)
  if (files !== '') return files
  const explains = ([name, value]: Field) =>
    isExplanation(name, value) &&
    namedItems([value], request?.items) === '' &&
    !(request?.checks && isVerdict(`${value}`))
  if (!fields.some(explains)) {
    const named = namedItems(fields.filter(mayName).map(valueOf), request?.items)
    if (named !== '') return named
    if (request?.checks) return request.key
  }
  return request?.checks || fields.some(isCounted) || hasOutputOfExit(fields) ? '' : undefined
}

function ofText(text: string, request: RequestFeatures | undefined): string | undefined {
  const files = filesReported(text, request?.files)
  if (files !== '') return files
  return request?.checks && isVerdict(text) ? request.key : undefined
}

/** What a program has printed. */
const outputOf = ([name, value]: Field): string =>
  /^(?:stdout|stderr|output)$/i.test(name) && typeof value === 'string' ? value : ''

const valueOf = ([, value]: Field): Json => value

/** Pages are counted up, and an explanation may be another one each time. */
export const mayName = ([name, value]: Field): boolean =>
  !isPlaceOfPage(name) && !isExplanation(name, value)

const isCounted = ([name, value]: Field): boolean =>
  typeof value === 'number' && value > 0 && isCount(name)
