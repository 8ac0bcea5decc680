import { expect, describe, test } from 'vitest'
import { mutatedSource, mutationsIn, switchedSource } from './mutations.ts'

describe('a mutant', () => {
  const source = 'const isLate = (at) => at < 3\n'
  const mutations = mutationsIn('late.ts', source)
  const flipped = mutations.findIndex(({ text }) => text === '(at) <= (3)')
  const isLate = (code: string, mutated: (id: number) => boolean) =>
    new Function('mutated', `${code} return isLate(3)`)(mutated)

  test('differs from the source in one place', () => {
    const [mutation] = mutations.slice(flipped)
    expect(mutation && mutatedSource(source, mutation)).toBe(
      'const isLate = (at) => ((at) <= (3))\n',
    )
  })

  test('is on if its switch is, beside other mutants of the same expression', () => {
    const switched = switchedSource(
      source,
      mutations.map((each, id) => ({ ...each, id })),
    )
    expect(isLate(switched, () => false)).toBe(false)
    expect(isLate(switched, id => id === flipped)).toBe(true)
  })
})
