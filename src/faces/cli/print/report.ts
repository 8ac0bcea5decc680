/** What became of a run, for people and as JSON. */
import type { Row, Run } from '../../../core/run.ts'
import { type OpenQuestion, questionsOf, statusOf, viewOf } from '../../../core/view.ts'
import { SPENDABLE, type Spent, subtractSpent } from '../../../core/watch/event/spent.ts'
import { explain, type Reason } from '../../../core/watch/reason/reason.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import { spentText, timeText } from './amounts.ts'
import { type Block, bold, dim, NBSP, type Span, styled } from './layout.ts'
import { jsonText, limitsOf, routeText } from './line.ts'

/** What is printed of a run beside itself. */
interface ReportParts {
  readonly rows: readonly Row[]
  /** The questions of the child threads it waits for. */
  readonly below: readonly OpenQuestion[]
}

export function reportJson(thread: string, run: Run, { rows, below }: ReportParts): Json {
  const { waitsFor: _, ended, status, lessons, ...view } = viewOf(run, rows, below)
  return {
    thread,
    status,
    outcome: ended?.outcome ?? null,
    reason: ended?.reason ?? null,
    because: ended ? withText(ended.because) : null,
    result: ended?.result ?? null,
    ...(run.parent ? { parent: run.parent } : {}),
    ...(run.watch.detectorErrors ? { detectorErrors: run.watch.detectorErrors } : {}),
    lessons: lessons.map(explain),
    ...view,
  } as unknown as Json
}

/** A reason as data, with its sentence. */
function withText(reason: Reason): Json {
  return { ...(reason as unknown as Readonly<Record<string, Json>>), text: explain(reason) }
}

export function reportBlocks(
  thread: string,
  run: Run,
  { rows, below }: ReportParts,
): readonly Block[] {
  const escapes = rows.filter(({ verdict }) => verdict.kind === 'escape')
  const left = escapes.length - ESCAPES
  const { watch, policy } = run
  const { round } = policy.limits
  return [
    [
      ...(MARKS[run.ended?.outcome ?? statusOf(run)] ?? []),
      bold(`${thread}: ${standingText(run)}`),
    ],
    ...section('escapes', [
      ...escapes.slice(0, ESCAPES).map(escapeText),
      ...(left > 0 ? [[dim(`and ${left} more`)]] : []),
    ]),
    ...[...questionsOf(run), ...below].flatMap(questionBlocks),
    ...section('broken', brokenTexts(run)),
    ...(run.ended ? membersSection('result', run.ended.result) : []),
    ...section('spent', [
      spentText(watch.account.spent, limitsOf(policy)),
      ...(round
        ? [
            [
              ...spentText(
                subtractSpent(watch.account.spent, watch.account.before),
                round,
                unitsOf(round),
              ),
              dim(' in this round'),
            ],
          ]
        : []),
    ]),
  ]
}

/** Escapes that are listed; `show` lists them all. */
const ESCAPES = 5

const MARKS: Readonly<Record<string, readonly Span[]>> = {
  success: [styled('✓ ', 'green')],
  failure: [styled('✗ ', 'red')],
  error: [styled('✗ ', 'red')],
  stopped: [styled('✗ ', 'yellow')],
  cancelled: [styled('✗ ', 'yellow')],
  waiting: [styled('? ', 'cyan')],
  active: [styled('⟳ ', 'cyan')],
}

const unitsOf = (limits: Partial<Spent>) => SPENDABLE.filter(unit => limits[unit] !== undefined)

/** Paragraphs under a label; `hang` indents their further lines. */
export function section(
  label: string,
  texts: readonly (readonly Span[])[],
  hang = 0,
): readonly Block[] {
  return texts.map((text, index) => ({
    wrap: [dim(`  ${(index === 0 ? label : '').padEnd(INDENT - 3)} `), ...text],
    hang: INDENT + hang,
  }))
}

const INDENT = 12

function escapeText(row: Row): readonly Span[] {
  const [finding] = row.verdict.kind === 'escape' ? row.verdict.because : []
  const before = finding?.earlier
    ? ` (met before by ${finding.earlier.map(each => each.thread).join(', ')})`
    : ''
  const { kind = '', detector = '' } = finding ?? {}
  const summary = finding ? explain(finding.reason) : ''
  return [
    dim(`event ${row.seq} `),
    styled(`${kind === detector ? kind : `${kind} (${detector})`}: `, 'yellow'),
    `${summary}${before}`,
    styled(` ${`→ ${routeText(row)}`.replaceAll(' ', NBSP)}`, 'cyan'),
  ]
}

function questionBlocks({
  id,
  thread,
  question,
  deadline,
  because,
}: OpenQuestion): readonly Block[] {
  const until = deadline === undefined ? '' : `, until ${timeText(deadline)}`
  return section('question', [
    [bold(question), dim(`  ${id}${thread === undefined ? '' : ` of ${thread}`}${until}`)],
    ...(because ? [[`because ${because}`]] : []),
  ])
}

/** A part that is broken is worth a line: it was meant to see something. */
function brokenTexts({ watch: { detectorErrors = {} } }: Run): readonly (readonly Span[])[] {
  return Object.entries(detectorErrors).map(([part, { since, times, why }]) => [
    styled(
      `${part} failed at event ${since}${times > 1 ? `, ${times} times in total` : ''}: `,
      'red',
    ),
    why,
  ])
}

/** Characters of a result. */
const RESULT = 600

/** An object member by member under a label, anything else as it is; long values are folded. */
export function membersSection(label: string, value: Json, max = RESULT): readonly Block[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return section(label, [[folded(jsonText(value), max)]])
  const members = Object.entries(value)
  const width = Math.min(16, Math.max(0, ...members.map(([key]) => key.length))) + 2
  return section(
    label,
    members.map(([key, of]) => [dim(key.padEnd(width)), folded(jsonText(of), max)]),
    width,
  )
}

function folded(text: string, max: number): string {
  return text.length > max
    ? `${text.slice(0, max)}… (${text.length.toLocaleString('en-US')} characters; --json prints all)`
    : text
}

/** The command that goes on from here. */
export function nextBlocks(thread: string, run: Run, shown = false): readonly Block[] {
  const name = /^[\w./#:@=-]+$/.test(thread) ? thread : `'${thread.replaceAll("'", "'\\''")}'`
  const [question] = questionsOf(run)
  const [command, what] = question
    ? shown
      ? [`resume ${name} --decision approved`, 'answers the question']
      : [`show ${name}`, 'shows the evidence and the possible answers']
    : !shown
      ? [`show ${name}`, 'shows every event']
      : statusOf(run) === 'active'
        ? [`resume ${name}`, 'continues the thread']
        : [`show ${name} --at SEQ`, 'shows the state after an event; --json prints all of it']
  return section('next', [[styled(`escapement ${command}`, 'cyan'), dim(`  ${what}`)]])
}

export function standingText(run: Run): string {
  const { status, ended, waitsFor } = viewOf(run, [])
  if (ended)
    return `${ended.outcome} (${ended.reason})${ended.outcome === 'success' ? '' : `: ${explain(ended.because)}`}`
  return status === 'active' ? 'at work' : WAITING[waitsFor ?? 'time']
}

const WAITING = {
  person: 'waiting for a person',
  message: 'waiting for a message',
  time: 'waiting for its time',
} as const
