/** Plays a graph: on virtual time, with a store in memory, and with scripts in place of its models and tools. */
import { type Review, reviewOf } from '../core/review/review.ts'
import type { Ending, Row, Run } from '../core/run.ts'
import { explain } from '../core/watch/reason/reason.ts'
import type { Spent } from '../core/watch/event/spent.ts'
import type { ChosenRung, Decision } from '../core/watch/event/event.ts'
import type { Failure } from '../core/watch/failure/failure.ts'
import type { Finding } from '../core/watch/event/finding.ts'
import type { Json } from '../core/watch/data/json.ts'
import { drive } from '../runtime/drive/drive.ts'
import { createGate } from '../runtime/gate/gate.ts'
import type { Graph, Model, Ports } from '../runtime/ports.ts'
import { memoryStore } from '../runtime/store/memory-store.ts'
import { replay } from '../runtime/store/replay.ts'
import type { Store } from '../runtime/store/store.ts'
import { virtualClock } from './clock.ts'
import { type ModelScript, modelFor, type ToolScript, toolOf } from './steps.ts'

/** An answer to a question. A text is the decision alone. */
export type PlayedAnswer =
  | Decision
  | {
      readonly decision: Decision
      readonly output?: Json
      readonly to?: string
      readonly rung?: ChosenRung
      readonly note?: string
    }

/** What a play begins with, and what replaces the models and tools of the graph. */
export interface PlayOptions<Input = unknown> {
  readonly input: Input
  /** In place of every model that `models` does not name. */
  readonly model?: ModelScript
  readonly models?: Readonly<Record<string, ModelScript>>
  readonly tools?: Readonly<Record<string, ToolScript>>
  /**
   * Answers to the questions, in order, or a function of each question. A question without an answer waits for its deadline;
   * without a deadline the play ends there, and `questions` holds it.
   */
  readonly answers?: readonly PlayedAnswer[] | ((question: Review) => PlayedAnswer | undefined)
  /** The random seed. Default: 1. */
  readonly seed?: number
  /** The keys of its scopes. */
  readonly keys?: Readonly<Record<string, string>>
}

/** One call of a tool, with the outcome of its last attempt. */
export interface PlayedCall {
  readonly tool: string
  readonly args: Json
  readonly attempts: number
  readonly result?: Json
  readonly failure?: Failure
}

/** One way out that was taken. */
export interface PlayedEscape {
  readonly rung: string
  readonly from?: string
  /** The state, or for a rollback the seq, to which it leads. */
  readonly to?: string | number
  readonly because: Finding
}

/** What came of a play. */
export interface Played<Output = unknown> {
  /** Absent while a question is open. */
  readonly outcome?: Ending['outcome']
  readonly output: Output
  /** One sentence: how it ended, and what caused it; or where it waits. */
  readonly because: string
  readonly calls: readonly PlayedCall[]
  readonly escapes: readonly PlayedEscape[]
  readonly findings: readonly Finding[]
  readonly questions: readonly Review[]
  readonly spent: Spent
  /** Virtual time from the first event to the last, in ms. */
  readonly took: number
  /** The journal. */
  readonly events: readonly Row[]
  readonly run: Run
  readonly thread: string
}

const THREAD = 'play'
const STEPS_MAX = 10_000
/** Midnight of 1 January 2026, UTC. */
const START = 1_767_225_600_000

/**
 * Runs a graph to its end, or to a question without an answer. Waits and timeouts take no time.
 *
 * @throws InvalidInput; TypeError where `models` or `tools` names what the graph lacks
 * @example
 * const played = await play(support, {
 *   input: { goal: 'Where is my order?' },
 *   model: [repeats(calls('search', { query: 'order' }))],
 *   tools: { search: fails(503) },
 * })
 * expect(played).toEscapeBy('alternative')
 */
export async function play<Input, Output>(
  graph: Graph<Input, Output>,
  options: PlayOptions<NoInfer<Input>>,
): Promise<Played<Output>> {
  const { input, answers = [], seed = 1, keys } = options
  const graphs = scripted(graph, options)
  const top = graphs.get(graph) as Graph
  const store = memoryStore()
  const ports = portsOf(store, top)
  const start = { input: input as Json, seed, ...(keys ? { keys } : {}) }
  await drive(ports, THREAD, { start })
  const next = Array.isArray(answers)
    ? listed(answers)
    : (answers as Exclude<typeof answers, readonly PlayedAnswer[]>)
  const stage = { ports, graphs: [...graphs.values()], next }
  for (let step = 1; await carriedOn(stage, step); step++)
    if (step === STEPS_MAX)
      throw new Error(`the play has not ended after ${STEPS_MAX} answers and waits`)
  return playedOf<Output>(ports)
}

function listed(answers: readonly PlayedAnswer[]): () => PlayedAnswer | undefined {
  const left = [...answers]
  return () => left.shift()
}

