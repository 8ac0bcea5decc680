/** Kills at random moments, which also hit the middle of a commit or of a call. `npm run test:crash` has more of them. */
import { describe, expect, it } from 'vitest'
import { IS_SWEEP, lanes, length } from './deaths.ts'

const DEATHS = IS_SWEEP ? 200 : 16

describe('a process that is killed', { timeout: IS_SWEEP ? 3_600_000 : 300_000 }, () => {
  it('loses nothing and repeats nothing, at any moment', async () => {
    const seed = 2026
    const chance = chances(seed)
    let made = 0
    const died = await lanes(() => {
      const moment = chance() * length
      made++
      const how = `seed ${seed}, death ${made}, after ${moment.toFixed(1)} of ${length.toFixed(0)} ms`
      return made > DEATHS ? undefined : { how, asked: made % 2 ? 'person' : 'tool', moment }
    })
    expect(died).toBeGreaterThan(DEATHS / 2)
    if (IS_SWEEP) process.stdout.write(`${died} of ${DEATHS} processes died at a random moment\n`)
  })
})

/** Chance in [0, 1), the same for the same seed (mulberry32). */
function chances(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
