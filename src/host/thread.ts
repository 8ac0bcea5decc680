/** The handle of one thread: its events, its state, and the commands to it. */
import type { AgentMachine, Outcome } from '../core/graph/agent-machine.ts'
import { type Log, itemsOf } from '../core/graph/channels.ts'
import { type Answer, type Option, optionsOf } from '../core/review/answers.ts'
import { isOver, type Row, type Run } from '../core/run.ts'
import { childrenWaitedFor, questionsOf, questionsOpenedBy, viewOf } from '../core/view.ts'
import type { Escape, OpenQuestion, ThreadView } from '../core/view.ts'
import type { Json } from '../core/watch/data/json.ts'
import type { Decision, ForkEffects, Finding } from '../core/watch/event/event.ts'
import type { Spent } from '../core/watch/event/call-event.ts'
import { explain } from '../core/watch/reason/reason.ts'
import { fork } from '../runtime/drive/copy.ts'
import type { Command } from '../runtime/store/person-event.ts'
import type { LiveToken } from '../runtime/ports.ts'
import { UnknownThread } from '../runtime/store/store.ts'
import { type FeedItem, type FeedOptions, feed } from './feed.ts'
import type { Host, Settled } from './host.ts'

interface OfRow {
  readonly thread: string
  /** The number of the event. Pass the last one as `after` to continue from there. */
  readonly seq: number
  readonly row: Row
}

/** An event of a thread. Each row of the journal is one event, with the most specific type that fits. */
export type ThreadEvent<Output = unknown> =
  | ({ readonly type: 'step' } & OfRow)
  /** The watchdog has findings and no escape was taken. */
  | ({ readonly type: 'finding'; readonly findings: readonly Finding[] } & OfRow)
  /** The escape mechanism took a route. */
  | ({ readonly type: 'escape' } & Pick<Escape, 'route' | 'because'> & OfRow)
  /** Questions were asked, or moved to the next recipient. */
  | ({ readonly type: 'question'; readonly questions: readonly OpenQuestion[] } & OfRow)
  | ({ readonly type: 'ended' } & OfRow & ThreadResult<Output>)
  /** Streamed text of a model, which is never stored. Text of a new `attempt` of a call replaces the text of the previous one. */
  | ({ readonly type: 'token' } & Omit<LiveToken, 'kind'>)

/** How a thread has ended. After a success, `output` is the declared output of the graph, otherwise the part that exists. */
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

/** An open question with its possible answers, and where each one leads. */
export type QuestionState = OpenQuestion & { readonly options: readonly Option[] }

/** A stored thread: its status, channels, open questions and spending. */
export interface ThreadState<Channels = Readonly<Record<string, Json>>>
  extends Omit<ThreadView, 'questions'> {
  readonly thread: string
  readonly graph: string
  /** The number of the last event. */
  readonly seq: number
  /** The channels. An append channel is a list. */
  readonly channels: Channels
  /** The questions of the thread, and of the children it waits for. The latter name their `thread`. */
  readonly questions: readonly QuestionState[]
}

/** The options of `fork`. */
export interface ForkOptions {
  /** The name of the fork. Default: a generated name. */
  readonly as?: string
  /** The event after which it starts. Default: the last. */
  readonly at?: number
  /** Its external effects: `refuse` writes, answer calls from what is `recorded`, or perform everything `live`. */
  readonly effects: ForkEffects
  /** Policy overrides, in spec notation. */
  readonly change?: Json
}

interface Waiting {
  /** Rejects the call with the reason of the signal. The thread continues. */
  readonly signal?: AbortSignal
}

type NotedAnswer = Decision | (Answer & { readonly note?: string })

/** One thread, in whichever process it runs. Every method can reject with `UnknownThread` or `WrongGraph`. */
export interface ThreadHandle<Output = unknown, Channels = Readonly<Record<string, Json>>> {
  readonly id: string
  /** The events after event `after`, until the thread ends or the signal is aborted. Does not drive the thread. */
  events(options?: FeedOptions): AsyncIterable<ThreadEvent<Output>>
  /** Waits for the end. Does not drive the thread. */
  result(options?: Waiting): Promise<ThreadResult<Output>>
  /** The current state. Does not drive the thread. */
  state(): Promise<ThreadState<Channels>>
  /** Drives the thread in this process until it ends or waits for people or time. @throws Conflict while another process drives it */
  resume(): Promise<ThreadState<Channels>>
  /** Answers a question. Resolves once the answer is applied or refused. @throws InvalidEvent */
  answer(question: string, answer: NotedAnswer, options?: Waiting): Promise<Settled>
  /** Sends a message. It starts the next round of a thread that has ended. */
  send(input: Json, options?: Waiting): Promise<Settled>
  cancel(reason?: string, options?: Waiting): Promise<Settled>
  /** Changes the policy from the next event on. `change` uses spec notation. */
  changePolicy(change: Json, options?: Waiting): Promise<Settled>
  /** Creates a thread with the state of this one. It performs nothing until `resume()` or a worker drives it. @throws InvalidFork, ThreadExists */
  fork(options: ForkOptions): Promise<ThreadHandle<Output, Channels>>
}

