/** The handle of one thread: its events, its state, and the commands to it. */
import { type Option, optionsOf } from '../../core/review/answers.ts'
import { machineAt } from '../../core/migration.ts'
import { type Mistake, mistakeIn } from '../../core/run/progress.ts'
import { isOver, type Row, type Run } from '../../core/run/run.ts'
import { channelValues, questionsOf, questionsOpenedBy, viewOf } from '../../core/run/view.ts'
import type { Escape, OpenQuestion, ThreadView } from '../../core/run/view.ts'
import { defined, type Json } from '../../core/watch/data/json.ts'
import type { ForkEffects, Finding } from '../../core/watch/event/event.ts'
import { fork } from '../../runtime/drive/copy.ts'
import type { ForkTerms } from '../../runtime/drive/fork-terms.ts'
import type { Graph, LiveToken } from '../../runtime/ports.ts'
import { archiveLines } from '../../runtime/store/archive.ts'
import { summaryOf } from '../../runtime/store/store.ts'
import { childrenOf } from '../drive/children.ts'
import { driveFamily } from '../drive/drive-family.ts'
import { type FeedItem, type FeedOptions, feed } from './feed.ts'
import { type ThreadGraph, threadGraph } from './thread-graph.ts'
import type { Host } from '../drive/host.ts'
import { judgedBy } from '../../core/review/judged.ts'
import { type Edit, editOf } from './question-edit.ts'
import { listingOf, type ThreadListing } from './listing.ts'
import { resultOf, type ThreadResult } from './result.ts'
import { type ThreadCommands, threadCommands } from './thread-commands.ts'
import { settleClosed } from './settle-closed.ts'
import { checkMade } from '../drive/once.ts'
import { withYields } from '../drive/yielding.ts'
import { newName } from './new-name.ts'

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
  /** A call failed or was refused. `count`: the rounds of calls in a row in which none succeeded; at `limit` they are a finding. */
  | ({ readonly type: 'mistake' } & Mistake & OfRow)
  /** The escape mechanism took a route. */
  | ({ readonly type: 'escape' } & Pick<Escape, 'route' | 'because'> & OfRow)
  /** Questions were asked, or moved to the next recipient. */
  | ({ readonly type: 'question'; readonly questions: readonly OpenQuestion[] } & OfRow)
  | ({ readonly type: 'ended' } & OfRow & ThreadResult<Output>)
  /** Streamed text of a model, which is never stored. Text of a new `attempt` of a call replaces the text of the previous one. */
  | ({ readonly type: 'token' } & Omit<LiveToken, 'kind'>)

/** An open question with its possible answers, and where each one leads. */
export type QuestionState = OpenQuestion & {
  readonly options: readonly Option[]
  /** What the person judges: the channels that the asking node names with `in`, or the `tool` and the `arguments` of the call, if the question does not tell them. */
  readonly judged?: Readonly<Record<string, Json>>
  /** The number of the event that asked it, and its time in ms. */
  readonly asked: number
  readonly at: number
  /** What the decision `edited`, or `applied`, takes as its `output`, where it is an option. */
  readonly edit?: Edit
}

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
export interface ForkOptions extends ForkTerms {
  /** The name of the fork. Default: a generated name. */
  readonly as?: string
  /** The event after which it starts. Default: the last. */
  readonly at?: number
  /** Its external effects: `refuse` writes, answer calls from what is `recorded`, or perform everything `live`. */
  readonly effects: ForkEffects
  /** Policy overrides, in spec notation. */
  readonly change?: Json
  /** A name for the request that is its own in the whole store. It creates no second fork, also after the fork is pruned. @throws ThreadPruned */
  readonly once?: string
}

interface Waiting {
  /** Rejects the call with the reason of the signal. The thread continues. */
  readonly signal?: AbortSignal
}

/** One thread, in whichever process it runs. Every method can reject with `UnknownThread` or `WrongGraph`. */
export interface ThreadHandle<Output = unknown, Channels = Readonly<Record<string, Json>>>
  extends ThreadCommands {
  readonly id: string
  /** The events after event `after`, until the thread ends or the signal is aborted. Does not drive the thread. */
  events(options?: FeedOptions): AsyncIterable<ThreadEvent<Output>>
  /** Waits for the end. Does not drive the thread. */
  result(options?: Waiting): Promise<ThreadResult<Output>>
  /** The current state, or the state after event `seq`. Does not drive the thread. */
  state(seq?: number): Promise<ThreadState<Channels>>
  /** The entry of the thread in a list: its status and last event. Does not need its graph. */
  summary(): Promise<ThreadListing>
  /** The stored rows after event `after` (default: all), at most `limit`. */
  rows(options?: { readonly after?: number; readonly limit?: number }): Promise<readonly Row[]>
  /** The seqs of the stored checkpoints up to event `before`, latest first, at most `limit` (default: 100). */
  checkpoints(options?: {
    readonly before?: number
    readonly limit?: number
  }): Promise<readonly number[]>
  /** The graph that the thread runs. Works for threads whose graph the runtime does not hold. */
  graph(): Promise<ThreadGraph>
  /** The lines of an archive of the thread and its child threads, each with its line break. */
  archive(): AsyncIterable<string>
  /** Drives the thread in this process until it ends or waits for people or time. A pause stays. @throws Conflict while another process drives it */
  drive(): Promise<ThreadState<Channels>>
  /** Lifts a pause, and drives the thread. @throws Conflict while another process drives it */
  resume(): Promise<ThreadState<Channels>>
  /** Creates a thread with the state of this one. It performs nothing until `resume()` or a worker drives it. @throws InvalidFork, ThreadExists */
  fork(options: ForkOptions): Promise<ThreadHandle<Output, Channels>>
}

