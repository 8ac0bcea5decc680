/** The handle of one thread: what happens in it, how it stands, and what people say to it. */
import type { Outcome } from '../core/graph/agent-machine.ts'
import { itemsOf, type Log } from '../core/graph/log.ts'
import type { Answer } from '../core/answer.ts'
import { type Option, optionsOf } from '../core/review/options.ts'
import type { Row, Run } from '../core/run.ts'
import {
  childrenWaitedFor,
  type OpenQuestion,
  questionsOpenedBy,
  type ThreadView,
  viewOf,
} from '../core/view.ts'
import type { Spent } from '../core/watch/event/spent.ts'
import type { Decision, ForkEffects } from '../core/watch/event/event.ts'
import { explain } from '../core/watch/reason/reason.ts'
import type { Finding } from '../core/watch/event/finding.ts'
import type { Json } from '../core/watch/data/json.ts'
import type { Route } from '../core/watch/escape/rungs.ts'
import { fork } from '../runtime/drive/fork.ts'
import type { Graph } from '../runtime/ports.ts'
import { UnknownThread } from '../runtime/store/store.ts'
import { type FeedItem, type FeedOptions, feed } from './feed.ts'
import type { Host, Settled } from './host.ts'

interface OfRow {
  readonly thread: string
  /** The number of the event. Pass the last one seen as `after` to go on from there. */
  readonly seq: number
  readonly row: Row
}

/** What happens in a thread. Each row of the journal is one event; its type is the most telling that fits. */
export type ThreadEvent<Output = unknown> =
  | ({ readonly type: 'step' } & OfRow)
  /** Something was found, and nothing was done about it. */
  | ({ readonly type: 'finding'; readonly findings: readonly Finding[] } & OfRow)
  /** The escape mechanism took a way out. */
  | ({
      readonly type: 'escape'
      readonly route: Route
      readonly because: readonly Finding[]
    } & OfRow)
  /** Questions were put to people, or moved on to somebody else. */
  | ({ readonly type: 'question'; readonly questions: readonly OpenQuestion[] } & OfRow)
  | ({ readonly type: 'ended' } & OfRow & ThreadResult<Output>)
  /** Text of a model while it answers; never stored. Text of a new `attempt` of a call replaces that of the one before. */
  | {
      readonly type: 'token'
      readonly thread: string
      /** The last event before it. */
      readonly seq: number
      readonly effect: string
      readonly call: string
      readonly attempt: number
      readonly text: string
    }

/** How a thread has ended. `output` is what the graph promises where it succeeded, else what there is of it. */
export type ThreadResult<Output = unknown> = {
  readonly reason: string
  /** One sentence: what happened. */
  readonly because: string
  readonly spent: Spent
  readonly lessons: readonly string[]
} & (
  | { readonly outcome: 'success'; readonly output: Output }
  | { readonly outcome: Exclude<Outcome, 'success'> | 'error'; readonly output: Json }
)

/** An open question with the answers that fit, and where each of them leads. */
export type QuestionState = OpenQuestion & { readonly options: readonly Option[] }

/** A thread as it is stored: its status, channels, open questions and what it has spent. */
export interface ThreadState extends Omit<ThreadView, 'questions'> {
  readonly thread: string
  readonly graph: string
  /** The number of the last event. */
  readonly seq: number
  /** The channels; an append channel is a list. */
  readonly channels: Readonly<Record<string, Json>>
  /** The questions of the children it waits for included: those name their `thread`. */
  readonly questions: readonly QuestionState[]
}

/** What `fork` of a thread takes. */
export interface ForkOptions {
  /** The name of the fork; default: made up. */
  readonly as?: string
  /** The event after which it begins; default: the last. */
  readonly at?: number
  /** What it may do in the outside world: `refuse` writes, answer from what is `recorded`, or do everything `live`. */
  readonly effects: ForkEffects
  /** Of the policy, in the notation of a spec. */
  readonly change?: Json
}

export interface Waiting {
  /** Aborted: the call rejects with its reason. The thread is left alone. */
  readonly signal?: AbortSignal
}

/** One thread, whichever process drives it. Every method rejects with `UnknownThread` or `WrongGraph` where they apply. */
export interface ThreadHandle<Output = unknown> {
  readonly id: string
  /** What happens, from event `after` on, until the thread ends or the signal is aborted. It never drives. */
  events(options?: FeedOptions): AsyncIterable<ThreadEvent<Output>>
  /** Waits for the end. It never drives. */
  result(options?: Waiting): Promise<ThreadResult<Output>>
  /** How the thread stands. It never drives. */
  state(): Promise<ThreadState>
  /** Carries the thread on in this process until it ends, or only people and time can go on with it. @throws Conflict while another process drives it */
  resume(): Promise<ThreadState>
  /** Answers a question; resolves once the answer is applied or refused. @throws InvalidEvent */
  answer(
    question: string,
    answer: Decision | (Answer & { readonly note?: string }),
    options?: Waiting,
  ): Promise<Settled>
  /** A message; it begins the next round of a thread that has ended. */
  send(input: Json, options?: Waiting): Promise<Settled>
  cancel(reason?: string, options?: Waiting): Promise<Settled>
  /** Changes the policy from the next event on; `change` is in the notation of a spec. */
  changePolicy(change: Json, options?: Waiting): Promise<Settled>
  /** A thread that begins as this one stood. It performs nothing before `resume()` or a worker carries it on. @throws InvalidFork, ThreadExists */
  fork(options: ForkOptions): Promise<ThreadHandle<Output>>
}

