/** Measured durations in texts. They differ from answer to answer. */
import { codeAt, COMMA, POINT } from './characters.ts'

/** Units of measurements only: an agent that waits counts in seconds. */
const FINE_UNITS: ReadonlySet<string> = new Set(
  'ms msec msecs millis millisecond milliseconds us µs usec usecs microsecond microseconds ns nsec nsecs nanosecond nanoseconds'.split(
    ' ',
  ),
)
const UNITS: ReadonlySet<string> = new Set(
  's sec secs second seconds min mins minute minutes'.split(' '),
)
const LONG_UNITS: ReadonlySet<string> = new Set('h hr hrs hour hours'.split(' '))

/** A measured duration: `0.13s`, `1,140 ms`, `2m 3.4s`, `failed in 3s`, `took 1m 23s`, `12 seconds ago`. Other whole seconds count: an agent that waits watches `[4 s] compiling`. */
export function isMeasured(text: string, start: number, end: number): boolean {
  const unit = unitAt(text, pastGroups(text, end))
  if (unit === undefined) return false
  if (FINE_UNITS.has(unit)) return true
  if (unit === 'm') {
    const seconds = SECONDS.exec(text.slice(end, end + 12))
    if (seconds === null) return hasTaken(text, start)
    return seconds[1] !== undefined || isTaken(text, start)
  }
  if (LONG_UNITS.has(unit)) return hasTaken(text, start)
  if (!UNITS.has(unit)) return false
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === POINT) return true
  return isTaken(text, start) || AGO.test(text.slice(end, end + 14))
}

const isTaken = (text: string, start: number): boolean =>
  TOOK.test(text.slice(Math.max(0, start - TOOK_MAX), start))

/** Hours and bare minutes: an agent that waits watches `done in 2h`. */
const hasTaken = (text: string, start: number): boolean =>
  HAS_TAKEN.test(text.slice(Math.max(0, start - TOOK_MAX), start))

const TOOK_MAX = 40
/** What precedes a duration, the seconds of `took 1 min and 23 s`, or the fraction of `0m0.110s`. */
const TOOK =
  /\b(in|took|after)\s(?:\d{1,4} ?(?:h|hrs?|hours?|m|mins?|minutes?),? ?(?:and )?){0,2}$|\dm ?\d{1,2}\.$/i
const HAS_TAKEN = /\btook\s(?:\d{1,4} ?(?:h|hrs?|hours?),? ?(?:and )?)?$/i
const SECONDS = /^m ?\d{1,2}(\.\d+)?s\b/i
const AGO = /^ ?[a-zµ]+ ago\b/i

/** The word of letters at `end` if it may be a unit of time, in lower case. */
function unitAt(text: string, end: number): string | undefined {
  const unit = codeAt(text, end) === 32 ? codeAt(text, end + 1) : codeAt(text, end)
  return mayBeUnit(unit) ? UNIT.exec(text.slice(end, end + 14))?.[1]?.toLowerCase() : undefined
}

/** All units of time begin with `s`, `m`, `h`, `n`, `u` or `µ`. */
const mayBeUnit = (code: number): boolean =>
  (code | 32) === 115 ||
  (code | 32) === 109 ||
  (code | 32) === 104 ||
  (code | 32) === 110 ||
  (code | 32) === 117 ||
  code === 181

/** The end of a number with groups of thousands: `1,123 ms`. */
export function pastGroups(text: string, end: number): number {
  if (codeAt(text, end) !== COMMA) return end
  return end + (GROUPS.exec(text.slice(end, end + 12))?.[0].length ?? 0)
}

const GROUPS = /^(,\d{3}){1,2}(?!\d)/
const UNIT = /^ ?([a-zµ]+)/i
