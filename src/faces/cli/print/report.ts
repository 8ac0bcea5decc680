/** The status and result of a run, for people and as JSON, and the sections that only `show` prints. */
import { oneLine } from '../../../core/watch/data/invisible.ts'
import type { Pause } from '../../../core/run/control.ts'
import { originOf } from '../../../core/fork.ts'
import type { AgentMachine } from '../../../core/graph/agent-machine.ts'
import { shownValue } from '../../../core/review/review.ts'
import type { Row, Run } from '../../../core/run/run.ts'
import { type OpenQuestion, questionsOf, statusOf, viewOf } from '../../../core/run/view.ts'
import { type Json, defined, mapFields } from '../../../core/watch/data/json.ts'
import { SPENDABLE, subtractSpent } from '../../../core/watch/event/call-event.ts'
import type { RaisedThreshold } from '../../../core/watch/detect/thresholds.ts'
import { explain } from '../../../core/watch/reason/reason.ts'
import type { LedgerLine } from '../../../core/watch/retries.ts'
import { countText, spentText, timeText, bold, colored, dim, NBSP, styled } from './layout.ts'
import type { Blocks, Span, Text } from './layout.ts'
import { endText, jsonText, limitsOf, metText, routeText } from './line.ts'

/** A child thread that a thread waits for, at any level. */
export interface ChildRun {
  readonly thread: string
  readonly run: Run
}

interface ReportParts {
  readonly rows: readonly Row[]
  /** The child threads that the run waits for. */
  readonly below: readonly ChildRun[]
}

export const questionsBelow = (below: readonly ChildRun[]): readonly OpenQuestion[] =>
  below.flatMap(({ thread, run }) => questionsOf(run).map(question => ({ thread, ...question })))

export function reportJson(thread: string, run: Run, { rows, below }: ReportParts): Json {
  const { waitsFor: _, ended, status, lessons, ...view } = viewOf(run, rows, questionsBelow(below))
  const { outcome = null, reason = null, because = null, result = null } = ended ?? {}
  return {
    thread,
    status,
    outcome,
    reason,
    because: because && { ...because, text: explain(because) },
    result,
    ...defined({ parent: run.parent, detectorErrors: run.watch.detectorErrors }),
    lessons: lessons.map(explain),
    ...view,
  } as unknown as Json
}

/** Escapes that the report lists. `show` lists all of them. */
const ESCAPES_MAX = 5

export function reportBlocks(thread: string, run: Run, { rows, below }: ReportParts): Blocks {
  const escapes = rows.filter(({ verdict }) => verdict.kind === 'escape')
  const more = escapes.length - ESCAPES_MAX
  const status = run.ended?.outcome ?? statusOf(run)
  return [
    [colored(status, MARKS[status] ?? '✗ '), bold(`${thread}: ${standingText(run, below)}`)],
    ...section('escapes', [
      ...escapes.slice(0, ESCAPES_MAX).map(escapeText),
      ...(more > 0 ? [dim(`and ${more} more`)] : []),
    ]),
    ...[...questionsOf(run), ...questionsBelow(below)].flatMap(questionBlocks),
    ...section('paused', pausesBelow(below)),
    ...section('broken', errorTexts(run)),
    ...section('raised', (viewOf(run, []).raised ?? []).map(raisedText)),
    ...(run.ended ? membersSection('result', run.ended.result) : []),
    ...section('spent', spentTexts(run)),
  ]
}

/** `repetition of look: 6 times instead of 3` */
export const raisedText = ({ detector, subject, option, from, to }: RaisedThreshold): string =>
  `${detector}.${option} for ${subject}: ${to} instead of ${from}, by dismissals`

const MARKS: Readonly<Record<string, string>> = { success: '✓ ', waiting: '? ', active: '⟳ ' }

/** Paragraphs under a label; `hang` indents their wrapped lines. */
export function section(label: string, texts: readonly Text[], hang = 0): Blocks {
  return texts.map((text, index) => ({
    wrap: [dim(`  ${(index === 0 ? label : '').padEnd(INDENT - 3)} `), ...[text].flat()],
    hang: INDENT + hang,
  }))
}

const INDENT = 12

function escapeText(row: Row): readonly Span[] {
  const [finding] = row.verdict.kind === 'escape' ? row.verdict.because : []
  const { kind = '', detector = '' } = finding ?? {}
  return [
    dim(`event ${row.seq} `),
    styled(`${kind === detector ? kind : `${kind} (${detector})`}: `, 'yellow'),
    finding ? `${explain(finding.reason)}${metText(finding)}` : '',
    styled(` ${`→ ${routeText(row)}`.replaceAll(' ', NBSP)}`, 'cyan'),
  ]
}

function questionBlocks(open: OpenQuestion): Blocks {
  const { id, thread, question, deadline, because } = open
  const origin = thread === undefined ? '' : ` of ${thread}`
  const until = deadline === undefined ? '' : `, until ${timeText(deadline)}`
  return section('question', [
    [bold(question), dim(`  ${id}${origin}${until}`)],
    ...(because ? [`because ${because}`] : []),
  ])
}

/** Detectors that have failed: the run continues without what they detect. */
function errorTexts({ watch: { detectorErrors = {} } }: Run): readonly (readonly Span[])[] {
  return Object.entries(detectorErrors).map(([part, { since, times, why }]) => {
    const total = times > 1 ? `, ${times} times in total` : ''
    return [styled(`${part} failed at event ${since}${total}: `, 'red'), why]
  })
}

