/** The results of simulations: one run with its tape, and the figures of many runs. */
import { formatAmount } from '../../../core/graph/worst-case/amount.ts'
import type { Spent } from '../../../core/watch/event/call-event.ts'
import { durationText } from '../../../core/watch/data/duration.ts'
import type { TapeEntry } from '../../../simulate/inject/call.ts'
import {
  OUTCOME_KEYS,
  type PolicyDifference,
  type PolicyFigures,
} from '../../../simulate/monte/figures.ts'
import { differenceText } from '../../../simulate/monte/difference.ts'
import { missText, violatedByText } from '../../../simulate/monte/gates.ts'
import type { MonteReport } from '../../../simulate/monte/report.ts'
import { unansweredText } from '../../../simulate/monte/unanswered.ts'
import type { ReplayedThread } from '../../../simulate/replay/replay.ts'
import type { SimulatedRun } from '../../../simulate/run/simulate.ts'
import type { Difference, Rate } from '../../../simulate/statistics/interval.ts'
import {
  type Block,
  type Blocks,
  bold,
  countText,
  dim,
  type Span,
  styled,
  type Text,
} from './layout.ts'
import { faultBlock } from './traces.ts'

export interface Speed {
  readonly runs: number
  readonly steps: number
  readonly seconds: number
}

const GOOD: ReadonlySet<string> = new Set(['success', 'degraded', 'handed off'])
const BAD: ReadonlySet<string> = new Set(['stuck', 'crashed', 'silently wrong'])

function outcomeSpan(outcome: string, text = outcome): Span {
  if (GOOD.has(outcome)) return styled(text, 'green')
  return styled(text, BAD.has(outcome) ? 'red' : 'yellow')
}

/** Lines of the tape that are printed. */
const TAPE_LINES = 12

/** A replayed thread, and where it left its journal. */
export function replayBlocks(run: Omit<ReplayedThread, 'journal'>): Blocks {
  const { divergence, differsAt, notJudged = [] } = run
  return [
    ...runBlocks(run),
    differsAt === undefined
      ? 'every event is that of the journal'
      : `event ${differsAt} is the first that differs from the journal`,
    ...(divergence
      ? [
          `from ${divergence.call} (${divergence.subject}, attempt ${divergence.attempt}) on, calls are not recorded`,
        ]
      : []),
    ...notJudged.map(
      condition =>
        `not judged, because recorded answers do not change the fake system: ${condition}`,
    ),
  ]
}

export function runBlocks(run: SimulatedRun, next?: string): Blocks {
  const { outcome, because, seed, policy, spent, took, tape, escapes, violations, fault } = run
  const { unanswered } = run
  const more = tape.length - TAPE_LINES
  return [
    [outcomeSpan(outcome), dim(`  seed ${seed}, policy ${policy}: `), because],
    dim(
      `${countText(spent.steps, 'step')}, ${countText(spent.toolCalls, 'tool call')}, ${countText(spent.modelCalls, 'model call')}, ${durationText(took)} of virtual time, ${countText(tape.length, 'fault')}`,
    ),
    ...(escapes.length > 0 ? [`escapes: ${escapes.join(', ')}`] : []),
    ...(fault ? [faultBlock(fault, fault.at)] : []),
    ...violations.map(({ rule, condition, seq }) => [
      styled(`✗ ${rule} `, 'red'),
      `${condition} (event ${seq})`,
    ]),
    ...unanswered.map(({ question, because: why }) => `no answer fits '${question}': ${why}`),
    ...(tape.length > 0 ? [{ rows: tape.slice(0, TAPE_LINES).map(tapeCells), right: [0] }] : []),
    ...(more > 0 ? [dim(`… and ${countText(more, 'further fault')}`)] : []),
    ...(next === undefined ? [] : [['next  ', bold(next)]]),
  ]
}

const tapeCells = ({ at, target, index, fault, effect }: TapeEntry): readonly Text[] => [
  dim(durationText(at)),
  `${target} call ${index}`,
  fault,
  dim(JSON.stringify(effect)),
]

export function monteBlocks(report: MonteReport, speed: Speed): Blocks {
  const { scenario, tested, seeds, policies, healthy, differences, gates, vacuous } = report
  // Parts without an effect have a line of their own.
  const isShown = ([name]: readonly [string, unknown]) =>
    !report.useless.some(part => name === `without_${part}`)
  const shown = Object.fromEntries(Object.entries(policies).filter(isShown))
  return [
    bold(`${scenario}: ${countText(seeds, 'seed')}, policy under test: ${tested}`),
    outcomeTable(shown),
    costTable(shown),
    healthyText(healthy),
    ...loopBlocks(policies[tested]),
    ...Object.entries(differences)
      .filter(isShown)
      .map(([name, of]) => differenceBlock(tested, name, of)),
    ...(report.useless.length > 0
      ? [dim(`without effect here, or unseen by the oracle: ${report.useless.join(', ')}`)]
      : []),
    ...boundBlocks(report.bounds),
    ...gates.map(
      (result): Text => [
        result.holds ? styled('✓ ', 'green') : styled('✗ ', 'red'),
        result.gate,
        result.holds || result.figure === undefined ? '' : ` (it is ${missText(result)})`,
        styled(violatedByText(result), 'yellow'),
      ],
    ),
    ...vacuous.map((text): Text => [styled('VACUOUS ', 'yellow', 'bold'), `never true: ${text}`]),
    ...report.nondeterministic.map(
      (seed): Text => [
        styled('NONDETERMINISTIC ', 'red', 'bold'),
        `seed ${seed} gave two journals`,
      ],
    ),
    ...(report.difference ? [`  ${differenceText(report.difference)}`] : []),
    ...report.unanswered.map(asked => unansweredText(asked, seeds)),
    ...worstBlocks(report),
    dim(
      `95 % intervals: Wilson, paired bootstrap, McNemar with Holm's correction. ${report.fidelity}.`,
    ),
    dim(speedText(speed)),
  ]
}

