/** The goal of each policy in each cell of a grid. */
import type { GridCell } from '../../../simulate/report/grid.ts'
import type { Rate } from '../../../simulate/statistics/interval.ts'
import { type Blocks, bold, dim } from './layout.ts'

export function gridBlocks(grid: readonly GridCell[]): Blocks {
  const [first] = grid
  if (!first) return []
  const { scenario, policies, seeds, fidelity } = first.report
  const names = Object.keys(policies)
  const rows = grid.map(({ cell, report }) => [
    cell,
    ...names.map(name => rateText((report.policies[name] ?? report.healthy).goal)),
    report.verdict,
  ])
  return [
    bold(`${scenario}: ${grid.length} cells, ${seeds} seeds each`),
    { rows: [['goal', ...names, 'gates'].map(dim), ...rows] },
    dim(`95 % Wilson intervals. ${fidelity}.`),
  ]
}

const rateText = ({ rate, low, high }: Rate): string =>
  `${percent(rate)} [${percent(low)}, ${percent(high)}]`

const percent = (value: number): string => (100 * value).toFixed(1)
