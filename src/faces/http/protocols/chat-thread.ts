/** What chat protocols do with a thread: start it, send a message, answer its questions, and follow the round of a message. */
import { nodeOwner } from '../../../adapters/node/ports.ts'
import type { Row } from '../../../core/run/run.ts'
import type { OpenQuestion } from '../../../core/run/view.ts'
import { canonical, defined, hash, type Json } from '../../../core/watch/data/json.ts'
import { inspectGraph } from '../../../host/overview.ts'
import type { Runtime } from '../../../host/runtime.ts'
import type { QuestionState, ThreadHandle } from '../../../host/thread/thread.ts'
import type { Graph } from '../../../runtime/ports.ts'
import { redactKey } from '../../../runtime/redaction/redact.ts'
import { isThreadExists, isUnknownThread } from '../../../runtime/store/store.ts'
import { nameOfValue } from '../../../runtime/store/value-name.ts'
import { Refused } from '../contract/problem.ts'
import { checkApplied } from '../endpoints/commands.ts'
import type { Call } from '../endpoints/handler.ts'
import { graphNamed, rowsOf } from '../endpoints/threads.ts'
import { Conversation, type Part } from './parts.ts'
import { Rounds } from './rounds.ts'

/** What a chat needs of its request. */
export type ChatContext = Pick<Call<unknown, unknown>, 'runtime' | 'audit' | 'caller'>

/** A message of a person. */
export interface UserMessage {
  readonly thread: string
  /** The graph of the thread. Default for a new thread: the only graph of the service. */
  readonly graph?: string | undefined
  readonly text: string
  /** The input of the round. Default: the text, as the first text of the input. */
  readonly input?: Readonly<Record<string, Json>> | undefined
  /** The keys of the graph's scopes, for a new thread. */
  readonly keys?: Readonly<Record<string, string>> | undefined
  /** The id of the message. A repeated message is sent once. */
  readonly id?: string | undefined
}

/** The round of a message, and which of its events a client has not seen. */
export interface Round {
  readonly handle: ThreadHandle
  /** The seq of the event with the message. */
  readonly message: number
  /** The rounds up to the round of the message, or up to the last event if it waits for its round. */
  readonly rounds: Rounds
  /** Where the events begin that the round needs. */
  readonly from: number
  /** The last event that the client has seen. */
  readonly after: number
  /** The answers with which the client continues the round. */
  readonly answers?: readonly QuestionAnswer[]
}

/** Starts a thread, or sends a message to it. A repeated message has no effect: its round is the first one with its id. @throws Refused */
export async function sendMessage(context: ChatContext, message: UserMessage): Promise<Round> {
  const { thread, text, input } = message
  context.audit({ thread })
  if (input === undefined && text.trim() === '')
    throw new Refused(422, 'invalid-request', 'expected a message of the user with text')
  // Stored ids are redacted: a repeated message must have the same id.
  const id = redactKey(nodeOwner().redact, message.id ?? crypto.randomUUID())
  const handle = context.runtime.thread(thread)
  let rows = await rowsOf(handle)
  if (rows.length === 0) {
    // An id that the service has generated is never repeated.
    const once = message.id === undefined ? undefined : nameOfValue('message', [thread, id])
    await start(context, { ...message, id }, once)
    rows = await rowsOf(handle)
  }
  await checkGraph(handle, message.graph)
  const isSent = rows.some(row => messageIdIn(row) === id)
  if (!isSent) rows = await send(context, handle, { ...message, id }, rows)
  return roundIn(handle, rows, row => messageIdIn(row) === id)
}

type Identified = UserMessage & { readonly id: string }

/** Starts the thread of a message, unless another request starts it at the same time. `once` names the message. @throws ThreadPruned if it has started the thread before */
async function start(
  { runtime, audit }: ChatContext,
  message: Identified,
  once: string | undefined,
): Promise<void> {
  const { thread, text, id, keys } = message
  const graph = graphOf(runtime, message.graph)
  audit({ do: 'start', graph: graph.machine.id })
  const input = message.input ?? inputOf(graph, text)
  try {
    await runtime.start(graph, input as never, { thread, message: id, ...defined({ once, keys }) })
  } catch (error) {
    if (!isThreadExists(error)) throw error
  }
}

/** Sends a message to a stored thread. Returns the rows of the thread. */
async function send(
  { runtime, audit }: ChatContext,
  handle: ThreadHandle,
  { text, id, input }: Identified,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  audit({ do: 'send' })
  const { graph } = await handle.summary()
  // A message that was refused in one round can be sent again after it.
  const rounds = rows.filter(({ ended }) => ended).length
  const command = JSON.stringify(['message', id, rounds])
  const content = input ?? inputOf(graphNamed(runtime, graph), text)
  checkApplied(await handle.send(content, { id: command }))
  return [...rows, ...(await handle.rows({ after: rows.at(-1)?.seq ?? -1 }))]
}

/** @throws Refused */
async function checkGraph(handle: ThreadHandle, expected: string | undefined): Promise<void> {
  if (expected === undefined) return
  const { graph } = await handle.summary()
  if (graph === expected) return
  const detail = `thread '${handle.id}' runs the graph '${graph}', not '${expected}'`
  throw new Refused(409, 'wrong-graph', detail)
}

/** The round of the message that `isMessage` finds. */
function roundIn(
  handle: ThreadHandle,
  rows: readonly Row[],
  isMessage: (row: Row) => boolean,
): Round {
  const { seq: message = 0 } = rows.find(isMessage) ?? {}
  const rounds = new Rounds()
  const opening = rows.find(row => rounds.take(row)?.seq === message)
  const from = opening?.seq ?? (rows.at(-1)?.seq ?? -1) + 1
  return { handle, message, rounds, from, after: from - 1 }
}

