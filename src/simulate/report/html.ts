/** The report as one HTML file that opens offline: no script, no request, light and dark. */
import { durationText } from '../../core/watch/data/duration.ts'
import { violatedByText } from '../monte/gates.ts'
import { differenceText } from '../monte/difference.ts'
import { OUTCOME_KEYS, type PolicyDifference, type PolicyFigures } from '../monte/figures.ts'
import type { MonteReport } from '../monte/report.ts'
import { unansweredText } from '../monte/unanswered.ts'
import type { SimulatedRun } from '../run/simulate.ts'
import type { Difference, Rate } from '../statistics/interval.ts'
import { escapeMarkup } from './escape.ts'
import { paretoOf, paretoSvg } from './pareto.ts'
import { STYLE } from './style.ts'

/** No script, no image, no connection: only the styles of this file. */
const CSP = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** The address of a run in an inspector. */
export type LinkOf = (run: SimulatedRun) => string

/** @param linkOf of the runs to look at, if they are stored */
export function htmlReport(report: MonteReport, linkOf?: LinkOf): string {
  const { scenario, verdict, fidelity } = report
  return htmlPage({
    scenario,
    verdict,
    fidelity,
    sentence: sentenceOf(report),
    sections: sectionsOf(report, linkOf),
  })
}

function sectionsOf(report: MonteReport, linkOf?: LinkOf): readonly string[] {
  const { tested, policies, healthy, differences } = report
  return [
    section('Outcomes', outcomeChart(policies) + outcomeTable(policies)),
    section('Gates', gateList(report)),
    section('Differences', differenceTable(tested, differences) + uselessText(report)),
    section('Success and cost', paretoChart(policies)),
    section('Costs', costTable({ ...policies, 'without faults': healthy })),
    section('Detectors', detectorTable({ ...policies, 'without faults': healthy })),
    section('Runs to look at', worstTable(report.worst, linkOf) + unansweredList(report)),
  ]
}

interface Page extends Pick<MonteReport, 'scenario' | 'verdict' | 'fidelity'> {
  readonly sentence: string
  readonly sections: readonly string[]
}

