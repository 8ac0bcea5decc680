/** Whole numbers and fractions in conditions: an int and a double do not mix, and the error says what to write. */
import { describe, expect, test } from 'vitest'
import { whenCompiler } from '../../src/core/graph/cel/when.ts'

const compile = whenCompiler(['d'])

function valueOf(text: string, d: number) {
  const { evaluate, fault } = compile(text)
  if (!evaluate) throw new Error(fault)
  return evaluate(() => d)
}

const MIXED = '; an int and a double do not mix: write double(…) around the int'

describe('a number in a condition', () => {
  test('without a fraction is an int, whose quotient is truncated', () => {
    expect(valueOf('d / 100 > 1', 199)).toBe(false)
    expect(valueOf('double(d) / 100.0 > 1.5', 199)).toBe(true)
    expect(valueOf('double(d) * 1.2', 2.5)).toBe(3)
  })

  test.each([
    ['d * 1.2 > 2.0', 2, `no such overload: dyn<int> * double in \`d * 1.2 > 2.0\`${MIXED}`],
    ['1.5 - d > 0.0', 2, `no such overload: double - dyn<int> in \`1.5 - d > 0.0\`${MIXED}`],
    ['d / 100 > 1', 151.5, `no such overload: dyn<double> / int in \`d / 100 > 1\`${MIXED}`],
    ['1 * 1.2', 1, `CEL: no such overload: int * double at column 1 of \`1 * 1.2\`${MIXED}`],
  ])('%s fails for %d, with the remedy', (text, d, message) => {
    expect(() => valueOf(text, d)).toThrow(message)
  })

  test.each([
    ['d + "x"', 2, 'no such overload: dyn<int> + string in `d + "x"`'],
    ['d % 2', 2.5, 'no such overload: dyn<double> % int in `d % 2`'],
  ])('%s fails for %d, without a remedy that does not help', (text, d, message) => {
    expect(() => valueOf(text, d)).toThrow(message)
  })
})
