/** What the way of a run through its graph can come to, in any unit that its steps cost. */
import { type Spec, workingNodes } from '../spec/spec.ts'
import type { WorkingNode } from '../spec/node.ts'
import { pathText } from '../cycle.ts'
import { successorsOf, successorsWithAlternatives } from './successors.ts'
import { formatAmount, formatCount, type Figure, minFigure } from './figure.ts'
import { type MaxRatio, maxRatioCycle } from './max-ratio-cycle.ts'
import type { EscapeBudgets } from './escape-budgets.ts'

export interface PathCosts {
  readonly spec: Spec
  readonly out: EscapeBudgets
  /** The most steps. */
  readonly steps: number
  /** What a step of a node costs; of no use where one has no end. */
  readonly costs: (node: WorkingNode) => Figure
  readonly unit: 'count' | 'ms'
}

/** What is lost in sums of fractions. */
const SLACK = 1e-6

/** The most that all steps cost together: with each alternative as a new beginning, or as an edge like any other, whichever says less. */
export function maxPathCost(way: PathCosts): Figure {
  const { spec, out } = way
  const anew = costThrough(successorsOf(spec), way)
  if (out.alternatives === 0 || spec.machine !== undefined) return anew
  const course = successorsWithAlternatives(spec)
  return course === undefined
    ? anew
    : minFigure(
        anew,
        costThrough(course, { ...way, out: { ...out, led: out.led - out.alternatives } }),
      )
}

function costThrough(
  course: ReadonlyMap<string, readonly string[]>,
  { spec, out, steps, costs, unit }: PathCosts,
): Figure {
  const each = new Map(workingNodes(spec).map(([name, node]) => [name, costs(node)]))
  const endless = [...each.values()].find(({ most }) => most === Number.POSITIVE_INFINITY)
  if (endless) return endless
  const gathering = maxRatioCycle({
    next: course,
    gives: name => each.get(name)?.most ?? 0,
    steps: name => (each.has(name) ? 1 : 0),
  })
  const { rate, beyond } = gathering
  const first = Math.max(
    0,
    ...(spec.start === undefined ? [...each.keys()] : [spec.start]).map(beyond),
  )
  const again = out.led === 0 ? 0 : Math.max(0, ...out.to.map(beyond))
  const most = Math.floor((rate === 0 ? 0 : rate * steps) + first + out.led * again + SLACK)
  const dearest = Math.max(0, ...[...each.values()].map(figure => figure.most))
  const because = explainPath(gathering, {
    steps,
    first,
    again,
    led: out.led,
    unit,
    named: name => each.get(name)?.because ?? '',
  })
  return steps * dearest < most
    ? {
        most: steps * dearest,
        because: `${formatCount(steps, 'step')} of at most ${formatAmount(dearest, unit)}`,
      }
    : { most, because }
}

interface PathTerms {
  readonly steps: number
  readonly first: number
  readonly again: number
  readonly led: number
  readonly unit: 'count' | 'ms'
  readonly named: (node: string) => string
}

function explainPath(
  { rate, lap }: MaxRatio,
  { steps, first, again, led, unit, named }: PathTerms,
): string {
  const lapCost = formatAmount(rate * lap.length, unit)
  const costs = [...new Set(lap.map(named).filter(Boolean))].join(', ')
  const round =
    rate === 0
      ? []
      : [
          `${formatCount(steps, 'step')} round ${pathText([...lap, lap[0] ?? ''])} at ${lapCost} a lap${costs === '' ? '' : ` (${costs})`}`,
        ]
  const begin =
    first === 0
      ? []
      : [
          `${formatAmount(first, unit)} ${rate === 0 ? 'on the longest way' : 'more at the ends of the way'}`,
        ]
  const ways =
    again * led === 0
      ? []
      : [`${formatAmount(again, unit)} more after each of ${formatCount(led, 'way')} out`]
  return [...round, ...begin, ...ways].join(', and ') || 'nothing in the graph costs any'
}
