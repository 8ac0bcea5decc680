/** Tables: threads, breakers, effects, scopes, a policy, findings of lint, and the worst case of a spec. */
import type { LintFinding } from '../../../core/graph/lint/lint.ts'
import { DEFAULT, type Figure } from '../../../core/graph/worst-case/limit.ts'
import { figureText, type WorstCase } from '../../../core/graph/worst-case/worst-case.ts'
import type { ExternalEffect } from '../../../core/review/ledger.ts'
import type { ScopeStanding } from '../../../core/watch/budget/scope.ts'
import { repeatsText, signatureText } from '../../../core/run/tally-text.ts'
import type { TalliedFinding } from '../../../core/run/tally.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import { type Spent, SPENDABLE } from '../../../core/watch/event/call-event.ts'
import type { Breaker } from '../../../core/watch/failure/breaker.ts'
import { policyKind } from '../../../core/watch/policy/policy-keys.ts'
import { type Policy, notationOf } from '../../../core/watch/policy/policy.ts'
import { written } from '../../../core/watch/policy/map-keys.ts'
import { explain } from '../../../core/watch/reason/reason.ts'
import type { Migration } from '../../../runtime/drive/migrate.ts'
import type { ThreadSummary } from '../../../runtime/store/store.ts'
import { durationText } from '../../../core/watch/data/duration.ts'
import { countText, spentText, timeText, bold, colored, dim, styled } from './layout.ts'
import type { Block, Blocks, Text } from './layout.ts'

/** A table with a head, or `none` without rows. */
function table(
  head: readonly string[],
  rows: readonly (readonly Text[])[],
  none: string,
  right: readonly number[] = [],
): Blocks {
  return rows.length === 0 ? [none] : [{ rows: [head.map(dim), ...rows], right }]
}

/** Threads that wait in a version of their graph that is gone. */
export function unreachableTable(threads: readonly ThreadSummary[]): Blocks {
  return [
    'The graph of these threads has changed or is missing. Run the version of each thread, or end it with `escapement cancel THREAD`:',
    ...threadsTable(threads),
  ]
}

export function threadsTable(threads: readonly ThreadSummary[]): Blocks {
  // A column that no thread fills is left out: only threads at work have a driver.
  const columns = COLUMNS.filter(([, of, isOptional]) => !isOptional || threads.some(of))
  const rows = threads.map(thread => columns.map(([, of]) => of(thread)))
  const head = columns.map(([name]) => name)
  const right = ['COST', 'EVENTS'].map(name => head.indexOf(name)).filter(index => index >= 0)
  return table(head, rows, 'no threads', right)
}

type Column = readonly [name: string, of: (thread: ThreadSummary) => Text, isOptional?: true]

const COLUMNS: readonly Column[] = [
  ['THREAD', ({ thread }) => bold(thread)],
  ['GRAPH', ({ graph }) => graph],
  ['STATUS', ({ status, outcome }) => colored(outcome ?? status)],
  ['DETAIL', ({ detail, waits }) => `${detail}${waitsText(waits)}`],
  ['LOOP', ({ tally }) => loopText(tally?.finding), true],
  [
    'COST',
    ({ tally }) => (tally && tally.spent.usd > 0 ? `$${tally.spent.usd.toFixed(4)}` : ''),
    true,
  ],
  ['EVENTS', ({ seq }) => (seq + 1).toLocaleString('en-US')],
  ['LAST EVENT', ({ at }) => timeText(at)],
  ['DRIVEN BY', ({ lease }) => (lease ? dim(lease.owner) : ''), true],
]

const loopText = (finding: TalliedFinding | undefined): string =>
  finding ? `${repeatsText(finding)} ${signatureText(finding.signature)}` : ''

const waitsText = (waits: ThreadSummary['waits'] = []): string =>
  waits.length > 0 ? `, waits for ${waits.map(({ thread }) => thread).join(', ')}` : ''

/** The migration of a thread, or why it is refused. */
export interface MigratedThread {
  readonly thread: string
  readonly applied: boolean
  readonly because?: string
  readonly migration?: Migration
}

export function migrationsTable(threads: readonly MigratedThread[], isPreview: boolean): Blocks {
  const rows = threads.map(({ thread, applied, because = '', migration }) => [
    bold(thread),
    colored(applied ? (isPreview ? 'possible' : 'migrated') : 'refused'),
    migration ? `${migration.node.from} → ${migration.node.to}` : because,
    migration?.channels.join(', ') ?? '',
  ])
  return table(['THREAD', 'MIGRATION', 'NODE', 'CHANGED CHANNELS'], rows, 'no threads')
}

export function breakersTable(
  breakers: readonly (readonly [string, Breaker])[],
  now: number,
): Blocks {
  const rows = breakers.map(([resource, breaker]) => {
    const { state, failures } = breaker
    const cells = [bold(resource), colored(state), String(failures)]
    if (breaker.state === 'closed') return cells
    const due = breaker.retryAt > now ? `in ${durationText(breaker.retryAt - now)}` : 'now'
    return [...cells, state === 'open' ? `next attempt ${due}` : `probe expires ${due}`]
  })
  return table(['BREAKER', 'STATE', 'FAILURES', 'NEXT'], rows, 'no breakers', [2])
}

