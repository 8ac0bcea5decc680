/** What became of a run, for people and as JSON. */
import { type Row, type Run, runnable } from '../../../core/run.ts'
import type { Json } from '../../../core/watch/json.ts'
import type { ThreadSummary } from '../../../runtime/store.ts'
import { budgetText, routeText } from './line.ts'

export function reportJson(thread: string, run: Run, rows: readonly Row[]): Json {
  const escapes = rows.flatMap(row => (row.verdict.kind === 'escape' ? [{ seq: row.seq, route: row.verdict.route, because: row.verdict.because }] : []))
  return {
    thread,
    status: statusOf(run),
    outcome: run.ended?.outcome ?? null,
    reason: run.ended?.reason ?? null,
    result: run.ended?.result ?? null,
    round: run.round,
    queued: run.queue.length,
    state: run.snapshot.value,
    questions: questionsOf(run) as unknown as Json,
    spent: run.watch.account.spent as unknown as Json,
    lessons: run.lessons,
    escapes: escapes as unknown as Json,
    events: run.seq + 1,
  }
}

export function reportText(thread: string, run: Run, rows: readonly Row[]): string {
  const head = `${thread}: ${standing(run)}`
  const escapes = rows.flatMap(row =>
    row.verdict.kind === 'escape' ? [`  escape at event ${row.seq}: ${row.verdict.because[0]?.detector}: ${row.verdict.because[0]?.summary} → ${routeText(row)}`] : [],
  )
  const questions = questionsOf(run).map(
    ({ id, question, deadline, because }) => `  ? ${id}: ${question}${because ? ` (${because})` : ''}${deadline === undefined ? '' : ` until ${new Date(deadline).toISOString()}`}`,
  )
  const result = run.ended ? [`  result: ${shortened(JSON.stringify(run.ended.result))}`] : []
  return [head, ...escapes, ...questions, ...result, `  spent: ${budgetText(run)}`].join('\n')
}

function standing(run: Run): string {
  if (run.ended) return `${run.ended.outcome} (${run.ended.reason})`
  if (statusOf(run) === 'active') return 'at work'
  return questionsOf(run).length > 0 ? 'waiting for a person' : 'waiting for its time'
}

/** As in a list of threads. */
function statusOf(run: Run): ThreadSummary['status'] {
  return run.ended ? 'ended' : runnable(run).length > 0 ? 'active' : 'waiting'
}

export interface OpenQuestion {
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
            question: effect.question,
            ...(effect.deadline === undefined ? {} : { deadline: effect.deadline }),
            ...(effect.about ? { because: effect.about.because[0]?.summary ?? '' } : {}),
          },
        ]
      : [],
  )
}

function shortened(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}… (${text.length} characters; --json shows all)` : text
}
