import fc from 'fast-check'
import { DEEDS, REPLIES, type Behaviour } from './adversary.ts'

export const randomBehaviour: fc.Arbitrary<Behaviour> = fc.record({
  seed: fc.nat(9_999),
  deeds: fc.array(fc.constantFrom(...DEEDS), { minLength: 1, maxLength: 5 }),
  sayings: fc.array(fc.constantFrom(...REPLIES), { minLength: 1, maxLength: 3 }),
  people: fc.array(
    fc.constantFrom(
      'on' as const,
      'on' as const,
      'elsewhere' as const,
      'back' as const,
      'dismiss' as const,
      'no' as const,
      'none' as const,
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  wordy: fc.boolean(),
  undoes: fc.boolean(),
})