/** The current round, from its start. */
export async function roundOf(handle: ThreadHandle): Promise<Round> {
  const rows = await handle.rows()
  const rounds = new Rounds()
  for (const row of rows) rounds.take(row)
  return roundIn(handle, rows, ({ seq }) => seq === rounds.current?.seq)
}

/** Answers open questions of a thread and its children, and resumes its round. @throws Refused */
export async function answerQuestions(
  { runtime, audit, caller }: ChatContext,
  thread: string,
  answers: readonly QuestionAnswer[],
): Promise<Round> {
  const ids = answers.map(({ question: id, thread }) => questionId({ id, ...defined({ thread }) }))
  const decision = answers.map(answer => answer.decision).join(', ')
  audit({ thread, do: 'answer', question: ids.join(', '), decision })
  const handle = runtime.thread(thread)
  const { seq, questions } = await handle.state()
  // A refused answer leaves the others without effect, too.
  for (const answer of answers) checkDecision(questions, answer)
  for (const { question, thread: child = thread, ...answer } of answers) {
    const id = hash(canonical(['answer', child, question, answer as unknown as Json]))
    const given = { ...answer, ...defined({ by: caller?.name }) }
    checkApplied(await runtime.thread(child).answer(question, given as never, { id }))
  }
  return { ...(await roundOf(handle)), after: seq, answers }
}

/** A question that is closed may have this answer already. @throws Refused */
function checkDecision(
  open: readonly QuestionState[],
  { question: id, ...answer }: QuestionAnswer,
) {
  const asked = open.find(each => each.id === id && each.thread === answer.thread)
  const decisions = asked?.options.map(({ decision }) => decision) ?? [answer.decision]
  if (decisions.some(decision => decision === answer.decision)) return
  const detail = `question '${id}' takes one of: ${decisions.join(', ')}`
  throw new Refused(409, 'wrong-decision', detail)
}

/** An answer to a question. */
export interface QuestionAnswer {
  readonly question: string
  /** The child thread that asks. */
  readonly thread?: string
  readonly decision: string
  readonly rung?: string
  readonly to?: string
  readonly note?: string
  readonly output?: Json
}

/** The id of a question for clients. Questions of child threads have the name of their thread in it. */
export const questionId = ({ id, thread }: Pick<OpenQuestion, 'id' | 'thread'>): string =>
  thread === undefined ? id : `${thread} ${id}`

/** The question with an id of a client: the inverse of `questionId`. The ids of threads have no space. */
export function questionIn(id: string): Pick<QuestionAnswer, 'question' | 'thread'> {
  const at = id.lastIndexOf(' ')
  return at < 0 ? { question: id } : { thread: id.slice(0, at), question: id.slice(at + 1) }
}

/** The parts of a round that a client has not seen, until the thread waits for a person or the round ends. The questions of children come last. */
export async function* partsOf(round: Round, signal: AbortSignal): AsyncGenerator<Part> {
  const { handle, message, rounds, from, after, answers = [] } = round
  const conversation = new Conversation()
  const asked = new Set<string>()
  for (const { thread, question: id, decision, rung = decision } of answers)
    if (thread !== undefined)
      yield { type: 'answered', question: questionId({ thread, id }), decision: rung }
  for await (const event of handle.events({ after: from - 1, until: 'waiting', signal })) {
    if (event.type !== 'token') rounds.take(event.row)
    if (rounds.current?.seq !== message) continue
    const parts = [...conversation.take(event)]
    for (const part of parts) if (part.type === 'question') asked.add(questionId(part.question))
    if (event.type === 'token' || event.seq > after) yield* parts
    if (event.type !== 'token' && event.row.ended) return
  }
  if (signal.aborted) return
  for (const question of (await handle.state()).questions)
    if (!asked.has(questionId(question))) yield { type: 'question', question }
}

/** The id that the client gave to the message of a row. */
export function messageIdIn({ event }: Row): string | undefined {
  if (event.type === 'thread.started') return event.message
  if (event.type !== 'message' || !event.command?.startsWith('["message",')) return undefined
  return (JSON.parse(event.command) as readonly string[])[1]
}

/** The status and the last event of a thread, if it is stored. */
export const summaryOf = (handle: ThreadHandle) =>
  handle.summary().catch(error => {
    if (!isUnknownThread(error)) throw error
  })

/** @throws Refused */
function graphOf(runtime: Runtime, name: string | undefined): Graph {
  const [first, ...others] = new Set(runtime.graphs.map(({ machine }) => machine.id))
  if (name !== undefined) return graphNamed(runtime, name)
  if (first !== undefined && others.length === 0) return graphNamed(runtime, first)
  const detail = 'the service has several graphs: name one as `graph`'
  throw new Refused(422, 'unknown-graph', detail)
}

/** The text as the first text of the input of a graph. @throws Refused */
function inputOf(graph: Graph, text: string): Readonly<Record<string, Json>> {
  const { input = [], channels } = inspectGraph(graph).spec as Inputs
  const isText = (name: string) => (channels?.[name]?.type ?? 'string') === 'string'
  const name = input.find(isText)
  if (name !== undefined) return { [name]: text }
  const detail = 'the graph takes no text: pass its input as `input`'
  throw new Refused(422, 'invalid-input', detail)
}

interface Inputs {
  readonly input?: readonly string[]
  readonly channels?: Readonly<Record<string, { readonly type?: unknown }>>
}
