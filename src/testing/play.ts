/** Plays a graph on virtual time, with a store in memory and scripts in place of its models and tools. */
import { type Json, mapFields, defined } from '../core/watch/data/json.ts'
import { type Review, reviewOf } from '../core/review/review.ts'
import type { Ending, Row, Run } from '../core/run.ts'
import type { Decision, EventOf, Finding } from '../core/watch/event/event.ts'
import type { Spent, ToolRequest } from '../core/watch/event/call-event.ts'
import { type Failure, failureMessage } from '../core/watch/failure/failure.ts'
import { explain } from '../core/watch/reason/reason.ts'
import { drive } from '../runtime/drive/drive.ts'
import { createGate } from '../runtime/gate/gate.ts'
import type { Graph, Model, Ports } from '../runtime/ports.ts'
import { memoryStore } from '../runtime/store/memory-store.ts'
import { replay } from '../runtime/store/replay.ts'
import type { Store } from '../runtime/store/store.ts'
import { virtualClock } from './clock.ts'
import { type ModelScript, type ToolScript, modelFor, toolOf } from './scripted-model.ts'

/** An answer to a question. A text is only the decision; `expired` lets time pass without an answer, up to the deadline. */
export type PlayedAnswer =
  | Decision
  | 'expired'
  | Pick<EventOf<'resume'>, 'decision' | 'output' | 'to' | 'rung' | 'note'>

/** The input of a play and the replacements of models and tools. */
export interface PlayOptions<Input = unknown> {
  readonly input: Input
  /** Replaces every model that `models` does not name. */
  readonly model?: ModelScript
  readonly models?: Readonly<Record<string, ModelScript>>
  readonly tools?: Readonly<Record<string, ToolScript>>
  /**
   * Answers to the questions in order, or a function of each question. The play ends at a question without an answer, and
   * `questions` contains the question.
   */
  readonly answers?: readonly PlayedAnswer[] | ((question: Review) => PlayedAnswer | undefined)
  /** The random seed. Default: 1. */
  readonly seed?: number
  /** The keys of its scopes. */
  readonly keys?: Readonly<Record<string, string>>
}

/** One tool call with the outcome of its last attempt. `attempts` is 0 for a request that was not made: an unknown tool, invalid arguments, or a rejected call. */
export interface PlayedCall {
  readonly tool: string
  readonly args: Json
  readonly attempts: number
  readonly result?: Json
  readonly failure?: Failure
}

/** One escape. */
export interface PlayedEscape {
  readonly rung: string
  readonly from?: string
  /** The target state, or for a rollback the target seq. */
  readonly to?: string | number
  readonly because: Finding
}

/** The result of a play. */
export interface Played<Output = unknown> {
  /** Absent while a question is open. */
  readonly outcome?: Ending['outcome']
  readonly output: Output
  /** One sentence: how it ended and why, or where it waits. */
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
 * @throws InvalidInput; TypeError if `models` or `tools` names something that the graph lacks
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
  const graphs = withScripts(graph, options)
  const ports: Ports = {
    graph: graphs.get(graph) as Graph,
    store: memoryStore(),
    clock: virtualClock(START),
    gate: createGate(),
    wall: () => START,
    owner: THREAD,
    isOwnerDead: () => false,
    heartbeat: () => () => {},
    redact: value => value,
  }
  await drive(ports, THREAD, { start: { input: input as Json, seed, ...defined({ keys }) } })
  const answerTo = typeof answers === 'function' ? answers : inOrder(answers)
  const stage: Stage = { ports, graphs: [...graphs.values()], answerTo }
  for (let step = 1; await takeStep(stage, step); step++)
    if (step === STEPS_MAX)
      throw new Error(`the play has not ended after ${STEPS_MAX} answers and waits`)
  return playedOf<Output>(stage)
}

/** A question that may expire is not answered later, even if it moves on to another person. */
function inOrder(answers: readonly PlayedAnswer[]): Stage['answerTo'] {
  const left = [...answers]
  const expiring = new Set<string>()
  return ({ id }, thread) => {
    const key = `${thread} ${id}`
    const given = expiring.has(key) ? 'expired' : left.shift()
    if (given === 'expired') expiring.add(key)
    return given
  }
}

/** Replaces the models and tools of the graph and of all graphs below it. A graph may contain itself. */
function withScripts(top: Graph, options: PlayOptions): Map<Graph, Graph> {
  const { model, models = {}, tools = {} } = options
  const copies = new Map<Graph, Graph>()
  const scripted = new Map<ModelScript, Pick<Model, 'ask'>>()
  const replaceModel = (own: Model, name: string) => {
    const script = models[name] ?? model
    if (!script) return own
    // One script is one model, even if several graphs use it.
    const { ask } = scripted.get(script) ?? modelFor(script)
    scripted.set(script, { ask })
    return Object.assign(Object.create(own) as Model, { ask })
  }
  const copyOf = (graph: Graph): Graph => {
    const known = copies.get(graph)
    if (known) return known
    const below: Record<string, Graph> = {}
    const copy: Graph = {
      ...graph,
      models: mapFields(graph.models, replaceModel),
      tools: mapFields(graph.tools, (own, name) => (tools[name] ? toolOf(own, tools[name]) : own)),
      ...(graph.graphs ? { graphs: below } : {}),
    }
    copies.set(graph, copy)
    for (const [name, other] of Object.entries(graph.graphs ?? {})) below[name] = copyOf(other)
    return copy
  }
  copyOf(top)
  checkNames('models', models, [...copies.keys()])
  checkNames('tools', tools, [...copies.keys()])
  return copies
}