export function threadHandle<Output>(host: Host, id: string): ThreadHandle<Output> {
  const methods: ThreadHandle<Output> = {
    id,
    async *events(options) {
      for await (const item of feed(host, id, options)) yield eventOf<Output>(id, item)
    },
    result: options => resultIn<Output>(host, id, options),
    state: seq => stateOf(host, id, seq),
    summary: async () => listingOf(await summaryOf(host.store, id)),
    async rows({ after, limit } = {}) {
      await summaryOf(host.store, id)
      return host.store.rows(id, after, limit)
    },
    checkpoints: options => checkpointsOf(host, id, options),
    graph: () => threadGraph(host, id),
    archive: () => archiveLines(host.store, id),
    async drive() {
      await driveFamily(host, id)
      return stateOf(host, id)
    },
    async resume() {
      await resumeThread(host, id)
      return stateOf(host, id)
    },
    ...threadCommands(host, id),
    async fork({ as = `${id}-${newName()}`, ...request }) {
      await checkMade(host.store, as, request.once)
      await fork(await host.portsOf(id), { thread: id, as, ...request })
      return threadHandle<Output>(host, as)
    },
  }
  return settleClosed(host, withYields(methods, ['events', 'archive']))
}

/** Drives a thread until it ends or waits. Lifts its pause. @throws Conflict while another process drives it */
export async function resumeThread(host: Host, id: string): Promise<Run> {
  const { run } = await host.runOf(id)
  if (run.paused) await host.deliver(id, { type: 'continue' })
  return driveFamily(host, id)
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
  if (row.ended && isOver(run)) return { type: 'ended', ...base, ...resultOf<Output>(endOf(run)) }
  const questions = questionsOpenedBy(run, row)
  if (questions.length > 0) return { type: 'question', ...base, questions }
  if (verdict.kind === 'escape')
    return { type: 'escape', ...base, route: verdict.route, because: verdict.because }
  if (findings.length > 0) return { type: 'finding', ...base, findings }
  const mistake = mistakeIn(run)
  return mistake ? { type: 'mistake', ...base, ...mistake } : { type: 'step', ...base }
}

async function resultIn<Output>(host: Host, id: string, { signal }: Waiting = {}) {
  // Reports a wrong graph now instead of after the end.
  await host.graphOf(id)
  for (;;) {
    signal?.throwIfAborted()
    const { status } = await summaryOf(host.store, id)
    if (status === 'ended') return resultOf<Output>(endOf((await host.runOf(id)).run))
    const failure = host.drives(id) ? undefined : host.failureOf(id)
    if (failure !== undefined) throw failure
    host.closing.throwIfAborted()
    await nextChange(host, id, signal)
  }
}

/** The next change of a thread, or the end of the wait: the caller looks at the thread once more. `AbortSignal.any` would add an entry to a long-lived signal. */
async function nextChange(host: Host, id: string, signal: AbortSignal | undefined) {
  const over = new AbortController()
  const end = () => over.abort()
  const signals = [host.closing, ...(signal ? [signal] : [])]
  for (const each of signals) each.addEventListener('abort', end, { once: true })
  await host.changes.next(id, over.signal).catch(() => {})
  for (const each of signals) each.removeEventListener('abort', end)
}

const endOf = ({ ended, lessons, watch }: Run) => {
  return { lessons, spent: watch.account.spent, ...defined({ ended }) }
}

async function checkpointsOf(
  { store }: Host,
  thread: string,
  { before, limit = 100 }: { readonly before?: number; readonly limit?: number } = {},
): Promise<readonly number[]> {
  await summaryOf(store, thread)
  const seqs: number[] = []
  for (let at = before; seqs.length < limit && (at === undefined || at >= 0); ) {
    const seq = (await store.load(thread, at))?.checkpoint?.seq
    if (seq === undefined) break
    seqs.push(seq)
    at = seq - 1
  }
  return seqs
}

export async function stateOf(host: Host, thread: string, seq?: number): Promise<ThreadState> {
  const { graph, run } = await host.runOf(thread, seq)
  const machine = machineAt(graph.machine, run)
  const view = viewOf(run, await host.store.rows(thread, -1, run.seq + 1))
  const children = await childrenOf(run, child => host.runOf(child))
  const below = await Promise.all(
    children.map(async child =>
      (await questionStates(host, child)).map(state => ({ thread: child.thread, ...state })),
    ),
  )
  return {
    ...view,
    thread,
    graph: machine.id,
    seq: run.seq,
    channels: channelValues(machine, run),
    questions: [
      ...(await questionStates(host, { thread, graph: { ...graph, machine }, run })),
      ...below.flat(),
    ],
  }
}

type Asking = Readonly<{ thread: string; graph: Graph; run: Run }>

function questionStates(host: Host, of: Asking): Promise<readonly QuestionState[]> {
  const { thread, graph, run } = of
  const { machine } = graph
  const all = questionsOf(run).map(async question => {
    const asked = run.pending.find(({ id }) => id === question.id)
    if (asked?.type !== 'interrupt') return []
    const [row] = await host.store.rows(thread, asked.since - 1, 1)
    const options = optionsOf(machine, run, asked)
    const takesEdit = options.some(
      ({ decision }) => decision === 'edited' || decision === 'applied',
    )
    const edit = takesEdit ? editOf(graph, run, asked, row) : undefined
    const terms = { options, asked: asked.since, at: row?.event.at ?? run.at }
    return [{ ...question, ...terms, ...defined({ judged: judgedBy(machine, run, asked), edit }) }]
  })
  return Promise.all(all).then(states => states.flat())
}
