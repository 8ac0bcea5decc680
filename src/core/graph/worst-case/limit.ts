/** What a limit allows: itself, what is granted when it is gone beyond, and what is known only afterwards. */
import type { Limits } from '../../watch/policy.ts'
import type { Spent } from '../../watch/budget/spent.ts'
import { formatAmount, type Figure, minFigure, formatUnit } from './figure.ts'

interface Terms {
  /** How often the limit can be answered by going on. */
  readonly beyond: number
  /** What may come on top before the limit is seen to be met. */
  readonly late?: Figure
}

/** Of the limits of the thread and of its rounds, the one that binds first; `undefined` if there is none. */
export function tightestLimit(limits: Limits, unit: keyof Spent, terms: Terms): Figure | undefined {
  const own = (limit: number | undefined, path: string): Figure[] =>
    limit === undefined ? [] : [limitFigure(unit, limit, { ...terms, path })]
  const [first, ...others] = [
    ...own(limits[unit], `limits.${unit}`),
    ...own(limits.round?.[unit], `limits.round.${unit}`),
  ]
  return first && minFigure(first, ...others)
}

function limitFigure(
  unit: keyof Spent,
  limit: number,
  { beyond, late, path }: Terms & { readonly path: string },
): Figure {
  const granted = Math.max(limit / 4, unit === 'steps' ? 4 : 0)
  const sum = limit + beyond * granted + (late?.most ?? 0)
  const grants =
    beyond === 0
      ? ''
      : `, and ${formatAmount(granted, formatUnit(unit))} more ${beyond === 1 ? 'when' : `each of ${beyond} times`} a way leads on beyond it`
  const because = `${formatAmount(limit, formatUnit(unit))} from ${path}${grants}${late === undefined || late.most === 0 ? '' : `, and ${late.because}`}`
  return { most: unit === 'usd' || unit === 'duration' ? sum : Math.floor(sum), because }
}
