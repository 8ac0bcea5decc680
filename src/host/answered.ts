/** The questions that people have answered lately, read from the ends of the journals. */
import { kindOf, type QuestionKind } from '../core/review/answers.ts'
import { pendingEffect } from '../core/effects.ts'
import type { Row } from '../core/run.ts'
import { defined } from '../core/watch/data/json.ts'
import type { EventOf } from '../core/watch/event/event.ts'
import { explain } from '../core/watch/reason/reason.ts'
import type { ThreadQuery, ThreadSummary } from '../runtime/store/store.ts'
import type { Host } from './host.ts'

/** An answer: who decided, what, when, and what has become of the thread since then. */
export type AnsweredQuestion = Readonly<{
  id: string
  thread: string
  graph: string
  question: string
  about: QuestionKind
  /** The numbers of the event that asked, and of the answer. */
  asked: number
  seq: number
  /** When it was answered, in ms. */
  at: number
}> &
  Pick<EventOf<'resume'>, 'decision' | 'rung' | 'to' | 'output' | 'note' | 'by'> &
  /** The thread now. */
  Pick<ThreadSummary, 'status' | 'detail' | 'outcome'>

type Query = Pick<ThreadQuery, 'prefix' | 'limit'>
type Read = (query?: Query) => Promise<readonly AnsweredQuestion[]>
type Resume = Row & { readonly event: EventOf<'resume'> }
type Found = Readonly<{ of: ThreadSummary; row: Resume }>
type Asked = Pick<AnsweredQuestion, 'question' | 'about' | 'asked'>

const LIMIT = 50
/** The threads that are looked through, and the events at the end of each. */
const THREADS_MAX = 500
const EVENTS_MAX = 1_000
/** Questions that are kept: a list that is read again and again folds each journal once. */
const KEPT_MAX = 1_000

export function answeredIn(host: Host): Read {
  const kept = new Map<string, Asked>()
  const askedIn = async ({ of, row }: Found): Promise<Asked | undefined> => {
    const key = `${of.thread} ${row.seq} ${row.event.at}`
    const asked = kept.get(key) ?? (await questionBefore(host, of.thread, row))
    if (asked && kept.size < KEPT_MAX) kept.set(key, asked)
    return asked
  }
  return async ({ prefix, limit = LIMIT } = {}) => {
    const latest = await latestAnswers(host, { limit, ...defined({ prefix }) })
    const all = await Promise.all(
      latest.map(async found => {
        const asked = await askedIn(found)
        return asked ? [entryOf(found, asked)] : []
      }),
    )
    return all.flat()
  }
}

/** The latest answers, latest first. A thread has no later answer than its last event, so that the search ends early. */
async function latestAnswers(
  host: Host,
  { limit, ...query }: Query & { readonly limit: number },
): Promise<readonly Found[]> {
  const threads = (await host.store.page(query))
    .filter(of => host.owns(of))
    .toSorted((a, b) => b.at - a.at)
    .slice(0, THREADS_MAX)
  let found: readonly Found[] = []
  for (const of of threads) {
    const last = found[limit - 1]
    if (last && last.row.event.at > of.at) break
    const rows = await host.store.rows(of.thread, Math.max(-1, of.seq - EVENTS_MAX))
    found = [...found, ...answersIn(rows).map(row => ({ of, row }))]
      .toSorted((a, b) => b.row.event.at - a.row.event.at)
      .slice(0, limit)
  }
  return found
}

/** The answers of a thread itself: the rows up to a fork are those of its parent. */
function answersIn(rows: readonly Row[]): readonly Resume[] {
  const own = rows.slice(rows.findLastIndex(({ event }) => event.type === 'forked') + 1)
  return own.filter((row): row is Resume => row.event.type === 'resume')
}

async function questionBefore(host: Host, thread: string, row: Resume): Promise<Asked | undefined> {
  const { run } = await host.runOf(thread, row.seq - 1)
  const effect = pendingEffect(run.pending, row.event.effect)
  if (effect?.type !== 'interrupt') return undefined
  return { question: explain(effect.question), about: kindOf(effect), asked: effect.since }
}

function entryOf({ of, row: { seq, event } }: Found, asked: Asked): AnsweredQuestion {
  const { thread, graph, status, detail, outcome } = of
  const { effect: id, decision, rung, to, output, note, by, at, saidAt = at } = event
  const given = defined({ rung, to, output, note, by })
  const now = { status, detail, ...defined({ outcome }) }
  return { id, thread, graph, ...asked, seq, at: saidAt, decision, ...given, ...now }
}
