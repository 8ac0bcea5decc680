/** Policies by success and cost: those that no other policy beats in both. */
import type { PolicyFigures } from '../monte/figures.ts'
import type { Rate } from '../statistics/interval.ts'
import { escapeMarkup } from './escape.ts'

export interface ParetoPoint {
  readonly name: string
  readonly goal: Rate
  /** The median cost of a run. */
  readonly cost: number
  /** Steps, if no run costs money. */
  readonly unit: 'USD' | 'steps'
  /** No other policy is as good in both and better in one. */
  readonly isBest: boolean
}

export function paretoOf(
  policies: Readonly<Record<string, PolicyFigures>>,
): readonly ParetoPoint[] {
  const entries = Object.entries(policies)
  const unit = entries.some(([, { usd }]) => usd.p50 > 0) ? 'USD' : 'steps'
  const points = entries.map(([name, { goal, usd, steps }]) => {
    return { name, goal, cost: unit === 'USD' ? usd.p50 : steps.p50, unit } as const
  })
  const beats = (one: (typeof points)[number], other: (typeof points)[number]) =>
    one.goal.rate >= other.goal.rate &&
    one.cost <= other.cost &&
    (one.goal.rate > other.goal.rate || one.cost < other.cost)
  return points.map(point => ({ ...point, isBest: !points.some(other => beats(other, point)) }))
}

const WIDTH = 600
const HEIGHT = 300
const EDGE = 40

/** Success against cost, with the interval of success. The table beside it has the same figures. */
export function paretoSvg(points: readonly ParetoPoint[]): string {
  const most = Math.max(...points.map(({ cost }) => cost), Number.MIN_VALUE)
  const x = (cost: number) => (EDGE + (cost / most) * (WIDTH - 3 * EDGE)).toFixed(1)
  const y = (rate: number) => (HEIGHT - EDGE - rate * (HEIGHT - 2 * EDGE)).toFixed(1)
  const marks = points.map(({ name, cost, goal, isBest }) => {
    const at = x(cost)
    const bar = `<line x1="${at}" x2="${at}" y1="${y(goal.low)}" y2="${y(goal.high)}"/>`
    const dot = `<circle cx="${at}" cy="${y(goal.rate)}" r="5" fill="${isBest ? '#2c7a4b' : '#8a8a90'}"/>`
    const label = `<text x="${Number(at) + 9}" y="${y(goal.rate)}">${escapeMarkup(name)}</text>`
    return bar + dot + label
  })
  const [left, bottom] = [x(0), y(0)]
  const axes = `<line x1="${left}" x2="${WIDTH - EDGE}" y1="${bottom}" y2="${bottom}"/><line x1="${left}" x2="${left}" y1="${bottom}" y2="${y(1)}"/>`
  const texts = `<text x="4" y="${y(1)}">100 %</text><text x="4" y="${bottom}">0 %</text><text x="${WIDTH - 3 * EDGE}" y="${HEIGHT - 12}">${points[0]?.unit ?? ''} →</text>`
  return `<svg class="pareto" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">${axes}${texts}${marks.join('')}</svg>`
}
