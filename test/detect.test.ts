/** The accuracy of the default policy on recorded agents; needs the recordings beside the project. */
import { describe, expect, test } from 'vitest'
import { MEASURED } from './detect/page.ts'
import { readPart } from './written-part.ts'
import { measured } from './detect/report.ts'
import {
  actsOf,
  firstFlag,
  flagged,
  halted,
  labels,
  recorded,
  scenarios,
  scored,
} from './detect/recorded.ts'

if (!recorded)
  process.stdout.write('skipped: recordings not found beside the project (../shared/detect)\n')

describe.skipIf(!recorded)('recorded agents (../shared/detect)', () => {
  test('most loops are found soon, and few healthy agents are disturbed', async () => {
    const [flags] = await flagged([firstFlag])
    if (!flags) throw new Error('nothing was read')
    const { first } = flags
    const all = scored(labels(), first)
    const clear = scored(
      labels().filter(({ confidence }) => confidence === 'clear'),
      first,
    )
    expect(all.f1).toBeGreaterThan(0.88)
    expect(clear.f1).toBeGreaterThan(0.95)
    expect(all.falseAlarms).toBeLessThanOrEqual(0.05)
    expect(all.delays[Math.floor(0.5 * all.delays.length)]).toBeLessThanOrEqual(2)
    expect(all.delays[Math.floor(0.9 * all.delays.length)]).toBeLessThanOrEqual(12)
    expect(halted(flags).ids.length).toBeLessThanOrEqual(12)
  }, 60_000)

  test('docs/detection.md shows what `REWRITE=1 npm run detection` measures', async () => {
    expect(readPart(MEASURED)).toBe(await measured())
  }, 600_000)

  test('reported cases of other watchdogs are judged correctly, and most cases of their tests', () => {
    const right = scenarios().filter(
      scenario => (firstFlag(actsOf(scenario)) !== undefined) === scenario.expect.stuck,
    )
    expect(right.filter(({ peer }) => peer === 'issue').length).toBe(28)
    expect(right.length).toBeGreaterThanOrEqual(163)
  })
})
