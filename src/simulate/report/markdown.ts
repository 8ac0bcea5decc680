/** The summary of a report in Markdown, for a comment on a pull request. */
import { OUTCOME_KEYS, type PolicyFigures } from '../monte/figures.ts'
import { violatedByText } from '../monte/gates.ts'
import type { MonteReport } from '../monte/report.ts'
import { unansweredText } from '../monte/unanswered.ts'
import type { Rate } from '../statistics/interval.ts'
import { escapeMarkdown, markdownCode } from './escape.ts'

export function markdownReport(report: MonteReport): string {
  const { scenario, verdict, tested, seeds, policies, gates, vacuous, unanswered, fidelity } =
    report
  const names = Object.keys(policies)
  const outcomes = Object.entries(OUTCOME_KEYS).map(([key, outcome]) => [
    outcome,
    ...names.map(name =>
      rateText((policies[name] as PolicyFigures)[key as keyof typeof OUTCOME_KEYS]),
    ),
  ])
  return [
    `## ${escapeMarkdown(scenario)}: ${verdict}`,
    '',
    `${seeds} seeds, policy under test: ${escapeMarkdown(tested)}.`,
    '',
    ...table(['outcome', ...names.map(escapeMarkdown)], outcomes),
    '',
    ...gates.map(
      result =>
        `- ${result.holds ? '✓' : '✗'} ${markdownCode(result.gate)}${violatedByText(result)}`,
    ),
    ...vacuous.map(text => `- VACUOUS: never true: ${markdownCode(text)}`),
    ...unanswered.map(asked => `- ${escapeMarkdown(unansweredText(asked, seeds))}`),
    '',
    `95 % intervals. ${fidelity}.`,
    '',
  ].join('\n')
}

const rateText = ({ count, rate, low, high }: Rate): string =>
  count === 0 ? '0' : `${percent(rate)} [${percent(low)}, ${percent(high)}]`

const percent = (value: number): string => (value * 100).toFixed(1)

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`)
