/**
 * What a program that checks says of its end: how many failures it has counted, how it ended, and what passed.
 *
 * Intuition: `2 passed` at the end of a run means more than "rejects an invalid id" among its tests.
 */

/** Failures that a test or a compiler has counted or placed. What was expected to fail has not. */
const COUNTED =
  /\b[1-9]\d* (?:(?!expected\b)\w+ )?(?:fail\w*|errors?|problems?(?! \(0 errors\b)|issues?(?! \(\d+ silenced\b)|violations?)\b(?!\s*[:=]\s*\d)|(?<!\bexpected )\b(?:fail\w*|errors?)["']?\s*[:=]\s*["']?[1-9]|\bfail\w* [1-9]|[:(]\d+[:,]\d+\)?:? (?:fatal )?error\b/i
/** How a program ended, in a line or a field. */
const ENDED =
  /^\W{0,6}(?:[\w-]+ ){0,4}(?:exited|(?:exit|return)[ _-]?(?:code|status))\b[^\n\d]{0,20}[1-9]\d{0,2}\b\W{0,6}(?:<\/\w+>\s*)?$|"(?:exit_?(?:code|status)|return_?code)"\s*:\s*"?[1-9]\d{0,2}\b|^(?:npm ERR!|not ok \d)/im
/** Tests and steps that passed. */
const RAN =
  /\b[1-9]\d* (?:\w+ )?pass(?:ed|es|ing)?\b|\bpass\w*["']?\s*[:=]\s*["']?(?:[1-9]|true)|\bpass\w* [1-9]|^(?:PASS\b|ok \d|ok\s+\S+\s+(?:\d|\(cached))|\btest result: ok\b|\bbuild success\b|\bcompiled successfully\b/im
/** A count of no failures, and the end of a program without one. */
const ENDED_WELL =
  /^OK\b(?: \(|$)|\b0 (?:errors|failures|fail(?:ed|ing)?|problems|issues)\b|\b(?:fail\w*|errors?)["']?\s*[:=]?\s*0\b|\b(?:exit|return)[ _-]?(?:code|status)["']?\s*[:=]?\s*["']?0\b|(?<!\b(?:not|never|n't)\b[^.\n]{0,12})\b(?:successful(?:ly)?|succeeded)\b|\u2713 built\b/im

/** The parts of a text that are read. Summaries stand at its end, too. */
const HEAD = 2_000
const TAIL = 300
/** Whether a pattern is at the beginning or the end of a text. */
export const has = (text: string, pattern: RegExp): boolean =>
  pattern.test(text.slice(0, HEAD)) || (text.length > HEAD && pattern.test(text.slice(-TAIL)))

/** Whether failures were counted or a program ended with another exit code than 0. `seeks`: of a search, it says whether something was found. */
export const countsFailures = (text: string, seeks: boolean): boolean =>
  has(text, COUNTED) || (!seeks && has(text, ENDED))

export const hasPassed = (text: string): boolean => has(text, RAN) || has(text, ENDED_WELL)

/** Whether a program ended well, whatever words are in its output. */
export const endedWell = (text: string): boolean => hasPassed(text) && !countsFailures(text, false)

/** Whether tests ran and passed. Of a write, "succeeded" may be said of one part of several. */
export const passes = (text: string): boolean => has(text, RAN) && !countsFailures(text, false)