function healthyText({ success, escapes, runs }: PolicyFigures): Text {
  return dim(
    `without faults: ${percent(success.rate)} success, ${escapes.count} of ${runs} runs with an escape [${(escapes.low * 100).toFixed(1)}, ${(escapes.high * 100).toFixed(1)}]`,
  )
}

/** Loops according to the fake system. */
function loopBlocks(of: PolicyFigures | undefined): Blocks {
  if (!of || of.trueLoops.count === 0) return []
  const { escapedLoops, detected, falseAlarms } = of
  return [
    `true loops: ${detected.of}, found ${percent(detected.rate)} ${interval(detected)}; of the runs with one, ${percent(escapedLoops.rate)} ${interval(escapedLoops)} escape; false alarms ${falseAlarms.toFixed(2)} in 1,000 healthy steps`,
  ]
}

/** Units without a proven bound are left out. */
function boundBlocks(bounds: MonteReport['bounds']): Blocks {
  const units = Object.entries(bounds ?? {}).flatMap(([unit, { found, proven }]) =>
    proven === undefined || proven === 0
      ? []
      : [`${unit} ${amount(found, unit)}/${amount(proven, unit)}`],
  )
  return units.length === 0
    ? []
    : [dim(`the most found, and the most that lint proves: ${units.join(', ')}`)]
}

const amount = (value: number, unit: string): string => formatAmount(value, unit as keyof Spent)

function speedText({ runs, steps, seconds }: Speed): string {
  const each = (count: number) => Math.round(count / seconds).toLocaleString('en-US')
  return `${countText(runs, 'run')} in ${seconds.toFixed(1)} s: ${each(runs)} runs and ${each(steps)} steps a second`
}

function outcomeTable(policies: MonteReport['policies']): Block {
  const shown = Object.entries(OUTCOME_KEYS).filter(([key]) =>
    Object.values(policies).some(of => rateOf(of, key).count > 0),
  )
  const rows = Object.entries(policies).map(([name, of]) => [
    bold(name),
    ...shown.map(([key, outcome]): Text => {
      const rate = rateOf(of, key)
      return rate.count === 0
        ? dim('0')
        : [outcomeSpan(outcome, percent(rate.rate)), dim(` ${interval(rate)}`)]
    }),
  ])
  return {
    rows: [['POLICY', ...shown.map(([, outcome]) => outcome.toUpperCase())].map(dim), ...rows],
  }
}

const rateOf = (of: PolicyFigures, key: string): Rate => of[key as keyof typeof OUTCOME_KEYS]

const percent = (rate: number): string => `${(rate * 100).toFixed(1)} %`
const interval = ({ low, high }: { low: number; high: number }): string =>
  `[${(low * 100).toFixed(1)}, ${(high * 100).toFixed(1)}]`

/** The share of runs with a loop is left out if no policy has one, as outcomes are. */
function costTable(policies: MonteReport['policies']): Block {
  const hasLoops = Object.values(policies).some(of => loopsText(of) !== NONE)
  const rows = Object.entries(policies).map(([name, of]) => [
    ...costCells(name, of),
    ...(hasLoops ? [loopsText(of)] : []),
  ])
  const head = ['POLICY', 'STEPS P50/P95', 'TOOL CALLS', 'COST', 'VIRTUAL TIME']
  return { rows: [[...head, ...(hasLoops ? ['LOOPS FOUND'] : [])].map(dim), ...rows] }
}

const NONE = dim('–')

/** The share of the runs in which a loop was found. Only the progress of a fake system shows whether others had one. */
function loopsText({ loops, trueLoops }: PolicyFigures): Span {
  if (loops.count > 0) return percent(loops.rate)
  return trueLoops.count > 0 ? dim('0') : NONE
}

const costCells = (name: string, { steps, toolCalls, usd, time }: PolicyFigures): Text[] => [
  bold(name),
  `${number(steps.p50)} / ${number(steps.p95)}`,
  `${number(toolCalls.p50)} / ${number(toolCalls.p95)}`,
  `$${usd.p50.toFixed(4)} / $${usd.p95.toFixed(4)}`,
  `${durationText(time.p50 * 1_000)} / ${durationText(time.p95 * 1_000)}`,
]

const number = (value: number): string => String(Math.round(value * 10) / 10)

function differenceBlock(tested: string, other: string, of: PolicyDifference): Text {
  const { goal, steps, toolCalls } = of
  const points = (value: number) => `${value > 0 ? '+' : ''}${(value * 100).toFixed(1)}`
  return [
    `${tested} against ${other}: `,
    bold(`goal ${points(goal.difference)} points`),
    dim(` [${points(goal.low)}, ${points(goal.high)}], p ${pText(goal.holm)}`),
    `, steps ${signed(steps)}, tool calls ${signed(toolCalls)}`,
  ]
}

const pText = (p: number): string => (p < 0.001 ? '< 0.001' : p.toFixed(3))
const signed = ({ difference, low, high }: Difference): string =>
  `${difference > 0 ? '+' : ''}${number(difference)} [${number(low)}, ${number(high)}]`

function worstBlocks({ worst, tested }: MonteReport): Blocks {
  const runs = worst.filter(({ policy }) => policy === tested)
  return runs.length === 0
    ? []
    : [
        {
          rows: runs.map(({ seed, outcome, tape, because }) => [
            dim(`seed ${seed}`),
            outcomeSpan(outcome),
            dim(countText(tape.length, 'fault')),
            because,
          ]),
        },
      ]
}
