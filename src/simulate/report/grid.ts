/** The report on a grid of parameters: one heat map, with the goal of each policy in each cell. */
import type { MonteReport } from '../monte/report.ts'
import { type Cell, heatCell, htmlPage, section, table } from './html.ts'

export interface GridCell {
  /** `faults.storm.how.p=0.1` */
  readonly cell: string
  readonly report: MonteReport
}

export function gridReport(grid: readonly GridCell[]): string {
  const [first] = grid
  if (!first) return ''
  const { scenario, fidelity, policies, tested, seeds } = first.report
  const names = Object.keys(policies)
  const rows = grid.map(({ cell, report }): readonly Cell[] => [
    cell,
    ...names.map(name => heatCell((report.policies[name] ?? report.healthy).goal)),
    report.verdict,
  ])
  const failed = grid.filter(({ report }) => report.verdict !== 'met')
  return htmlPage({
    scenario,
    fidelity,
    verdict: failed[0]?.report.verdict ?? 'met',
    sentence: `${grid.length} cells, ${seeds} seeds each, policy under test: ${tested}. The gates are met in ${grid.length - failed.length}.`,
    sections: [
      section('Goal', table('Runs that reach the goal', ['cell', ...names, 'gates'], rows)),
    ],
  })
}
