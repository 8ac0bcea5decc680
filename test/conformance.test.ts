/** Twelve scenarios in each framework, bare and watched: loops end in time, healthy work continues, and the published table is current. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compared, reportText } from './conformance/report.ts'
import { mostBefore } from './conformance/scenario.ts'

const all = await compared()

describe.each(all)('$framework.name: $scenario.name', ({ scenario, bare, watched }) => {
  if (scenario.period === undefined)
    test('is not disturbed', () => {
      expect(watched.rows.filter(({ verdict }) => verdict.kind !== 'continue')).toEqual([])
      expect({ ...watched, rows: [] }).toEqual({ ...bare, rows: [] })
      expect(watched.ended).toBe('goal')
    })
  else
    test('ends in time, for the right reason', () => {
      expect(watched.before).toBeLessThanOrEqual(mostBefore(scenario))
      expect(watched.ended).toMatch(/^stopped \((loop|stall|noToolCall)\)$/)
    })
})

test('docs/conformance.md is what `REWRITE=1 npm run conformance` writes', () => {
  expect(readFileSync('docs/conformance.md', 'utf8')).toBe(reportText(all))
})
