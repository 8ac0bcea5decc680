/** The worst case of a spec as a table, and where it exceeds `--max`. */
import { DEFAULT, type Figure } from '../../../core/graph/worst-case/limit.ts'
import { figureText, type WorstCase } from '../../../core/graph/worst-case/worst-case.ts'
import { SPENDABLE, type Spent } from '../../../core/watch/event/spent.ts'
import { type Blocks, bold, dim } from './layout.ts'

/** The allowed maximum, by unit; durations in ms. */
export type MaxSpent = Partial<Spent>

export function worstCaseBlocks(worst: WorstCase): Blocks {
  const most = SPENDABLE.map(unit => figureText(worst[unit], unit))
  const width = Math.max(...most.map(({ length }) => length))
  const defaults = SPENDABLE.some(unit => worst[unit].because.includes(DEFAULT))
  return [
    '',
    'The most that one round of a thread can spend:',
    ...SPENDABLE.map((unit, index) => {
      const amount = bold(most[index]?.padStart(width) ?? '')
      const because = dim(`  ${worst[unit].because}`)
      return { wrap: [`  ${unit.padEnd(12)}`, amount, because], hang: 16 + width }
    }),
    ...(defaults ? [dim(CHANGE_DEFAULTS)] : []),
  ]
}

const CHANGE_DEFAULTS = `A limit marked ${DEFAULT} is not in the spec. To change it, set it under \`limits\`.`

export interface Excess extends Figure {
  readonly unit: keyof Spent
  readonly allowed: number
}

export function excessOf(worst: WorstCase, allowed: MaxSpent): readonly Excess[] {
  return SPENDABLE.flatMap(unit => {
    const max = allowed[unit] ?? Number.POSITIVE_INFINITY
    return worst[unit].most > max ? [{ unit, allowed: max, ...worst[unit] }] : []
  })
}

export function excessText({ unit, allowed, ...figure }: Excess): string {
  const worst = figureText(figure, unit)
  const problem = worst === 'unknown' ? `the most ${unit} is unknown` : `${unit} can total ${worst}`
  return `${problem}, and --max allows ${figureText({ most: allowed }, unit)}: ${figure.because}`
}
