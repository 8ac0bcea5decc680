/** Durations such as `250ms`, `30s`, `10m`, `1h` and `1d`. */

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const

export const SPAN = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/
export const SPAN_EXPECTED = 'a duration such as 250ms, 30s, 10m, 1h or 1d'

/** A hundred years: deadlines must stay within the range of JavaScript dates. */
export const SPAN_MAX = 36_500 * 86_400_000

/** The latest time of a JavaScript date, in ms since 1970. */
export const TIME_MAX = 8.64e15

/** @throws TypeError */
export function checkTime(at: number, path = 'at'): void {
  if (!Number.isFinite(at)) throw new TypeError(`${path}: expected ms since 1970, received ${at}`)
}

/** Parses a duration into ms. */
export function spanIn(text: string): number | undefined {
  const [, amount = '', unit = ''] = SPAN.exec(text) ?? []
  const [, size] = UNITS.find(([name]) => name === unit) ?? []
  return size === undefined ? undefined : Number(amount) * size
}

/** Formats ms for `spanIn`, in the largest unit that gives a whole number. */
export function spanText(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => ms >= each && ms % each === 0) ?? ['ms', 1]
  return `${ms / size}${unit}`
}

/** Formats ms for people: `450ms`, `1.2s`, and above in the two largest units, `3m 20s`, `2d 4h`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)}ms`
  if (ms < 9_950) return `${Number((ms / 1_000).toFixed(1))}s`
  let left = Math.round(ms / 1_000) * 1_000
  const largest = UNITS.findIndex(([, size]) => left >= size)
  const parts = UNITS.slice(largest, largest + 2).flatMap(([name, size]) => {
    const whole = Math.floor(left / size)
    left -= whole * size
    return whole === 0 ? [] : [`${whole}${name}`]
  })
  return parts.join(' ')
}
