/** A bounded share of the attack by storms. `npm run attack` plays all of it. */
import { expect, test } from 'vitest'
import { attackByStorms } from './storms/storms.ts'

test('no payment is made twice, whatever happens around it, if people answer truthfully', async () => {
  const { violations, payments, forks } = await attackByStorms({ seed: 1, storms: 60 })
  expect(violations).toEqual([])
  expect(payments).toBeGreaterThan(200)
  expect(forks).toBeGreaterThan(200)
}, 120_000)