function checkNames(kind: 'models' | 'tools', given: object, graphs: readonly Graph[]): void {
  const known = graphs.flatMap(graph => Object.keys(graph[kind]))
  const unknown = Object.keys(given).find(name => !known.includes(name))
  const wrong = `${kind}.${unknown}: the graph has no ${kind.slice(0, -1)} of this name; expected one of ${known.join(', ') || '(none)'}`
  if (unknown !== undefined) throw new TypeError(wrong)
}

interface Stage {
  readonly ports: Ports
  readonly graphs: readonly Graph[]
  readonly answerTo: (question: Review, thread: string) => PlayedAnswer | undefined
}

/** Drives a due thread, answers a question, or advances the time. Returns `false` if nothing more can happen. */
async function takeStep(stage: Stage, step: number): Promise<boolean> {
  const { ports, graphs, answerTo } = stage
  const { store, clock } = ports
  const [due] = await store.due(clock.now())
  if (due !== undefined) {
    await drive({ ...ports, graph: await graphOf(store, graphs, due) }, due)
    return true
  }
  let isUnanswered = false
  for (const [thread, question] of await openQuestions(stage)) {
    const given = answerTo(question, thread)
    isUnanswered ||= given === undefined
    if (given === undefined || given === 'expired') continue
    const answer = typeof given === 'string' ? { decision: given } : given
    const event = { type: 'resume', effect: question.id, ...answer } as const
    await store.submit(thread, `answer-${step}`, event)
    return true
  }
  const times = (await openThreads(store)).flatMap(({ wakeAt }) => wakeAt ?? [])
  if (isUnanswered || times.length === 0) return false
  await clock.sleep(Math.min(...times) - clock.now())
  return true
}

async function graphOf(store: Store, graphs: readonly Graph[], thread: string): Promise<Graph> {
  const summary = await store.thread(thread)
  return graphs.find(({ machine }) => machine.hash === summary?.specHash) as Graph
}

async function openThreads(store: Store) {
  return (await store.threads()).filter(({ status }) => status !== 'ended')
}

/** The open questions of all threads, each with its thread. */
async function openQuestions({ ports: { store }, graphs }: Stage) {
  const questions: [thread: string, question: Review][] = []
  for (const { thread } of await openThreads(store)) {
    const { machine } = await graphOf(store, graphs, thread)
    const run = await replay(machine, store, thread)
    const rows = await store.rows(thread)
    for (const { id } of run?.pending ?? []) {
      const question = run && reviewOf(machine, run, rows, id)
      if (question) questions.push([thread, question])
    }
  }
  return questions
}

async function playedOf<Output>(stage: Stage): Promise<Played<Output>> {
  const { store, graph } = stage.ports
  const questions = (await openQuestions(stage)).map(([, question]) => question)
  const run = (await replay(graph.machine, store, THREAD)) as Run
  const events = await store.rows(THREAD)
  const { ended, pending } = run
  return {
    ...defined({ outcome: ended?.outcome }),
    output: (ended?.result ?? null) as Output,
    because: ended
      ? explain(ended.because)
      : [
          `waits in ${pending.map(({ state }) => state).join(', ')}`,
          ...questions.map(({ question }) => question),
        ].join(': '),
    calls: callsIn(events),
    escapes: events.flatMap(({ verdict }) => escapeOf(verdict) ?? []),
    findings: events.flatMap(({ findings }) => findings),
    questions,
    spent: run.watch.account.spent,
    took: run.at - run.startedAt,
    events,
    run,
    thread: THREAD,
  }
}

function escapeOf(verdict: Row['verdict']): PlayedEscape | undefined {
  if (verdict.kind !== 'escape') return undefined
  const { rung, by = rung, from, to } = { from: undefined, to: undefined, ...verdict.route }
  return { rung: by, ...defined({ from, to }), because: verdict.because[0] as Finding }
}

/** Tool calls in order, without compensations. */
function callsIn(rows: readonly Row[]): readonly PlayedCall[] {
  const calls = new Map<string, PlayedCall>()
  let requests: readonly ToolRequest[] = []
  for (const { event } of rows) {
    if (!('subject' in event) || 'compensates' in event) continue
    if (event.type === 'model.done') requests = event.calls
    const request = requests[Number(event.call.split('/').at(-1)) - 1]
    const args = request && request.tool === event.subject ? request.args : null
    const call = calls.get(event.call) ?? { tool: event.subject, args, attempts: 0 }
    if (event.type === 'tool.called')
      calls.set(event.call, { tool: event.subject, args: event.args, attempts: event.attempt })
    else if (event.type === 'tool.done') calls.set(event.call, { ...call, result: event.result })
    else if (event.type === 'tool.failed') {
      const message = failureMessage(event.failure)
      calls.set(event.call, { ...call, failure: { ...event.failure, message } })
    }
  }
  return [...calls.values()]
}
