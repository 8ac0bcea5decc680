/** Intervals and tests against published values. */
import { expect, test } from 'vitest'
import {
  bootstrapMean,
  holm,
  mcNemar,
  quantile,
  wilson,
} from '../../src/simulate/statistics/interval.ts'

test('Wilson: 15 of 20, and the ends', () => {
  const { low, high } = wilson(15, 20)
  expect([low.toFixed(4), high.toFixed(4)]).toEqual(['0.5313', '0.8881'])
  expect(wilson(0, 10)).toMatchObject({ low: 0, rate: 0 })
  expect(wilson(0, 10).high).toBeCloseTo(0.2775, 4)
  expect(wilson(10, 10)).toMatchObject({ high: 1, rate: 1 })
  expect(wilson(0, 0)).toMatchObject({ low: 0, high: 1 })
})

test('McNemar: the exact binomial test', () => {
  expect(mcNemar(10, 2)).toBeCloseTo(0.03857, 5)
  expect(mcNemar(5, 5)).toBe(1)
  expect(mcNemar(0, 0)).toBe(1)
  expect(mcNemar(1_000, 0)).toBeGreaterThanOrEqual(0)
  expect(mcNemar(600, 400)).toBeLessThan(1e-9)
})

test('the bootstrap covers the mean, and repeats', () => {
  const values = Array.from({ length: 100 }, (_, index) => index % 10)
  const { difference, low, high } = bootstrapMean(values)
  expect(difference).toBe(4.5)
  // The normal interval is 4.5 ± 0.563.
  expect(low).toBeCloseTo(3.94, 1)
  expect(high).toBeCloseTo(5.06, 1)
  expect(bootstrapMean(values)).toEqual({ difference, low, high })
  expect(bootstrapMean([])).toEqual({ difference: 0, low: 0, high: 0 })
})

test('quantiles are interpolated', () => {
  expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5)
  expect(quantile([7], 0.99)).toBe(7)
})

test('Holm: the values of p.adjust in R, in the order given', () => {
  const rounded = (values: readonly number[]) => holm(values).map(p => Number(p.toFixed(6)))
  expect(rounded([0.01, 0.02, 0.03, 0.04])).toEqual([0.04, 0.06, 0.06, 0.06])
  expect(rounded([0.04, 0.001, 0.6])).toEqual([0.08, 0.003, 0.6])
  expect(rounded([0.9, 0.8])).toEqual([1, 1])
  expect(holm([])).toEqual([])
})
