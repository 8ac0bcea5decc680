/** The worst case of a spec as a table, and what of it is more than was allowed. */
import { DEFAULT, type Figure, figureText, type WorstCase } from '../../../core/graph/worst-case.ts'
import { SPENDABLE, type Spent } from '../../../core/watch/budget/spent.ts'

/** The most that may be spent, by unit; times in ms. */
export type MaxSpent = Partial<Spent>

export function worstCaseText(worst: WorstCase): string {
  const rows = SPENDABLE.map(
    unit => [unit, figureText(worst[unit], unit), worst[unit].because] as const,
  )
  const width = Math.max(...rows.map(([, most]) => most.length))
  const table = rows.map(
    ([unit, most, because]) => `  ${unit.padEnd(10)}  ${most.padStart(width)}  ${because}\n`,
  )
  const defaults = rows.some(([, , because]) => because.includes(DEFAULT)) ? CHANGE_DEFAULTS : ''
  return `The most that one round of a thread can spend:\n${table.join('')}${defaults}`
}

const CHANGE_DEFAULTS = `A limit marked ${DEFAULT} is not in the spec. To change it, set it under \`limits\`.\n`

export interface Excess extends Figure {
  readonly unit: keyof Spent
  readonly allowed: number
}

export function excessOf(worst: WorstCase, allowed: MaxSpent): readonly Excess[] {
  return SPENDABLE.flatMap(unit => {
    const max = allowed[unit]
    return max !== undefined && worst[unit].most > max
      ? [{ unit, allowed: max, ...worst[unit] }]
      : []
  })
}

export function excessText({ unit, allowed, ...figure }: Excess): string {
  const worst = figureText(figure, unit)
  const what = worst === 'unknown' ? `the most ${unit} is unknown` : `${unit} can total ${worst}`
  return `${what}, and --max allows ${figureText({ most: allowed }, unit)}: ${figure.because}`
}
