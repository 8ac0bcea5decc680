/** A bounded share of the attack by kills. `npm run attack` plays all of it. */
import { expect, test } from 'vitest'
import { attackByKills } from './kills/kills.ts'

test('a process may be killed at any moment of any command: nothing is lost, and no write happens twice', async () => {
  const { violations, kills, threads } = await attackByKills({ seed: 1, kills: 32 })
  expect(violations).toEqual([])
  expect(kills.length).toBeGreaterThan(4)
  expect(threads).toBeGreaterThan(50)
}, 180_000)
