/** The bound of a spec as a table, and what of it is more than was allowed. */
import { type WorstCase, type Figure, figureText } from '../../../core/graph/worst-case.ts'
import { SPENDABLE, type Spent } from '../../../core/watch/budget/spent.ts'
import { type Block, bold, dim } from './layout.ts'

/** The most that may be spent, by unit; times in ms. */
export type MaxSpent = Partial<Spent>

export function worstCaseBlocks(bound: WorstCase): readonly Block[] {
  const rows = SPENDABLE.map(unit => {
    const { most, because } = bound[unit]
    return [`  ${unit}`, bold(figureText(most, unit)), dim(because)]
  })
  return ['', 'The most that one round of a thread can spend:', { rows, right: [1] }]
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
      : `${unit} can reach ${figureText(most, unit)}`
  return `${what}, --max allows ${figureText(allowed, unit)}: ${because}`
}
