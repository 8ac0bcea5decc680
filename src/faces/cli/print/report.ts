/** What became of a run, for people and as JSON. */
import type { Row, Run } from '../../../core/run.ts'
import { type OpenQuestion, viewOf } from '../../../core/view.ts'
import { explain } from '../../../core/watch/catalog.ts'
import type { Reason } from '../../../core/watch/reason.ts'
import type { Json } from '../../../core/watch/json.ts'
import { budgetText, routeText } from './line.ts'
import { plain } from './plain.ts'

/** What is told of a run beside itself. */
interface ReportParts {
  readonly rows: readonly Row[]
  /** The questions of the threads it rests on. */
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
    ...(run.watch.broken ? { broken: run.watch.broken } : {}),
    lessons: lessons.map(explain),
    ...view,
  } as unknown as Json
}

/** A reason as data, with its sentence. */
function withText(reason: Reason): Json {
  return { ...(reason as unknown as Readonly<Record<string, Json>>), text: explain(reason) }
}

export function reportText(thread: string, run: Run, { rows, below }: ReportParts): string {
  const head = `${thread}: ${standingText(run)}`
  const escapes = rows.flatMap(row => {
    if (row.verdict.kind !== 'escape') return []
    const [finding] = row.verdict.because
    const before = finding?.earlier
      ? ` (met before by ${finding.earlier.map(each => each.thread).join(', ')})`
      : ''
    return [
      `  escape at event ${row.seq}: ${finding?.detector}: ${plain(finding ? explain(finding.reason) : '')}${before} → ${routeText(row)}`,
    ]
  })
  const questions = viewOf(run, rows, below).questions.map(
    ({ id, thread: child, question, deadline, because }) =>
      `  ? ${id}${child === undefined ? '' : ` of ${child}`}: ${question}${because ? ` (${because})` : ''}${deadline === undefined ? '' : ` until ${new Date(deadline).toISOString()}`}`,
  )
  const result = run.ended ? [`  result: ${shortened(JSON.stringify(run.ended.result))}`] : []
  return [
    head,
    ...escapes,
    ...questions,
    ...brokenText(run),
    ...result,
    `  spent: ${budgetText(run)}`,
  ].join('\n')
}

/** An eye that is shut is worth a line: it was meant to see something. */
function brokenText({ watch: { broken = {} } }: Run): readonly string[] {
  return Object.entries(broken).map(
    ([part, { since, times, why }]) =>
      `  ! the ${part} broke at event ${since}${times > 1 ? `, ${times} times in all` : ''}, and decided nothing then: ${plain(why)}`,
  )
}

export function standingText(run: Run): string {
  const { status, ended, waitsFor } = viewOf(run, [])
  if (ended)
    return `${ended.outcome} (${ended.reason})${ended.outcome === 'success' ? '' : `: ${plain(explain(ended.because))}`}`
  return status === 'active' ? 'at work' : WAITING[waitsFor ?? 'time']
}

const WAITING = {
  person: 'waiting for a person',
  message: 'waiting for a message',
  time: 'waiting for its time',
} as const

function shortened(text: string): string {
  return text.length > 600
    ? `${text.slice(0, 600)}… (${text.length} characters; --json shows all)`
    : text
}
