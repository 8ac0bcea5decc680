/** The worst case of a spec as a table, and what of it is more than was allowed. */
import {
  DEFAULT,
  type Figure,
  figureText,
  type WorstCase,
} from '../../../core/graph/worst-case/worst-case.ts'
import { SPENDABLE, type Spent } from '../../../core/watch/event/spent.ts'
import { type Block, bold, dim } from './layout.ts'

/** The most that may be spent, by unit; times in ms. */
export type MaxSpent = Partial<Spent>

export function worstCaseBlocks(worst: WorstCase): readonly Block[] {
  const most = SPENDABLE.map(unit => figureText(worst[unit], unit))
  const width = Math.max(...most.map(({ length }) => length))
  const defaults = SPENDABLE.some(unit => worst[unit].because.includes(DEFAULT))
  return [
    '',
    'The most that one round of a thread can spend:',
    ...SPENDABLE.map((unit, index) => ({
      wrap: [
        `  ${unit.padEnd(12)}`,
        bold(most[index]?.padStart(width) ?? ''),
        dim(`  ${worst[unit].because}`),
      ],
      hang: 16 + width,
    })),
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
