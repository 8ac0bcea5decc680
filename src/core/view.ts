/** How a thread stands, as every face shows it: one rule for its status and its open questions. */
import { explain } from './watch/reason/reason.ts'
import type { ChildLink, Stamped } from './watch/event/event.ts'
import type { Finding } from './watch/event/finding.ts'
import type { Route } from './watch/escape/rungs.ts'
import type { Json } from './watch/data/json.ts'
import type { Spent } from './watch/event/spent.ts'
import { type Ending, isOver, type Row, type Run, runnable } from './run.ts'

/** `waiting`: nothing happens until a person answers, a message comes, or a time is reached. */
export type ThreadStatus = 'active' | 'waiting' | 'ended'

/** A question that a person has not answered yet. */
export interface OpenQuestion {
  readonly id: string
  /** The child that asks it; absent where the thread itself asks. */
  readonly thread?: string
  readonly question: string
  /** The name in the policy that it is put to now. */
  readonly to?: string
  /** In ms; absent where it waits without end. */
  readonly deadline?: number
  /** What was found, where the escape mechanism asks. */
  readonly because?: string
}

/** A way out that was taken, and what was found. */
export interface Escape {
  readonly seq: number
  readonly route: Route
  readonly because: readonly Finding[]
}

export interface ThreadView {
  readonly status: ThreadStatus
  /** What a thread that waits is waiting for. */
  readonly waitsFor?: 'person' | 'message' | 'time'
  readonly round: number
  /** Messages that wait for their round. */
  readonly queued: number
  /** The states it is in. */
  readonly state: Json
  readonly questions: readonly OpenQuestion[]
  readonly escapes: readonly Escape[]
  readonly spent: Spent
  readonly lessons: Run['lessons']
  /** How the last round ended. */
  readonly ended?: Ending
  /** Its journal holds so many events. */
  readonly events: number
}

/** The view of a thread after its last row. `below`: the questions of the children it waits for. */
export function viewOf(
  run: Run,
  rows: readonly Row[],
  below: readonly OpenQuestion[] = [],
): ThreadView {
  const status = statusOf(run)
  const waitsFor = status === 'waiting' ? waitedFor(run) : undefined
  return {
    status,
    ...(waitsFor ? { waitsFor } : {}),
    round: run.round,
    queued: run.queue.length,
    state: run.snapshot.value,
    questions: [...questionsOf(run), ...below],
    escapes: rows.flatMap(({ seq, verdict }) =>
      verdict.kind === 'escape' ? [{ seq, route: verdict.route, because: verdict.because }] : [],
    ),
    spent: run.watch.account.spent,
    lessons: run.lessons,
    ...(run.ended ? { ended: run.ended } : {}),
    events: run.seq + 1,
  }
}

export function statusOf(run: Run): ThreadStatus {
  if (isOver(run)) return 'ended'
  return run.ended || runnable(run).length > 0 ? 'active' : 'waiting'
}

/** Only a person can carry it on: neither work nor time. */
export function waitsForPerson(run: Run): boolean {
  return statusOf(run) === 'waiting' && run.pending.every(({ type }) => type !== 'wait')
}

function waitedFor({ pending }: Run): ThreadView['waitsFor'] {
  const asks = pending.some(
    effect => effect.type === 'interrupt' || (effect.type === 'invoke' && effect.children),
  )
  return asks ? 'person' : pending.length === 0 ? 'message' : 'time'
}

export function questionsOf(run: Run): readonly OpenQuestion[] {
  return run.pending.flatMap(effect => {
    if (effect.type !== 'interrupt') return []
    const { id, question, to, deadline, about } = effect
    const [finding] = about?.because ?? []
    return [
      {
        id,
        question: explain(question),
        ...(to === undefined ? {} : { to }),
        ...(deadline === undefined ? {} : { deadline }),
        ...(finding ? { because: explain(finding.reason) } : {}),
      },
    ]
  })
}

/** The children that a thread waits for, whose people are asked. */
export function childrenWaitedFor({ pending }: Run): readonly ChildLink[] {
  return pending.flatMap(effect => (effect.type === 'invoke' ? (effect.children ?? []) : []))
}

/** The questions that an event has opened, or passed on to somebody else. */
export function questionsOpenedBy(run: Run, { seq, event }: { seq: number; event: Stamped }) {
  const moved = event.type === 'tick' ? event.effect : undefined
  const opened = new Set(
    run.pending.flatMap(({ id, type, since }) =>
      type === 'interrupt' && (since === seq || id === moved) ? [id] : [],
    ),
  )
  return opened.size === 0 ? [] : questionsOf(run).filter(({ id }) => opened.has(id))
}