export function threadHandle<Output>(host: Host, id: string): ThreadHandle<Output> {
  const deliver = (command: Command, { signal }: Waiting = {}) => host.deliver(id, command, signal)
  return {
    id,
    async *events(options) {
      for await (const item of feed(host, id, options)) yield eventOf<Output>(id, item)
    },
    result: options => resultIn<Output>(host, id, options),
    state: () => stateOf(host, id),
    async resume() {
      await host.driveWithParents(id)
      return stateOf(host, id)
    },
    answer: (effect, answer, options) => {
      const request = typeof answer === 'string' ? { decision: answer } : answer
      return deliver({ type: 'resume', effect, ...request }, options)
    },
    send: (input, options) => deliver({ type: 'message', input }, options),
    cancel: (reason = 'cancelled', options) => deliver({ type: 'cancel', reason }, options),
    changePolicy: (change, options) => deliver({ type: 'policy.change', change }, options),
    async fork({ as = `${id}-${host.newName()}`, ...request }) {
      await fork(await host.portsOf(id), { thread: id, as, ...request })
      return threadHandle<Output>(host, as)
    },
  }
}

/** Converts an item of the feed. */
export function eventOf<Output = unknown>(thread: string, item: FeedItem): ThreadEvent<Output> {
  if (item.kind === 'token') {
    const { kind: _, ...token } = item.token
    return { type: 'token', ...token }
  }
  const { row, run } = item
  const { seq, verdict, findings } = row
  const base = { thread, seq, row }
  if (row.ended && isOver(run)) return { type: 'ended', ...base, ...resultOf<Output>(run) }
  const questions = questionsOpenedBy(run, row)
  if (questions.length > 0) return { type: 'question', ...base, questions }
  if (verdict.kind === 'escape')
    return { type: 'escape', ...base, route: verdict.route, because: verdict.because }
  return findings.length > 0 ? { type: 'finding', ...base, findings } : { type: 'step', ...base }
}

async function resultIn<Output>(host: Host, id: string, { signal }: Waiting = {}) {
  // Reports a wrong graph now instead of after the end.
  await host.graphOf(id)
  for (;;) {
    const summary = await host.store.thread(id)
    if (!summary) throw new UnknownThread(id)
    if (summary.status === 'ended') return resultOf<Output>((await host.runOf(id)).run)
    const failure = host.drives(id) ? undefined : host.failureOf(id)
    if (failure !== undefined) throw failure
    await host.changes.next(id, signal)
  }
}

function resultOf<Output>({ ended, lessons, watch }: Run): ThreadResult<Output> {
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
  const { machine } = graph
  const view = viewOf(run, await host.store.rows(thread))
  const channels = Object.entries(run.snapshot.context).map(([name, value]) => [
    name,
    machine.logs.has(name) ? itemsOf(value as unknown as Log) : value,
  ])
  const children = await childrenOf(run, child => host.runOf(child))
  return {
    ...view,
    thread,
    graph: machine.id,
    seq: run.seq,
    channels: Object.fromEntries(channels),
    questions: [
      ...questionsWithOptions(machine, run),
      ...children.flatMap(({ thread, graph, run }) =>
        questionsWithOptions(graph.machine, run).map(question => ({ thread, ...question })),
      ),
    ],
  }
}

function questionsWithOptions(machine: AgentMachine, run: Run): readonly QuestionState[] {
  return questionsOf(run).flatMap(question => {
    const asked = run.pending.find(({ id }) => id === question.id)
    return asked?.type === 'interrupt'
      ? [{ ...question, options: optionsOf(machine, run, asked) }]
      : []
  })
}

/** The children that a run waits for, each followed by its own. */
export async function childrenOf<T extends { readonly run: Run }>(
  run: Run,
  load: (thread: string) => Promise<T>,
): Promise<readonly (T & { readonly thread: string })[]> {
  const families = childrenWaitedFor(run).map(async ({ thread }) => {
    const child = await load(thread)
    return [{ thread, ...child }, ...(await childrenOf(child.run, load))]
  })
  return (await Promise.all(families)).flat()
}