export function threadHandle<Output>(host: Host, id: string): ThreadHandle<Output> {
  return {
    id,
    async *events(options) {
      for await (const item of feed(host, id, options)) yield eventOf<Output>(id, item)
    },
    result: options => resultIn<Output>(host, id, options),
    state: () => stateOf(host, id),
    async resume() {
      await host.driveOn(id)
      return stateOf(host, id)
    },
    answer: (effect, answer, { signal } = {}) =>
      host.deliver(
        id,
        {
          type: 'resume',
          effect,
          ...(typeof answer === 'string' ? { decision: answer } : answer),
        },
        signal,
      ),
    send: (input, { signal } = {}) => host.deliver(id, { type: 'message', input }, signal),
    cancel: (reason = 'cancelled', { signal } = {}) =>
      host.deliver(id, { type: 'cancel', reason }, signal),
    changePolicy: (change, { signal } = {}) =>
      host.deliver(id, { type: 'policy.change', change }, signal),
    async fork({ as = `${id}-${host.newName()}`, ...terms }) {
      await fork(await host.portsOf(id), { thread: id, as, ...terms })
      return threadHandle<Output>(host, as)
    },
  }
}

/** The event of an item of the feed. */
export function eventOf<Output = unknown>(thread: string, item: FeedItem): ThreadEvent<Output> {
  if (item.kind === 'token') {
    const { kind: _, ...token } = item.token
    return { type: 'token', ...token }
  }
  const { row, run } = item
  const of = { thread, seq: row.seq, row }
  if (row.ended && run.queue.length === 0)
    return { type: 'ended', ...of, ...(resultOf<Output>(run) as ThreadResult<Output>) }
  const questions = questionsOpenedBy(run, row)
  if (questions.length > 0) return { type: 'question', ...of, questions }
  if (row.verdict.kind === 'escape')
    return { type: 'escape', ...of, route: row.verdict.route, because: row.verdict.because }
  return row.findings.length > 0
    ? { type: 'finding', ...of, findings: row.findings }
    : { type: 'step', ...of }
}

async function resultIn<Output>(
  host: Host,
  id: string,
  { signal }: Waiting = {},
): Promise<ThreadResult<Output>> {
  // A thread of another graph is refused before it has ended, too.
  await host.graphOf(id)
  for (;;) {
    const summary = await host.store.thread(id)
    if (!summary) throw new UnknownThread(id)
    if (summary.status === 'ended') break
    const failure = host.drives(id) ? undefined : host.failureOf(id)
    if (failure !== undefined) throw failure
    await host.changes.next(id, signal)
  }
  return resultOf<Output>((await host.runOf(id)).run)
}

/** Of a run that has ended. */
export function resultOf<Output>(run: Run): ThreadResult<Output> {
  const { ended, lessons, watch } = run
  return {
    outcome: ended?.outcome ?? 'error',
    output: ended?.result ?? null,
    reason: ended?.reason ?? '',
    because: ended ? explain(ended.because) : '',
    spent: watch.account.spent,
    lessons: lessons.map(explain),
  } as ThreadResult<Output>
}

async function stateOf(host: Host, thread: string): Promise<ThreadState> {
  const { graph, run } = await host.runOf(thread)
  const rows = await host.store.rows(thread)
  const { questions: _, ...view } = viewOf(run, rows)
  return {
    ...view,
    thread,
    graph: graph.machine.id,
    seq: run.seq,
    channels: channelsIn(graph, run),
    questions: await questionsIn(host, { graph, run }),
  }
}

function channelsIn({ machine }: Graph, { snapshot }: Run): ThreadState['channels'] {
  return Object.fromEntries(
    Object.entries(snapshot.context).map(([name, value]) => [
      name,
      machine.logs.has(name) ? itemsOf(value as unknown as Log) : value,
    ]),
  )
}

/** The open questions of a thread, and of the children it waits for. */
async function questionsIn(
  host: Host,
  { graph, run }: { readonly graph: Graph; readonly run: Run },
): Promise<readonly QuestionState[]> {
  const own = viewOf(run, []).questions.flatMap(question => {
    const asked = run.pending.find(({ id }) => id === question.id)
    return asked?.type === 'interrupt'
      ? [{ ...question, options: optionsOf(graph.machine, run, asked) }]
      : []
  })
  const below = await Promise.all(
    childrenWaitedFor(run).map(async ({ thread }) =>
      (await questionsIn(host, await host.runOf(thread))).map(question => ({
        thread,
        ...question,
      })),
    ),
  )
  return [...own, ...below.flat()]
}
