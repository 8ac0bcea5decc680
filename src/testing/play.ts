/** Plays a graph on virtual time, with a store in memory and scripts in place of its models and tools. */
import { checkOptionNames } from '../core/watch/data/fault.ts'
import { type Json, defined } from '../core/watch/data/json.ts'
import type { Review } from '../core/review/review.ts'
import type { Ending, Row, Run } from '../core/run/run.ts'
import { callOfQuestion } from '../core/run/question-id.ts'
import type { AgentEvent, EventOf, Finding } from '../core/watch/event/event.ts'
import { activeStates } from '../core/run/view.ts'
import type { Spent, ToolRequest } from '../core/watch/event/call-event.ts'
import { type Failure, failureMessage } from '../core/watch/failure/failure.ts'
import { explain } from '../core/watch/reason/reason.ts'
import { drive } from '../runtime/drive/drive.ts'
import { createGate } from '../runtime/gate/gate.ts'
import type { Graph, Model, Ports } from '../runtime/ports.ts'
import { memoryStore } from '../runtime/store/memory-store.ts'
import { replay } from '../runtime/store/replay.ts'
import { virtualClock } from './clock.ts'
import { replaceParts } from './replace.ts'
import { type ModelScript, modelFor } from './scripted-model.ts'
import { type ToolScript, toolOf } from './scripted-tool.ts'
import { beatOnWake, openQuestions, takeStep } from './stage.ts'
import type { PlayedAnswer, Respondents, Stage } from './stage.ts'

/** The input of a play and the replacements of models and tools. */
export interface PlayOptions<Input = unknown> {
  readonly input: Input
  /** Replaces every model that `models` does not name. Without either, the real model is asked. */
  readonly model?: ModelScript
  readonly models?: Readonly<Record<string, ModelScript>>
  /** Replaces these tools, `reconcile` and `compensate` included. **The other tools run as they are**, also those that write. */
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

/** A new option is missing here until it is added: the type says so. */
const OPTIONS: Readonly<Record<keyof PlayOptions, true>> = {
  ...{ input: true, model: true, models: true, tools: true, answers: true, seed: true, keys: true },
}

/** One tool call with the outcome of its last attempt, or with what an answer about it has made of it. `attempts` is 0 for a request that was not made: an unknown tool, invalid arguments, or a rejected call. */
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
  /** The cause in one sentence. */
  readonly because: string
  /** What was found, with its code, its calls and its events. */
  readonly finding: Finding
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
 * @throws InvalidInput; TypeError if `models` or `tools` names something that the graph lacks, a script is invalid, or an answer does not fit its question
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
  checkOptionNames(options, Object.keys(OPTIONS))
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
    ...beatOnWake(),
    // Nothing is stored: a test sees the values that its tools return.
    redact: value => value,
  }
  await drive(ports, THREAD, { start: { input: input as Json, seed, ...defined({ keys }) } })
  const give = typeof answers === 'function' ? answers : inOrder(answers)
  const answerTo: Respondents['answerTo'] = (question, thread) => {
    const answer = give(question, thread)
    return answer === undefined ? undefined : { answer }
  }
  const people = { answerTo, onRefused }
  const stage: Stage = { ports, thread: THREAD, graphs: [...graphs.values()], people }
  for (let step = 1; await takeStep(stage, step); step++)
    if (step === STEPS_MAX)
      throw new Error(`the play has not ended after ${STEPS_MAX} answers and waits`)
  return playedOf<Output>(stage)
}

const onRefused: Respondents['onRefused'] = ({ question: { question } }, answer, reason) => {
  throw new TypeError(
    `answers: ${JSON.stringify(answer)} does not fit the question '${question}': ${explain(reason)}`,
  )
}

