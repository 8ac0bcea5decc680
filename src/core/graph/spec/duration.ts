import { z } from 'zod'

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `250ms`, `30s`, `10m`, `1h`, `1d`; a bare number counts milliseconds. Parses to milliseconds. */
export const duration = z
  .union([z.number().nonnegative(), z.string().regex(/^\d+(\.\d+)?(ms|s|m|h|d)$/, 'expected a duration such as 250ms, 30s, 10m, 1h or 1d')], {
    error: 'expected a duration such as 250ms, 30s, 10m, 1h or 1d',
  })
  .transform(value => {
    if (typeof value === 'number') return value
    const [, amount = '0', unit = 'ms'] = /^([\d.]+)(\D+)$/.exec(value) ?? []
    return Number(amount) * (UNITS[unit] ?? 1)
  })
  .meta({ id: 'duration', description: 'A duration: 250ms, 30s, 10m, 1h or 1d; a bare number counts milliseconds.' })