/** The graph and all graphs below it with their scripts. A graph may hold itself. */
function scripted(top: Graph, { model, models = {}, tools = {} }: PlayOptions): Map<Graph, Graph> {
  const made = new Map<Graph, Graph>()
  const lines = new Map<ModelScript, Model>()
  /** One script is one model, also where several graphs use it. */
  const lineOf = (script: ModelScript): Model => {
    const known = lines.get(script) ?? modelFor(script)
    lines.set(script, known)
    return known
  }
  const make = (graph: Graph): Graph => {
    const known = made.get(graph)
    if (known) return known
    const below: Record<string, Graph> = {}
    const copy: Graph = {
      ...graph,
      models: mapped(graph.models, (own, name) => {
        const script = models[name] ?? model
        return script
          ? Object.assign(Object.create(own) as Model, { ask: lineOf(script).ask })
          : own
      }),
      tools: mapped(graph.tools, (own, name) => (tools[name] ? toolOf(own, tools[name]) : own)),
      ...(graph.graphs ? { graphs: below } : {}),
    }
    made.set(graph, copy)
    for (const [name, other] of Object.entries(graph.graphs ?? {})) below[name] = make(other)
    return copy
  }
  make(top)
  const known = (kind: 'models' | 'tools') =>
    [...made.keys()].flatMap(graph => Object.keys(graph[kind]))
  checkNames('models', models, known('models'))
  checkNames('tools', tools, known('tools'))
  return made
}

function mapped<T>(
  all: Readonly<Record<string, T>>,
  make: (value: T, name: string) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, make(value, name)]))
}

function checkNames(path: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given))
    if (!known.includes(name))
      throw new TypeError(
        `${path}.${name}: the graph has no ${path.slice(0, -1)} of this name; expected one of ${known.join(', ') || '(none)'}`,
      )
}

function portsOf(store: Store, graph: Graph): Ports {
  return {
    graph,
    store,
    clock: virtualClock(START),
    gate: createGate(),
    wall: () => START,
    owner: THREAD,
    isOwnerDead: () => false,
    heartbeat: () => () => {},
    redact: value => value,
  }
}

interface Stage {
  readonly ports: Ports
  readonly graphs: readonly Graph[]
  readonly next: (question: Review) => PlayedAnswer | undefined
}

/** One thing that happens after a drive: what is due, an answer, or time. `false`: nothing more can happen. */
async function carriedOn({ ports, graphs, next }: Stage, step: number): Promise<boolean> {
  const { store, clock } = ports
  const [due] = await store.due(clock.now())
  if (due !== undefined) {
    await drive({ ...ports, graph: await graphOf(store, graphs, due) }, due)
    return true
  }
  const threads = (await store.threads()).filter(({ status }) => status !== 'ended')
  for (const { thread } of threads)
    for (const question of await questionsIn(store, await graphOf(store, graphs, thread), thread)) {
      const answer = next(question)
      if (answer === undefined) continue
      const said = typeof answer === 'string' ? { decision: answer } : answer
      await store.submit(thread, `answer-${step}`, { type: 'resume', effect: question.id, ...said })
      return true
    }
  const times = threads.flatMap(({ wakeAt }) => wakeAt ?? [])
  if (times.length === 0) return false
  await clock.sleep(Math.min(...times) - clock.now())
  return true
}

async function graphOf(store: Store, graphs: readonly Graph[], thread: string): Promise<Graph> {
  const summary = await store.thread(thread)
  return graphs.find(({ machine }) => machine.hash === summary?.specHash) as Graph
}

async function questionsIn(store: Store, graph: Graph, thread: string): Promise<readonly Review[]> {
  const run = await replay(graph.machine, store, thread)
  const rows = await store.rows(thread)
  return (run?.pending ?? []).flatMap(
    ({ id }) => (run && reviewOf(graph.machine, run, rows, id)) ?? [],
  )
}

async function playedOf<Output>({ store, graph }: Ports): Promise<Played<Output>> {
  const run = (await replay(graph.machine, store, THREAD)) as Run
  const events = await store.rows(THREAD)
  const { ended } = run
  return {
    ...(ended ? { outcome: ended.outcome } : {}),
    output: (ended?.result ?? null) as Output,
    because: ended
      ? explain(ended.because)
      : `waits in ${run.pending.map(({ state }) => state).join(', ')}`,
    calls: callsIn(events),
    escapes: events.flatMap(({ verdict }) =>
      verdict.kind === 'escape'
        ? { ...routed(verdict.route), because: verdict.because[0] as Finding }
        : [],
    ),
    findings: events.flatMap(({ findings }) => findings),
    questions: await questionsIn(store, graph, THREAD),
    spent: run.watch.account.spent,
    took: run.at - run.startedAt,
    events,
    run,
    thread: THREAD,
  }
}

type Escape = Extract<Row['verdict'], { kind: 'escape' }>

function routed(route: Escape['route']): Omit<PlayedEscape, 'because'> {
  const {
    rung,
    by = rung,
    from,
    to,
  } = route as typeof route & Partial<Pick<PlayedEscape, 'from' | 'to'>>
  return { rung: by, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

/** The calls of tools in the order in which they began; compensations left out. */
function callsIn(rows: readonly Row[]): readonly PlayedCall[] {
  const calls = new Map<string, PlayedCall>()
  for (const { event } of rows) {
    if (!('call' in event) || 'compensates' in event) continue
    const call = calls.get(event.call)
    if (event.type === 'tool.called')
      calls.set(event.call, { tool: event.subject, args: event.args, attempts: event.attempt })
    else if (call && event.type === 'tool.done')
      calls.set(event.call, { ...call, result: event.result })
    else if (call && event.type === 'tool.failed')
      calls.set(event.call, { ...call, failure: event.failure })
  }
  return [...calls.values()]
}
