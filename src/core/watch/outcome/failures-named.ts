/**
 * What a text says of failures that did not happen: `"error": null`, "0 tests failed", "No syntax errors found", and the headings of a
 * table. The numbers below a heading say what failed.
 */

import { NO_ERROR } from './no-error.ts'

/** A field without content, such as `"error": null` or `Failed checks: 0`, and a number of anything but failures: `timeout: 5000`. */
const UNSET = new RegExp(
  `["']?\\b(?:(?:(?:errors?|fail\\w*) )?\\w{1,40}["']?\\s*[:=]\\s*(?:null|none|false|0|""|''|"(?:${NO_ERROR})"|'(?:${NO_ERROR})'|\\[\\s*\\]|\\{\\s*\\})|(?!\\w*(?:error|fail))\\w{1,40}["']?\\s*[:=]\\s*\\d+)(?![\\w.])`,
  'gi',
)
/** With the rest of its sentence: "the file may still contain errors that qpdf cannot detect". */
const NONE_FOUND = /\bno (?:[a-z]{1,20} ){0,5}'?errors?'? (?:were )?(?:found|detected)\b[^.]*/gi
const NONE_FAILED = /\b(?:0|no|zero) (?:[a-z()]{1,20} ){1,4}(?:failed|failures?|errors?)\b/gi

/** A state that was set or left, and work that is done again. */
const MOVED =
  /\b(?:marked|set|moved|transitioned)\b[^.\n]{0,60}?\b(?:as|to|from) ["']?(?:failed|invalid|denied|unknown|refused)\b|\b(?:requested rerun|requeued|retried|restarted|rescheduled|resubmitted)\b[^.\n]{0,40}?\bfailed (?:jobs?|tasks?|items?|runs?|builds?|messages?|payments?|steps?|tests?|records?)\b/gi

const COLUMN = /[│|\t]|\S {2,}(?=\S)/g
/** A line between a heading and its rows. */
const RULE = /^[\s─━═┼├┤╪│|+=-]*$/

/** The text without them. */
export function withoutNamed(text: string): string {
  const set = /[:=]/.test(text) ? text.replace(UNSET, '') : text
  const found = set.replace(NONE_FOUND, '').replace(NONE_FAILED, '').replace(MOVED, '')
  return withoutHeadings(found)
}

function withoutHeadings(text: string): string {
  if (!text.includes('\n')) return text
  const lines = text.split('\n')
  const rows = lines.filter(line => !RULE.test(line))
  const isHeading = (line: string) =>
    !/\d/.test(line) && isRow(line) && isNumbered(rows[rows.indexOf(line) + 1] ?? '')
  return lines.filter(line => !isHeading(line)).join('\n')
}

const isRow = (line: string): boolean => (line.match(COLUMN) ?? []).length >= 2
const isNumbered = (line: string): boolean => /\d/.test(line) && isRow(line)
