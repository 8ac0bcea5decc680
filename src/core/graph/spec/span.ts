/** Spans of time as people write them. */

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

export const SPAN = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/

export const SPAN_EXPECTED = 'expected a duration such as 250ms, 30s, 10m, 1h or 1d'

/** `250ms`, `30s`, `10m`, `1h`, `1d` in ms; `undefined` if it is none of the kind. */
export function spanIn(text: string): number | undefined {
  const [, amount = '', unit = ''] = SPAN.exec(text) ?? []
  return amount === '' ? undefined : Number(amount) * (UNITS[unit] ?? 1)
}
