/** The questions that people have answered lately, read from the ends of the journals. */
import { kindOf, type QuestionKind } from '../core/review/answers.ts'
import { pendingEffect } from '../core/run/effects.ts'
import { withQuestionId } from '../core/run/recorded-question.ts'
import type { Row } from '../core/run/run.ts'
import { defined } from '../core/watch/data/json.ts'
import type { EventOf } from '../core/watch/event/event.ts'
import { explain } from '../core/watch/reason/reason.ts'
import { importMark } from '../runtime/drive/copy.ts'
import type { ThreadQuery, ThreadSummary } from '../runtime/store/store.ts'
import type { Host } from './drive/host.ts'

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
type Resume = Row & { readonly event: EventOf<'resume'> }
type Found = Readonly<{ of: ThreadSummary; row: Resume }>
type Asked = Pick<AnsweredQuestion, 'question' | 'about' | 'asked'>

/** The answers of a thread up to its event `seq`. */
type Read = Readonly<{ startedAt: number; seq: number; answers: readonly Resume[] }>

const LIMIT = 50
/** The threads that are looked through, and the events at the end of each. */
const THREADS_MAX = 200
const EVENTS_MAX = 500
/** Entries of a cache. A full one is emptied. */
const KEPT_MAX = 2_000

/** A list that is read again and again reads only new rows, and folds each journal once. */
export class Answers {
  readonly #host: Host
  readonly #read = new Map<string, Read>()
  readonly #asked = new Map<string, Asked>()

  constructor(host: Host) {
    this.#host = host
  }

  /** The latest answers, latest first. */
  async list({ prefix, limit = LIMIT }: Query = {}): Promise<readonly AnsweredQuestion[]> {
    const latest = await this.#latest({ limit, ...defined({ prefix }) })
    const entries = latest.map(async found => {
      const asked = await this.#askedBy(found)
      return asked ? [entryOf(found, asked)] : []
    })
    return (await Promise.all(entries)).flat()
  }

  /** A thread has no later answer than its last event, so that the search ends early. */
  async #latest({
    limit,
    ...query
  }: Query & { readonly limit: number }): Promise<readonly Found[]> {
    const page = await this.#host.store.page({ ...query, order: 'latest', limit: THREADS_MAX })
    const threads = page.filter(of => this.#host.owns(of))
    let found: readonly Found[] = []
    for (const of of threads) {
      const last = found[limit - 1]
      if (last && last.row.event.at > of.at) break
      const answers = await this.#answersOf(of)
      found = [...found, ...answers.map(row => ({ of, row }))]
        .toSorted((a, b) => b.row.event.at - a.row.event.at)
        .slice(0, limit)
    }
    return found
  }

  async #answersOf({ thread, startedAt, seq }: ThreadSummary): Promise<readonly Resume[]> {
    const before = this.#read.get(thread)
    const isSame = before?.startedAt === startedAt && before.seq <= seq
    const known = isSame ? before : { seq: -1, answers: [] }
    if (known.seq === seq) return known.answers
    const after = Math.max(known.seq, seq - EVENTS_MAX)
    const later = answersIn(await this.#host.store.rows(thread, after))
    const named = await Promise.all(later.map(row => this.#withTrustedName(thread, row)))
    const answers = [...known.answers, ...named]
    keep(this.#read, thread, { startedAt, seq, answers })
    return answers
  }

  /** The name in an imported row may be forged. */
  async #withTrustedName(thread: string, row: Resume): Promise<Resume> {
    const { by, ...event } = row.event
    if (by === undefined) return row
    const mark = await this.#host.store.getBlob(importMark(thread, row))
    return mark === undefined ? row : { ...row, event }
  }

  async #askedBy({ of: { thread, startedAt }, row }: Found): Promise<Asked | undefined> {
    const key = `${thread} ${startedAt} ${row.seq}`
    const known = this.#asked.get(key)
    if (known) return known
    const { run } = await this.#host.runOf(thread, row.seq - 1)
    const event = withQuestionId(run, row)
    const effect = event.type === 'resume' ? pendingEffect(run.pending, event.effect) : undefined
    if (effect?.type !== 'interrupt') return undefined
    const { question, since: asked } = effect
    return keep(this.#asked, key, { question: explain(question), about: kindOf(effect), asked })
  }
}

function keep<T>(cache: Map<string, T>, key: string, value: T): T {
  if (cache.size >= KEPT_MAX) cache.clear()
  cache.set(key, value)
  return value
}

/** The answers of a thread itself: the rows up to a fork are those of its parent. */
function answersIn(rows: readonly Row[]): readonly Resume[] {
  const own = rows.slice(rows.findLastIndex(({ event }) => event.type === 'forked') + 1)
  return own.filter((row): row is Resume => row.event.type === 'resume')
}

function entryOf({ of, row: { seq, event } }: Found, asked: Asked): AnsweredQuestion {
  const { thread, graph, status, detail, outcome } = of
  const { effect: id, decision, rung, to, output, note, by, at, saidAt = at } = event
  const given = defined({ rung, to, output, note, by })
  const now = { status, detail, ...defined({ outcome }) }
  return { id, thread, graph, ...asked, seq, at: saidAt, decision, ...given, ...now }
}