function spentTexts({ watch, policy }: Run): readonly (readonly Span[])[] {
  const { spent, before } = watch.account
  const { round } = policy.limits
  const all = spentText(spent, limitsOf(policy))
  if (!round) return [all]
  const units = SPENDABLE.filter(unit => round[unit] !== undefined)
  const inRound = spentText(subtractSpent(spent, before), round, units)
  return [all, [...inRound, dim(' in this round')]]
}

/** Characters of a result. */
const RESULT_CHARACTERS_MAX = 600

/** An object member by member under a label, anything else as JSON. Long values are cut. */
export function membersSection(label: string, value: Json, max = RESULT_CHARACTERS_MAX): Blocks {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return section(label, [fold(jsonText(value), max)])
  const members = Object.entries(value)
  const width =
    Math.min(
      16,
      members.reduce((most, [key]) => Math.max(most, key.length), 0),
    ) + 2
  return section(
    label,
    members.map(([key, of]) => [dim(key.padEnd(width)), fold(jsonText(of), max)]),
    width,
  )
}

function fold(text: string, max: number): string {
  if (text.length <= max) return text
  const count = text.length.toLocaleString('en-US')
  return `${text.slice(0, max)}… (${count} characters; --json prints all)`
}

export function standingText(run: Run, below: readonly ChildRun[] = []): string {
  const { status, ended, waitsFor, paused, questions } = viewOf(run, [], questionsBelow(below))
  if (paused && status === 'waiting') return pauseText(paused)
  const [pause] = pausesBelow(below)
  if (pause !== undefined && questions.length === 0) return `waiting for ${pause}`
  if (!ended) return status === 'active' ? 'at work' : WAITING[waitsFor ?? 'time']
  const why = ended.outcome === 'success' ? '' : `: ${explain(ended.because)}`
  if (ended.outcome === 'cancelled') return explain(ended.because)
  return `${ended.outcome} (${ended.reason})${why}`
}

/** The child threads that a person or a breakpoint pauses: `t/child#1/1, paused before look`. */
export const pausesBelow = (below: readonly ChildRun[]): readonly string[] =>
  below.flatMap(({ thread, run: { paused } }) => (paused ? `${thread}, ${pauseText(paused)}` : []))

const WAITING = {
  person: 'waiting for a person',
  message: 'waiting for a message',
  time: 'waiting for its time',
} as const

/** Children that are listed. The others are counted. */
const CHILDREN_MAX = 20

export function familyBlocks(run: Run, rows: readonly Row[]): Blocks {
  const { parent } = run
  const item = parent?.item ? `, for item ${parent.item.index + 1} of ${parent.item.of}` : ''
  const children = childrenIn(run, rows)
  const more = children.length - CHILDREN_MAX
  const succeeded = children.filter(({ outcome }) => outcome === 'success').length
  const rest = dim(`${more} more; ${succeeded} of all ${children.length} succeeded`)
  return [
    ...section('parent', parent ? [`${parent.thread}, event ${parent.seq}${item}`] : []),
    ...section('children', [
      ...children.slice(0, CHILDREN_MAX).map(childText),
      ...(more > 0 ? [rest] : []),
    ]),
  ]
}

function childText({ thread, graph, outcome, reason, because, of }: Child): string {
  if (outcome !== null)
    return `${thread} (${graph}) ${outcome}: ${endText(reason ?? outcome, because)}`
  const status = of === null ? 'has not ended' : `belongs to ${of}, and continues there`
  return `${thread} (${graph}) ${status}`
}

type Child = ReturnType<typeof childrenIn>[number]

/**
 * The children of a thread, in the order of their starts. `outcome`, `reason` and `because` are null until the parent records the end of the
 * child. `of`: in a fork, the other thread that started the child.
 */
export function childrenIn(run: Run, rows: readonly Row[]) {
  const ends = new Map(
    rows.flatMap(({ event }) =>
      event.type === 'child.done' ? [[event.thread, event] as const] : [],
    ),
  )
  return rows.flatMap(({ seq, event }) => {
    if (event.type !== 'child.started') return []
    const { thread, subject: graph } = event
    const { outcome = null, reason = null, because = null } = ends.get(thread) ?? {}
    return [
      { thread, graph, seq, outcome, reason, because, of: originOf(run, seq)?.thread ?? null },
    ]
  })
}

/** One line for each tool and model that was called more than once for the same call. */
export function retriesBlocks(ledger: readonly LedgerLine[]): Blocks {
  return section(
    'retries',
    ledger.flatMap(({ dependency, calls, attempts, sdk, runtime, model }) => {
      if (attempts <= calls && model === 0) return []
      const by = { 'its SDK': sdk, 'the runtime': runtime, 'the model': model }
      const retries = Object.entries(by).flatMap(([who, times]) =>
        times > 0 ? [`${times} by ${who}`] : [],
      )
      const counts = `${countText(attempts, 'attempt')}, ${countText(calls, 'call')}`
      return `${dependency} ${counts}; retried ${retries.join(', ')}`
    }),
  )
}

/** Characters of the value of a channel. */
const VALUE_CHARACTERS_MAX = 200

/** The state and the channels. Of a log only its length: the journal has its items. */
export function contextBlocks(machine: AgentMachine, { snapshot }: Run): Blocks {
  const context: Json = mapFields(snapshot.context, (value, name) =>
    shownValue(machine, name, value),
  )
  const state = typeof snapshot.value === 'string' ? snapshot.value : jsonText(snapshot.value)
  return [...section('state', [state]), ...membersSection('context', context, VALUE_CHARACTERS_MAX)]
}

function pauseText({ before, met }: Pause): string {
  if (met) return `paused after event ${met.seq}, which met ${oneLine(met.when)}`
  return `paused${before === undefined ? '' : ` before ${before}`}`
}