export function htmlPage({ scenario, verdict, fidelity, sentence, sections }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${CSP}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(scenario)}: simulation report</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeMarkup(scenario)}</h1>
<p class="verdict ${verdict}">${escapeMarkup(sentence)}</p>
${sections.join('\n')}
<footer><p>Intervals of 95 %: Wilson for rates, a paired bootstrap for differences, the exact McNemar test for p, and Holm's correction for several policies. ${escapeMarkup(capital(fidelity))}.</p></footer>
</main>
</body>
</html>
`
}

const VERDICTS: Readonly<Record<MonteReport['verdict'], string>> = {
  met: 'All gates are met.',
  failed: 'A gate is not met.',
  vacuous: 'VACUOUS: a condition that should be true sometimes never was.',
  nondeterministic: 'NONDETERMINISTIC: a seed gave two journals.',
}

/** The first line: what happened to the policy under test. */
function sentenceOf({ verdict, tested, seeds, policies }: MonteReport): string {
  const { goal, escapedLoops } = policies[tested] as PolicyFigures
  const loops =
    escapedLoops.of > 0
      ? ` It escapes ${rateText(escapedLoops)} of the ${escapedLoops.of} runs with a true loop.`
      : ''
  return `${VERDICTS[verdict]} ${tested} reaches the goal in ${rateText(goal)} of ${seeds} seeds.${loops}`
}

export const section = (title: string, content: string): string =>
  `<section aria-label="${title}"><h2>${title}</h2>${content}</section>`

export type Cell = string | { readonly html: string }

export function table(
  caption: string,
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const text = (cell: Cell) => (typeof cell === 'string' ? escapeMarkup(cell) : cell.html)
  const headings = head.map(name => `<th scope="col">${escapeMarkup(name)}</th>`).join('')
  const body = rows.map(
    ([first = '', ...others]) =>
      `<tr><th scope="row">${text(first)}</th>${others.map(cell => `<td>${text(cell)}</td>`).join('')}</tr>`,
  )
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeMarkup(caption)}"><table><caption>${escapeMarkup(caption)}</caption><thead><tr>${headings}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
}

type Policies = Readonly<Record<string, PolicyFigures>>

const OUTCOMES = Object.entries(OUTCOME_KEYS)

const rateIn = (of: PolicyFigures, key: string): Rate => of[key as keyof typeof OUTCOME_KEYS]

/** A chart, and the same figures as a table. */
function paretoChart(policies: Policies): string {
  const points = paretoOf(policies)
  const unit = points[0]?.unit ?? 'USD'
  const rows = points.map(({ name, cost, goal, isBest }) => [
    name,
    rateText(goal),
    unit === 'USD' ? cost.toFixed(5) : cost.toFixed(1),
    isBest ? 'yes' : 'no',
  ])
  const head = ['policy', 'goal', `${unit}, median`, 'no other is both better and cheaper']
  return paretoSvg(points) + table('Policies by success and cost', head, rows)
}

/** One bar for each policy. The table below it has the same figures. */
function outcomeChart(policies: Policies): string {
  const bars = Object.entries(policies).map(([name, of]) => {
    const parts = OUTCOMES.map(([key]) => {
      const { rate } = rateIn(of, key)
      return rate > 0 ? `<span class="${key}" style="flex:${rate.toFixed(4)}"></span>` : ''
    })
    return `<div class="row"><span class="name">${escapeMarkup(name)}</span><span class="bar">${parts.join('')}</span></div>`
  })
  const legend = OUTCOMES.map(([key, outcome]) => `<li><span class="${key}"></span>${outcome}</li>`)
  return `<div class="chart" aria-hidden="true">${bars.join('')}<ul>${legend.join('')}</ul></div>`
}

function outcomeTable(policies: Policies): string {
  const rows = Object.entries(policies).map(([name, of]) => [
    name,
    ...OUTCOMES.map(([key]): Cell => heatCell(rateIn(of, key))),
  ])
  return table('How the runs end', ['policy', ...OUTCOMES.map(([, outcome]) => outcome)], rows)
}

/** The darker the cell, the more runs. The text has the figure. */
export const heatCell = (of: Rate): Cell => ({
  html: `<span class="heat" style="--part:${(of.rate * 100).toFixed(0)}%">${escapeMarkup(rateText(of))}</span>`,
})

const pText = (p: number): string => (p < 0.001 ? '< 0.001' : p.toFixed(3))

const percent = (value: number): string => `${(value * 100).toFixed(1)} %`
const rateText = ({ count, rate, low, high }: Rate): string =>
  count === 0
    ? '0'
    : `${percent(rate)} [${(low * 100).toFixed(1)},\u00a0${(high * 100).toFixed(1)}]`

function gateList({ gates, vacuous, nondeterministic, difference }: MonteReport): string {
  const items = [
    ...gates.map(
      result =>
        [result.holds ? 'met' : 'not met', `${result.gate}${violatedByText(result)}`] as const,
    ),
    ...vacuous.map(text => ['never true', `sometimes ${text}`] as const),
    ...nondeterministic.map(seed => ['two journals', `seed ${seed}`] as const),
    ...(difference ? [['they differ', differenceText(difference)] as const] : []),
  ]
  if (items.length === 0) return '<p>The scenario has no gates.</p>'
  return table(
    'Gates and conditions',
    ['gate', 'result'],
    items.map(([result, gate]) => [gate, result]),
  )
}

function differenceTable(tested: string, differences: MonteReport['differences']): string {
  const entries = Object.entries(differences)
  if (entries.length === 0) return '<p>The scenario has one policy.</p>'
  const rows = entries.map(([name, of]: [string, PolicyDifference]) => [
    `${tested} − ${name}`,
    `${signed(of.goal, 100)} points`,
    pText(of.goal.p),
    pText(of.goal.holm),
    signed(of.steps),
    signed(of.toolCalls),
    signed(of.usd, 1, 4),
  ])
  const head = ['pair', 'goal', 'p', 'p, Holm', 'steps', 'tool calls', 'USD']
  return table('Paired differences on the same seeds', head, rows)
}

const uselessText = ({ useless }: MonteReport): string =>
  useless.length === 0
    ? ''
    : `<p>Without effect here, or unseen by the oracle: ${escapeMarkup(useless.join(', '))}.</p>`

function signed({ difference, low, high }: Difference, scale = 1, digits = 1): string {
  const text = (value: number) => (value * scale).toFixed(digits)
  return `${difference > 0 ? '+' : ''}${text(difference)} [${text(low)}, ${text(high)}]`
}

function costTable(policies: Policies): string {
  const rows = Object.entries(policies).map(
    ([name, { steps, toolCalls, modelCalls, usd, time }]) => [
      name,
      `${steps.p50.toFixed(0)} / ${steps.p95.toFixed(0)}`,
      `${toolCalls.p50.toFixed(0)} / ${toolCalls.p95.toFixed(0)}`,
      `${modelCalls.p50.toFixed(0)} / ${modelCalls.p95.toFixed(0)}`,
      `${usd.p50.toFixed(4)} / ${usd.p95.toFixed(4)}`,
      `${durationText(time.p50 * 1_000)} / ${durationText(time.p95 * 1_000)}`,
    ],
  )
  const head = ['policy', 'steps', 'tool calls', 'model calls', 'USD', 'virtual time']
  return table('Median and 95th percentile', head, rows)
}

function detectorTable(policies: Policies): string {
  const rows = Object.entries(policies).map(([name, of]) => [
    name,
    rateText(of.loops),
    rateText(of.escapes),
    of.detected.of === 0 ? 'none' : `${rateText(of.detected)} of ${of.detected.of}`,
    of.escapedLoops.of === 0 ? 'none' : `${rateText(of.escapedLoops)} of ${of.escapedLoops.of}`,
    of.falseAlarms.toFixed(2),
  ])
  const head = [
    'policy',
    'runs with a finding',
    'runs with an escape',
    'true loops found',
    'runs with a true loop that escape',
    'false alarms in 1,000 healthy steps',
  ]
  return table('Loops, by the progress of the fake system', head, rows)
}

function worstTable(worst: readonly SimulatedRun[], linkOf?: LinkOf): string {
  if (worst.length === 0) return '<p>Every run ends in success.</p>'
  const rows = worst.map((run): readonly Cell[] => {
    const { outcome, because, tape, violations, fault } = run
    return [
      runCell(run, linkOf),
      outcome,
      String(tape.length),
      violations.map(({ rule, condition }) => `${rule} ${condition}`).join('; ') || '–',
      fault ? `${fault.kind} at event ${fault.at}` : '–',
      because,
    ]
  })
  const head = ['run', 'outcome', 'faults', 'violated', 'began with', 'why']
  return `${table('The worst runs of each policy', head, rows)}<p>To open one: <code>escapement sim run SCENARIO --policy NAME --seed N</code>, then <code>escapement show</code>.</p>`
}

const unansweredList = ({ unanswered, seeds }: MonteReport): string =>
  unanswered.map(asked => `<p>${escapeMarkup(capital(unansweredText(asked, seeds)))}</p>`).join('')

function runCell(run: SimulatedRun, linkOf?: LinkOf): Cell {
  const text = `${run.policy}, seed ${run.seed}`
  if (!linkOf) return text
  return { html: `<a href="${escapeMarkup(linkOf(run))}">${escapeMarkup(text)}</a>` }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
