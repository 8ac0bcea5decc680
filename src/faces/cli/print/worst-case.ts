/** The bound of a spec as a table, and what of it is more than was allowed. */
import { type WorstCase, type Figure, figureText } from '../../../core/graph/worst-case.ts'
import { SPENDABLE, type Spent } from '../../../core/watch/budget/spent.ts'

/** The most that may be spent, by unit; times in ms. */
export type MaxSpent = Partial<Spent>

export function worstCaseText(bound: WorstCase): string {
  const rows = SPENDABLE.map(
    unit => [unit, figureText(bound[unit].most, unit), bound[unit].because] as const,
  )
  const width = Math.max(...rows.map(([, most]) => most.length))
  return `The most that one round of a thread can spend:\n${rows.map(([unit, most, because]) => `  ${unit.padEnd(10)}  ${most.padStart(width)}  ${because}\n`).join('')}`
}

export interface Excess extends Figure {
  readonly unit: keyof Spent
  readonly allowed: number
}

export function excessOf(bound: WorstCase, allowed: MaxSpent): readonly Excess[] {
  return SPENDABLE.flatMap(unit => {
    const max = allowed[unit]
    return max !== undefined && bound[unit].most > max
      ? [{ unit, allowed: max, ...bound[unit] }]
      : []
  })
}

export function excessText({ unit, allowed, most, because }: Excess): string {
  const what =
    most === Number.POSITIVE_INFINITY
      ? `nothing bounds ${unit}`
      : `${unit} can come to ${figureText(most, unit)}`
  return `${what}, and --max allows ${figureText(allowed, unit)}: ${because}`
}