export function effectsTable(thread: string, effects: readonly ExternalEffect[]): Blocks {
  const rows = effects.map(({ call, tool, args, seq, at, kind, became }) => [
    String(seq),
    timeText(at),
    kind,
    bold(tool),
    args,
    call,
    explain(became),
  ])
  const head = ['EVENT', 'TIME', 'KIND', 'TOOL', 'ARGUMENTS', 'CALL', 'RESULT']
  return table(head, rows, `${thread} has no external effects`, [0])
}

export function scopesTable(standings: readonly ScopeStanding[]): Blocks {
  const rows = standings.map(({ scope, key, limits, spent, threads }) => {
    const { key: _, per, loops: __, ...most } = limits
    const name = bold(`${scope}=${key}`)
    return [name, String(threads.length), durationText(per), spentText(spent, most)]
  })
  const head = ['SCOPE', 'THREADS', 'WINDOW', 'SPENT']
  return [...table(head, rows, 'no scopes', [1]), ...standings.flatMap(scopeNotes)]
}

function scopeNotes({ scope, key, loops, held, dismissed }: ScopeStanding): Blocks {
  const notes = loops.map(({ threads }) => {
    const summary = threads.slice(-1).map(({ reason }) => explain(reason))
    return `loop: ${summary}; met by ${threads.map(({ thread }) => thread).join(', ')}`
  })
  if (held) notes.push(`held: thread ${held.thread} asks (${held.effect}): ${explain(held.reason)}`)
  notes.push(...dismissed.map(id => `dismissed: ${id}`))
  return notes.map(note => ({ wrap: [dim(`${scope}=${key}  `), note], hang: 2 }))
}

/** A policy as lines of `path value`, as `--set` takes them. */
export function policyTable(policy: Policy): Block {
  return { rows: leavesOf('', written(policyKind, notationOf(policy))) }
}

function leavesOf(path: string, value: Json): readonly (readonly [path: string, value: string])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [[path, leafText(value)]]
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(path === '' ? key : `${path}.${key}`, inner),
  )
}

/** A word that YAML reads as text needs no quotes. */
function leafText(value: Json): string {
  const plain = typeof value === 'string' && /^(?!(true|false|null)$)[\w.-]*[a-z]$/.test(value)
  return plain ? value : JSON.stringify(value)
}

export function lintBlocks(
  file: string,
  findings: readonly LintFinding[],
  excess: readonly Excess[],
): Blocks {
  const wrong = findings.filter(({ severity, accepted }) => severity === 'error' && !accepted)
  const others = findings.length - wrong.length
  const errors = wrong.length + excess.length
  const color = errors > 0 ? 'red' : 'green'
  return [
    ...findings.map(({ rule, severity, path, message, accepted }): Block => {
      const label = accepted ? 'accepted' : severity
      const kind = colored(label, `${label} ${rule}: `)
      return { wrap: [dim(`${file}: `), bold(`${path}: `), kind, message], hang: 2 }
    }),
    ...excess.map(each => [styled(`error bound: ${excessText(each)}`, 'red')]),
    [
      styled(errors > 0 ? '✗ ' : '✓ ', color),
      `${file}: ${countText(errors, 'error')}, ${countText(others, 'other finding')}`,
    ],
  ]
}

export function worstCaseBlocks(worst: WorstCase): Blocks {
  const most = SPENDABLE.map(unit => figureText(worst[unit], unit))
  const width = Math.max(...most.map(({ length }) => length))
  const defaults = SPENDABLE.some(unit => worst[unit].because.includes(DEFAULT))
  return [
    '',
    'The most that one round of a thread can spend:',
    ...SPENDABLE.map((unit, index) => {
      const amount = bold(most[index]?.padStart(width) ?? '')
      const because = dim(`  ${worst[unit].because}`)
      return { wrap: [`  ${unit.padEnd(12)}`, amount, because], hang: 16 + width }
    }),
    ...(defaults ? [dim(CHANGE_DEFAULTS)] : []),
  ]
}

const CHANGE_DEFAULTS = `A limit marked ${DEFAULT} is not in the spec. To change it, set it under \`limits\`.`

export type Excess = Figure & Readonly<{ unit: keyof Spent; allowed: number }>

export function excessOf(worst: WorstCase, allowed: Partial<Spent>): readonly Excess[] {
  return SPENDABLE.flatMap(unit => {
    const max = allowed[unit] ?? Number.POSITIVE_INFINITY
    return worst[unit].most > max ? [{ unit, allowed: max, ...worst[unit] }] : []
  })
}

function excessText({ unit, allowed, ...figure }: Excess): string {
  const worst = figureText(figure, unit)
  const problem = worst === 'unknown' ? `the most ${unit} is unknown` : `${unit} can total ${worst}`
  return `${problem}, and --max allows ${figureText({ most: allowed }, unit)}: ${figure.because}`
}
