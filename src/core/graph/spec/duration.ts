import { z } from 'zod'
import { SPAN, SPAN_EXPECTED, SPAN_MAX, spanIn, spanText } from './span.ts'

/** `250ms`, `30s`, `10m`, `1h`, `1d`; a bare number counts milliseconds. Parses to milliseconds. */
export const duration = z
  .union([z.number().nonnegative(), z.string().regex(SPAN, SPAN_EXPECTED)], {
    error: SPAN_EXPECTED,
  })
  .transform(value => (typeof value === 'number' ? value : (spanIn(value) ?? 0)))
  .refine(ms => ms <= SPAN_MAX, `expected at most ${spanText(SPAN_MAX)}`)
  .meta({
    id: 'duration',
    description: 'A duration: 250ms, 30s, 10m, 1h or 1d; a bare number counts milliseconds.',
  })
