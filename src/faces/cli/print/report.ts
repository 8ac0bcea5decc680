/** What became of a run, for people and as JSON. */
import type { Reason } from '../../../core/watch/reason.ts'
import { explain } from '../../../core/watch/catalog.ts'
import { type Row, type Run, runnable } from '../../../core/run.ts'
import type { Json } from '../../../core/watch/json.ts'
import type { ThreadSummary } from '../../../runtime/store/store.ts'
import { budgetText, routeText } from './line.ts'
import { plain } from './plain.ts'

/** What is told of a run beside itself. */
interface ReportParts {
  readonly rows: readonly Row[]
  /** The questions of the threads it rests on. */
  readonly below: readonly OpenQuestion[]
}

export function reportJson(thread: string, run: Run, { rows, below }: ReportParts): Json {
  const escapes = rows.flatMap(row =>
    row.verdict.kind === 'escape'
      ? [{ seq: row.seq, route: row.verdict.route, because: row.verdict.because }]
      : [],
  )
  return {
    thread,
    status: statusOf(run),
    outcome: run.ended?.outcome ?? null,
    reason: run.ended?.reason ?? null,
    because: run.ended ? withText(run.ended.because) : null,
    result: run.ended?.result ?? null,
    round: run.round,
    queued: run.queue.length,
    state: run.snapshot.value,
    questions: [...questionsOf(run), ...below] as unknown as Json,
    ...(run.parent ? { parent: run.parent as unknown as Json } : {}),
    spent: run.watch.account.spent as unknown as Json,
    lessons: run.lessons.map(explain),
    ...(run.watch.broken ? { broken: run.watch.broken as unknown as Json } : {}),
    escapes: escapes as unknown as Json,
    events: run.seq + 1,
  }
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
  const questions = [...questionsOf(run), ...below].map(
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
  if (run.ended) {
    const { outcome, reason, because } = run.ended
    return `${outcome} (${reason})${outcome === 'success' ? '' : `: ${plain(explain(because))}`}`
  }
  if (statusOf(run) === 'active') return 'at work'
  const asks = run.pending.some(
    effect =>
      effect.type === 'interrupt' || (effect.type === 'invoke' && effect.children !== undefined),
  )
  return asks
    ? 'waiting for a person'
    : run.pending.length === 0
      ? 'waiting for a message'
      : 'waiting for its time'
}

/** As in a list of threads. */
function statusOf(run: Run): ThreadSummary['status'] {
  return run.ended ? 'ended' : runnable(run).length > 0 ? 'active' : 'waiting'
}

export interface OpenQuestion {
  /** The thread it is a question of, where that is not the one that is looked at. */
  readonly thread?: string
  readonly id: string
  readonly question: string
  readonly deadline?: number
  readonly because?: string
}

export function questionsOf(run: Run): readonly OpenQuestion[] {
  return run.pending.flatMap(effect =>
    effect.type === 'interrupt'
      ? [
          {
            id: effect.id,
            question: explain(effect.question),
            ...(effect.deadline === undefined ? {} : { deadline: effect.deadline }),
            ...(effect.about?.because[0]
              ? { because: explain(effect.about.because[0].reason) }
              : {}),
          },
        ]
      : [],
  )
}

function shortened(text: string): string {
  return text.length > 600
    ? `${text.slice(0, 600)}… (${text.length} characters; --json shows all)`
    : text
}
