/** The tables of `docs/detection.md`: aggregates over recorded agents. */
import { type DetectPolicy, POLICY } from '../../src/core/watch/policy/policy.ts'
import type { Act } from '../../src/core/watch/trace-watcher.ts'
import { firstPlayedFlag } from './graph-agent.ts'
import {
  actsOf,
  type Flagged,
  firstFlag,
  flagged,
  halted,
  type Label,
  labels,
  type Scenario,
  SETS,
  type Score,
  type SetName,
  scenarios,
  scored,
} from './recorded.ts'

const { detect } = POLICY

/** The policies that the tables compare. */
const POLICIES: readonly (readonly [name: string, policy: DetectPolicy])[] = [
  ['the default', detect],
  ['the second repetition', patient(2, 4)],
  ['`repetition: { times: 4 }`', { ...detect, repetition: { times: 4, within: 16 } }],
  ['`errors: { times: 4 }`', { ...detect, errors: { times: 4 } }],
  ['`repeatedText: { nudges: 32 }`', { ...detect, repeatedText: { times: 3, nudges: 32 } }],
  ['the fourth repetition', patient(4, 10)],
  ['the fifth repetition', patient(5, 10)],
]

function patient(times: number, nudges: number): DetectPolicy {
  return {
    ...detect,
    sequence: { repeats: times, periodMax: 24 },
    repetition: { times, within: 16 },
    errors: { times },
    repeatedText: { times, nudges },
  }
}

export async function measured(): Promise<string> {
  const detections = POLICIES.map(
    ([, policy]) =>
      (acts: readonly Act[]) =>
        firstFlag(acts, policy),
  )
  const all = await flagged(detections)
  const [byDefault] = all
  if (!byDefault) throw new Error('nothing was read')
  const paths = await byPath(byDefault)
  const left = leaveOneOut(all, await flagged(detections, 'second'))
  const tables = [frontier(all), byKind(byDefault), bySource(byDefault), byScenario()]
  return [paths, left, ...tables].join('\n')
}

/** Both sets, as `watch` reads the recordings and as a graph agent plays them. */
async function byPath(firstWatched: Flagged): Promise<string> {
  const [firstPlayed] = await flagged([firstPlayedFlag])
  const [secondWatched, secondPlayed] = await flagged([firstFlag, firstPlayedFlag], 'second')
  const rows = [
    ['first', '`watch`', firstWatched],
    ['first', 'graph agent', firstPlayed],
    ['second', '`watch`', secondWatched],
    ['second', 'graph agent', secondPlayed],
  ] as const
  return table(
    ['set', 'path', 'labelled', ...MEASURES],
    rows.map(([set, path, flags]) => {
      if (!flags) throw new Error('nothing was read')
      const rows = labels(set).filter(({ id }) => flags.first.has(id))
      return [set, path, `${rows.length}`, ...measures(rows, flags, set)]
    }),
  )
}

/** Each source with the policy that is the best one on all other sources, of both sets. */
function leaveOneOut(first: readonly Flagged[], second: readonly Flagged[]): string {
  const all = first.map((flags, index) => {
    const others = second[index] ?? flags
    return {
      first: new Map([...flags.first, ...others.first]),
      source: new Map([...flags.source, ...others.source]),
    }
  })
  const rows = SETS.flatMap(set => labels(set))
  const sourceOf = ({ id }: Label) => all[0]?.source.get(id) ?? ''
  const chosen = new Map<string, number | undefined>()
  for (const source of new Set(rows.map(sourceOf))) {
    const others = rows.filter(row => sourceOf(row) !== source)
    const best = all.toSorted((a, b) => scored(others, b.first).f1 - scored(others, a.first).f1)[0]
    for (const { id } of rows.filter(row => sourceOf(row) === source))
      chosen.set(id, best?.first.get(id))
  }
  const { precision, recall, f1, falseAlarms } = scored(rows, chosen)
  return table(
    ['leave one source out', 'precision', 'recall', 'F1', 'false alarms'],
    [['both sets, `watch`', shown(precision), shown(recall), shown(f1), percent(falseAlarms)]],
  )
}

const MEASURES = [
  ...['precision', 'recall', 'F1', 'F1, clear labels', 'false alarms'],
  ...['delay, median / 90 %', 'solved runs stopped'],
]

function measures(rows: readonly Label[], flags: Flagged, set: SetName): readonly string[] {
  const score = scored(rows, flags.first)
  const clear = scored(
    rows.filter(({ confidence }) => confidence === 'clear'),
    flags.first,
  )
  const { of, ids } = halted(flags, set)
  return [
    ...[score.precision, score.recall, score.f1, clear.f1].map(shown),
    percent(score.falseAlarms),
    `${quantile(score, 0.5)} / ${quantile(score, 0.9)}`,
    `${ids.length} of ${of}`,
  ]
}

function frontier(all: readonly Flagged[]): string {
  const rows = all.map((flags, index) => [
    POLICIES[index]?.[0],
    ...measures(labels(), flags, 'first'),
  ])
  return table(['policy', ...MEASURES], rows)
}

function byKind({ first }: Flagged): string {
  const kinds = grouped(
    labels().filter(({ loop }) => loop),
    ({ kind }) => kind ?? 'none',
  )
  const rows = kinds.map(([kind, rows]) => {
    const score = scored(rows, first)
    return [
      kind,
      `${rows.length}`,
      shown(score.recall),
      score.delays.length === 0 ? '' : `${quantile(score, 0.5)}`,
    ]
  })
  return table(['kind of loop', 'labelled', 'recall', 'delay, median'], rows)
}

function bySource({ first, source }: Flagged): string {
  const rows = grouped(labels(), ({ id }) => source.get(id) ?? '').map(([from, rows]) => {
    const { found, alarms, missed } = scored(rows, first)
    return [
      from,
      `${rows.length}`,
      `${found + missed}`,
      `${found}`,
      `${alarms}`,
      found + alarms === 0 ? '' : shown(found / (found + alarms)),
      found + missed === 0 ? '' : shown(found / (found + missed)),
    ]
  })
  return table(
    ['source', 'labelled', 'with a loop', 'found', 'false alarms', 'precision', 'recall'],
    rows,
  )
}

function byScenario(): string {
  const right = scenarios().filter(
    scenario => (firstFlag(actsOf(scenario)) !== undefined) === scenario.expect.stuck,
  )
  const ofIssues = (list: readonly Scenario[]) => list.filter(({ peer }) => peer === 'issue').length
  const rows = [
    [
      'reports of users of other watchdogs: missed loops, stopped healthy work',
      `${ofIssues(right)} of ${ofIssues(scenarios())}`,
    ],
    [
      'test suites of 23 other watchdogs',
      `${right.length - ofIssues(right)} of ${scenarios().length - ofIssues(scenarios())}`,
    ],
  ]
  return table(['short cases', 'right'], rows)
}

function grouped(
  rows: readonly Label[],
  of: (label: Label) => string,
): readonly (readonly [string, readonly Label[]])[] {
  const groups = Map.groupBy(rows, of)
  return [...groups].toSorted(([a], [b]) => a.localeCompare(b))
}

function quantile({ delays }: Score, q: number): number {
  return delays[Math.min(delays.length - 1, Math.floor(q * delays.length))] ?? Number.NaN
}

function shown(share: number): string {
  return share.toFixed(2)
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

function table(
  head: readonly string[],
  rows: readonly (readonly (string | undefined)[])[],
): string {
  return [head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |\n`).join('')
}
