/** A bounded share of the attack by inputs. `npm run attack` throws all of them. */
import { expect, test } from 'vitest'
import { attackByInputs } from './inputs/inputs.ts'
import { TARGETS } from './inputs/targets.ts'

test('a mutated input is read or clearly refused, in bounded time and memory', async () => {
  const { violations, parsed, targets } = await attackByInputs({ seed: 1, inputs: 20_000 })
  expect(violations).toEqual([])
  expect(parsed).toBeGreaterThanOrEqual(20_000)
  expect(Object.keys(targets).sort()).toEqual(TARGETS.map(({ name }) => name).sort())
}, 240_000)
