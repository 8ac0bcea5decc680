/**
 * What a program that checks says of its end: how many failures it has counted, how it ended, and what passed.
 *
 * Intuition: `2 passed` at the end of a run means more than "rejects an invalid id" among its tests.
 */

/** Failures that a test or a compiler has counted or placed. What was expected to fail has not. */
const COUNTED =
  /\b[1-9]\d* (?:(?!expected\b)\w+ )?(?:fail\w*|errors?|problems?(?! \(0 errors\b)|issues?(?! \(\d+ silenced\b)|violations?|offenses?)\b(?!\s*[:=]\s*\d)|\bunreachable=[1-9]|^\S+:\d+: (?:fatal )?error:|(?<!\bexpected )\b(?:fail\w*|errors?)["']?\s*[:=]\s*["']?[1-9]|\bfail\w* [1-9]|[:(]\d+[:,]\d+\)?:? (?:fatal )?error\b/im
/** A package or a file of tests that failed, whatever else passed. In capital letters, unlike `fail 0`. */
const FAIL = /^\s*(?:--- )?FAIL\b(?!\s*[:=]?\s*0)/m
/** How a program ended, in a line or a field. */
const ENDED =
  /^\W{0,6}(?:[\w-]+ ){0,4}(?:exited|(?:exit|return)[ _-]?(?:code|status))\b[^\n\d]{0,20}[1-9]\d{0,2}\b\W{0,6}(?:<\/\w+>\s*)?$|"(?:exit_?(?:code|status)|return_?code)"\s*:\s*"?[1-9]\d{0,2}\b|(?:^|:\s?"|\[")(?:npm ERR!|not ok \d)/im
/** Tests and steps that passed. */
const RAN =
  /\b[1-9]\d* (?:(?!were|was|are|is|be)\w+ )?pass(?:ed|es|ing)?\b|\bpass(?:ed|es)?["']?\s*[:=]\s*["']?(?:[1-9]|true)|\bpass(?:ed)? [1-9]|\b[1-9]\d* examples?, 0 failures|\u2713 built\b|^(?:PASS\b|ok \d|ok\s+\S+\s+(?:\d|\(cached)|\W*0 errors\b)|\btest result: ok\b|\bbuild success\b|\bcompiled successfully\b/gim
/** A count of no failures, and the end of a program without one. */
const ENDED_WELL =
  /^OK\b(?: \(|$)|\b0 (?:errors|failures|fail(?:ed|ing)?|problems|issues)\b|\b(?:fail\w*|errors?)["']?\s*[:=]?\s*0\b|\b(?:exit|return)[ _-]?(?:code|status)["']?\s*[:=]?\s*["']?0\b|(?<!\b(?:not|never|0)\b[^.\n]{0,40}|n't\b[^.\n]{0,40})\b(?:successful(?:ly)?|succeeded)\b(?!["']?\s*[:=])|\u2713 built\b/gim
/** What is said after that of another part, or of the whole. */
const AFTER =
  /\bbuild fail|\bfailed to\b|^\s*(?:\w+ ){0,2}(?:error|fatal)\b\s?[:[(]|^\s*\[(?:error|fatal)\]|\btraceback \(most recent|^(?:[\w$]+\.)*[A-Z]\w*(?:Exception|Error)(?::|$)|\btoo many warnings\b|\bdoes not meet\b|\bnot met\b/im

/** The parts of a text that are read. Summaries stand at its end, too. */
const HEAD = 2_000
const TAIL = 300
/** Whether a pattern is at the beginning or the end of a text. */
export const has = (text: string, pattern: RegExp): boolean =>
  pattern.test(text.slice(0, HEAD)) || (text.length > HEAD && pattern.test(text.slice(-TAIL)))

/** Whether failures were counted or a program ended with another exit code than 0. `seeks`: of a search, it says whether something was found. */
export const countsFailures = (text: string, seeks: boolean): boolean =>
  has(text, COUNTED) || has(text, FAIL) || (!seeks && has(text, ENDED))

/** Whether the last that a text says is that something passed. */
export const hasPassed = (text: string): boolean => isLast(text, RAN) || isLast(text, ENDED_WELL)

function isLast(text: string, pattern: RegExp): boolean {
  const parts = text.length > HEAD ? [text.slice(-TAIL), text.slice(0, HEAD)] : [text]
  for (const part of parts) {
    const last = [...part.matchAll(pattern)].at(-1)
    if (last) return !saysLater(part.slice(last.index + last[0].length))
  }
  return false
}

const saysLater = (rest: string): boolean => AFTER.test(rest) || /\bFAIL\b/.test(rest)

/** Whether tests ran and passed. "Succeeded" may be said of one part of several. */
export const passes = (text: string): boolean => isLast(text, RAN) && !countsFailures(text, false)
