/** The tables of the grid: a page with every cell, and a summary. */
import type { Rate } from '../../src/simulate/statistics/interval.ts'
import type { WrittenPart } from '../written-part.ts'
import { HABITS } from './agent.ts'
import { SIGNALS, SPANS } from './cell.ts'
import { type Figures, figuresOf, type Measured } from './measure.ts'

export const SEEDS = 100
const COMMAND = 'REWRITE=1 npm run grid'

export const SUMMARY: WrittenPart = { page: 'simulation.md', name: 'grid', by: COMMAND }

const FIDELITY = `Scripted models and simulated faults: not comparable with figures of live models.`

const HEAD = `# The grid

What happens to an agent when one of its tools fails: openly (*explicit*, an error) or silently (*implicit*, a plausible wrong answer), for a while (*transient*: the first
call, then 3 of 10) or for good (*persistent*), in four tasks. The layout follows ToolMaze (arXiv 2606.05806), the criteria follow Failing Tools. The tasks are our own. \`${COMMAND}\`
writes this page.

**${FIDELITY}**

- **Tasks.** *line*: look up, ask the price, order. *branch*: two carriers, each with a quote and a booking. *cycle*: measure and adjust until a level is reached. *two agents*: one
  finds the price, the other orders. The fault hits one tool; another tool gives the same fact, and fails in 1 of 10 calls.
- **The model** is a script, the same in every framework. After a failure it calls the same tool again (${percent(HABITS.retries)}), or the other one. It follows a hint that names the tool, or a
  rejection (${percent(HABITS.follows)}). It gives up after ${HABITS.patience} failures it has seen, and then admits it (${percent(HABITS.honest)}) or claims success. It checks its own result in ${percent(HABITS.checks)} of the runs. These
  numbers are assumptions: the grid compares frameworks around one agent, and says nothing about models.
- **Arms.** *escapement, no ladder*: one attempt, and detectors only observe. *escapement*: the default policy, with the other tool as a substitute. *finish gate*: also a \`verify\`
  node with a tool that accepts a wrong result in ${percent(HABITS.misses)} of the cases. *wrapped*: the watchdog around the framework, with the same substitute. LangChain runs with its retry
  middleware. LangGraph is a graph with a node for the model and a \`ToolNode\`; wrapped, its nodes report to the watchdog by hand. Every agent may make 20 model calls, and two agents may hand over six times.
- *recovered*: reports success, and the result is correct. *silently wrong*: reports success, and it is not. *detected*: the model or the journal saw a failure, a finding or a
  rejection. *verified*: of the reported successes, those that passed a check. *disclosed*: of the runs that did not recover, those that do not report success. *calls*: attempts of
  tools, mean. *USD*: mean, at one price for every model call.
- ${SEEDS} seeds for each row, 95 % Wilson intervals. All arms meet the same faults.
`

/** `docs/grid.md` */
export function pageText(all: readonly Measured[]): string {
  const byCell = Map.groupBy(all, ({ cell }) => cell)
  const sections = [...byCell].map(([{ signal, span, task }, measured]) => {
    const rows = measured.map(({ arm, trials }) => rowOf(arm, figuresOf(trials)))
    return [`## ${capital(signal)}, ${span}: ${task.topology}`, '', ...HEADINGS, ...rows].join('\n')
  })
  return `${[HEAD, ...sections].join('\n')}\n`
    .replaceAll('\n## ', '\n\n## ')
    .replaceAll('\n\n\n', '\n\n')
}

const HEADINGS = [
  '| | recovered | silently wrong | detected | verified | disclosed | calls | USD |',
  '|---|---|---|---|---|---|---|---|',
]

export function rowOf(arm: string, of: Figures): string {
  const { recovery, silentlyWrong, detected, verified, disclosed, calls, usd } = of
  const rates = [recovery, silentlyWrong, detected, verified, disclosed].map(rateText)
  return `| ${arm} | ${rates.join(' | ')} | ${calls.toFixed(1)} | ${usd.toFixed(5)} |`
}

/** The summary: all tasks together. */
export function summaryText(all: readonly Measured[]): string {
  const kinds = SIGNALS.flatMap(signal => SPANS.map(span => ({ signal, span })))
  const arms = [...new Set(all.map(({ arm }) => arm))]
  const rows = arms.map(name => {
    const cells = kinds.map(({ signal, span }) => {
      const trials = all.flatMap(({ cell, arm, trials }) =>
        arm === name && cell.signal === signal && cell.span === span ? trials : [],
      )
      const { recovery, silentlyWrong } = figuresOf(trials)
      return `${rateText(recovery)} / ${rateText(silentlyWrong)}`
    })
    return `| ${name} | ${cells.join(' | ')} |`
  })
  return [
    `Recovered / silently wrong, in percent with 95 % Wilson intervals, ${4 * SEEDS} runs for each figure. **${FIDELITY}**`,
    '',
    `| | ${kinds.map(({ signal, span }) => `${signal}, ${span}`).join(' | ')} |`,
    `|---|${kinds.map(() => '---|').join('')}`,
    ...rows,
  ].join('\n')
}

const rateText = ({ of, rate, low, high }: Rate): string =>
  of === 0 ? '–' : `${tenth(rate)} [${tenth(low)}, ${tenth(high)}]`

const tenth = (value: number): string => (100 * value).toFixed(0)

function percent(value: number): string {
  return `${Math.round(100 * value)} %`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