/** A question that may expire is not answered later, even if it moves on to another person. */
function inOrder(answers: readonly PlayedAnswer[]) {
  const left = [...answers]
  const expiring = new Set<string>()
  return ({ id }: Review, thread: string) => {
    const key = `${thread} ${id}`
    const given = expiring.has(key) ? 'expired' : left.shift()
    if (given === 'expired') expiring.add(key)
    return given
  }
}

/** Replaces models and tools by their scripts. One script is one model, even if several graphs use it. */
function withScripts(top: Graph, options: PlayOptions): Map<Graph, Graph> {
  const { model, models = {}, tools = {} } = options
  const scripted = new Map<ModelScript, Pick<Model, 'ask'>>()
  const copies = replaceParts(top, {
    model: (own, name) => {
      const script = models[name] ?? model
      if (!script) return own
      const { ask } = scripted.get(script) ?? modelFor(script)
      scripted.set(script, { ask })
      return Object.assign(Object.create(own) as Model, { ask })
    },
    tool: (own, name) => (tools[name] ? toolOf(own, name, tools[name]) : own),
  })
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

async function playedOf<Output>(stage: Stage): Promise<Played<Output>> {
  const { store, graph } = stage.ports
  const questions = (await openQuestions(stage)).map(({ question }) => question)
  const run = (await replay(graph.machine, store, THREAD)) as Run
  const events = await store.rows(THREAD)
  const { ended } = run
  return {
    ...defined({ outcome: ended?.outcome }),
    output: (ended?.result ?? null) as Output,
    because: ended
      ? explain(ended.because)
      : [
          `waits in ${activeStates(run).join(', ')}`,
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
  const finding = verdict.because[0] as Finding
  return { rung: by, ...defined({ from, to }), because: explain(finding.reason), finding }
}

/** The call that an event finds to have taken effect after its attempt ended in doubt. */
function appliedBy(
  event: AgentEvent,
): { readonly call: string; readonly result: Json } | undefined {
  switch (event.type) {
    case 'resume': {
      const call = callOfQuestion(event.effect)
      if (call === undefined || event.decision !== 'applied') return undefined
      return { call, result: event.output ?? null }
    }
    case 'call.reconciled':
      return event.answer === 'applied' ? event : undefined
    case 'call.late':
      return event.ok ? event : undefined
    default:
      return undefined
  }
}

const isInDoubt = ({ result, failure }: PlayedCall): boolean =>
  result === undefined && (failure === undefined || failure.class === 'indeterminate')

/** The breaker of the tool did not let the call through. */
const isRefused = (event: AgentEvent): event is EventOf<'circuit.refused'> =>
  event.type === 'circuit.refused' && event.kind === 'tool'

/** Tool calls in order, without compensations. */
function callsIn(rows: readonly Row[]): readonly PlayedCall[] {
  const calls = new Map<string, PlayedCall>()
  let requests: readonly ToolRequest[] = []
  for (const { event } of rows) {
    const applied = appliedBy(event)
    const asked = applied && calls.get(applied.call)
    if (asked && isInDoubt(asked)) {
      const { failure: _, ...call } = asked
      calls.set(applied.call, { ...call, result: applied.result })
    }
    if (!('subject' in event) || 'compensates' in event) continue
    if (event.type === 'model.done') requests = event.calls
    const request = requests[Number(event.call.split('/').at(-1)) - 1]
    const args = request && request.tool === event.subject ? request.args : null
    const call = calls.get(event.call) ?? { tool: event.subject, args, attempts: 0 }
    if (event.type === 'tool.called')
      calls.set(event.call, { tool: event.subject, args: event.args, attempts: event.attempt })
    else if (event.type === 'tool.done') calls.set(event.call, { ...call, result: event.result })
    else if (event.type === 'tool.failed' || isRefused(event)) {
      const message = failureMessage(event.failure)
      const { args = call.args } = isRefused(event) ? event : call
      calls.set(event.call, { ...call, args, failure: { ...event.failure, message } })
    }
  }
  return [...calls.values()]
}
