/** What chat protocols do with a thread: start it, send a message, answer its questions, and follow its round. */
import type { Row } from '../../../core/run.ts'
import { canonical, defined, hash, type Json } from '../../../core/watch/data/json.ts'
import type { Settled } from '../../../host/command.ts'
import { inspectGraph } from '../../../host/overview.ts'
import type { Runtime } from '../../../host/runtime.ts'
import type { ThreadHandle } from '../../../host/thread.ts'
import type { Graph } from '../../../runtime/ports.ts'
import { Refused } from '../contract/problem.ts'
import { graphNamed } from '../endpoints/threads.ts'
import { Conversation, type Part } from './parts.ts'

/** A message of a chat. */
export interface Said {
  readonly thread: string
  /** The graph of a new thread. Default: the only graph of the service. */
  readonly graph?: string | undefined
  readonly text: string
  /** The input of the round. Default: the text, as the first text of the input. */
  readonly input?: Readonly<Record<string, Json>> | undefined
  /** The id of the message. A repeated message is sent once. */
  readonly id?: string | undefined
  /** The message opens the chat. */
  readonly isFirst?: boolean
}

/** Where a round of a thread starts, and which of its events a client has not seen. */
export interface Round {
  readonly handle: ThreadHandle
  /** The seq of the event that started the round. */
  readonly opened: number
  /** The last event that the client has seen. */
  readonly after: number
}

/** Starts a thread, or sends a message to it. A repeated message has no effect, and resumes its round. @throws Refused */
export async function say(runtime: Runtime, said: Said): Promise<Round> {
  const { thread, text } = said
  const handle = runtime.thread(thread)
  const known = await lastSeq(handle)
  if (known === undefined) {
    const graph = graphOf(runtime, said.graph)
    const input = said.input ?? inputOf(graph, text)
    await runtime.start(graph, input as never, { thread, ...defined({ message: said.id }) })
    return { handle, opened: 0, after: -1 }
  }
  if (said.id !== undefined && (await messageIdOf(handle)) === said.id) return roundOf(handle)
  const { graph } = await handle.state()
  const input = said.input ?? inputOf(graphNamed(runtime, graph), text)
  if (said.isFirst && (await isStartedWith(handle, input))) return roundOf(handle)
  const id = said.id === undefined ? {} : { id: JSON.stringify(['say', thread, said.id]) }
  checkApplied(await handle.send(input, id))
  const sent = (await handle.rows({ after: known })).find(({ event }) => event.type === 'message')
  return sent ? { handle, opened: sent.seq, after: sent.seq - 1 } : roundOf(handle)
}

/** The current round, from its start. */
export async function roundOf(handle: ThreadHandle): Promise<Round> {
  const opened = openingOf(await handle.rows())
  return { handle, opened, after: opened - 1 }
}

/** The id of the message that started the thread. */
async function messageIdOf(handle: ThreadHandle): Promise<string | undefined> {
  const [first] = await handle.rows({ limit: 1 })
  return first?.event.type === 'thread.started' ? first.event.message : undefined
}

/** Whether the thread is still in a first round with this input. */
async function isStartedWith(handle: ThreadHandle, input: Json): Promise<boolean> {
  const [[first], { round, status }] = await Promise.all([
    handle.rows({ limit: 1 }),
    handle.state(),
  ])
  return (
    first?.event.type === 'thread.started' &&
    round === 1 &&
    status !== 'ended' &&
    canonical(first.event.input) === canonical(input)
  )
}

/** Answers open questions of a thread, and resumes its round. @throws Refused */
export async function answerAll(
  runtime: Runtime,
  thread: string,
  answers: readonly Answered[],
): Promise<Round> {
  const handle = runtime.thread(thread)
  const { seq } = await handle.state()
  for (const { question, thread: child = thread, ...answer } of answers) {
    const id = hash(canonical(['answer', child, question, answer as unknown as Json]))
    checkApplied(await runtime.thread(child).answer(question, answer as never, { id }))
  }
  return { handle, opened: openingOf(await handle.rows()), after: seq }
}

/** An answer to a question. */
export interface Answered {
  readonly question: string
  /** The child thread that asks. */
  readonly thread?: string
  readonly decision: string
  readonly rung?: string
  readonly to?: string
  readonly note?: string
  readonly output?: Json
}

/** @throws Refused */
export function checkApplied(settled: Settled): void {
  if (!settled.applied) throw new Refused(409, settled.code, settled.because)
}

/** The parts of a round that a client has not seen, until the thread waits for a person or ends. */
export async function* partsOf(round: Round, signal: AbortSignal): AsyncGenerator<Part> {
  const conversation = new Conversation()
  const { handle, opened, after } = round
  const terms = { after: opened - 1, until: 'waiting', signal } as const
  for await (const event of handle.events(terms)) {
    const parts = [...conversation.take(event)]
    if (event.seq > after || event.type === 'token') yield* parts
  }
}

/** The id that the client gave to the message of a row. */
export function messageIdIn({ event }: Row): string | undefined {
  if (event.type === 'thread.started') return event.message
  if (event.type !== 'message' || !event.command?.startsWith('["say",')) return undefined
  return (JSON.parse(event.command) as readonly string[])[2]
}

/** The event that started the current round. */
function openingOf(rows: readonly Row[]): number {
  let opened = 0
  let isOver = false
  for (const { seq, event, ended } of rows) {
    if (event.type === 'round.started' || (event.type === 'message' && isOver)) opened = seq
    if (event.type === 'round.started' || event.type === 'message') isOver = false
    if (ended) isOver = true
  }
  return opened
}

export async function lastSeq(handle: ThreadHandle): Promise<number | undefined> {
  const rows = await handle.rows({ limit: 1 }).catch(() => [])
  return rows.length === 0 ? undefined : (await handle.state()).seq
}

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
