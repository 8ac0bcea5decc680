/** Moves a thread and its children forward on virtual time: drives what is due, lets people answer, or advances the clock. */
import { type Review, reviewOf } from '../core/review/review.ts'
import type { Decision, EventOf } from '../core/watch/event/event.ts'
import type { Run } from '../core/run/run.ts'
import type { Reason } from '../core/watch/reason/reason.ts'
import { drive } from '../runtime/drive/drive.ts'
import { rejectionOf } from '../runtime/people/inbox.ts'
import type { Graph, Ports } from '../runtime/ports.ts'
import { replay } from '../runtime/store/replay.ts'
import type { ThreadSummary } from '../runtime/store/store.ts'

/** An answer to a question. A text is only the decision; `expired` lets time pass without an answer, up to the deadline. */
export type PlayedAnswer =
  | Decision
  | 'expired'
  | Pick<EventOf<'resume'>, 'decision' | 'output' | 'to' | 'rung' | 'note'>

/** An answer, given at once or at a virtual time. A function decides at that time. */
export type TimedAnswer = Readonly<{ answer: PlayedAnswer | (() => PlayedAnswer); at?: number }>

/** A question of a thread, with the graph and the run that asked it. */
export interface OpenQuestion {
  readonly thread: string
  readonly question: Review
  readonly graph: Graph
  readonly run: Run
}

export interface Stage {
  readonly ports: Ports
  /** The thread that was started. Its children carry its name as a prefix. */
  readonly thread: string
  readonly graphs: readonly Graph[]
  readonly people: Respondents
}

/** Those who answer the questions of a stage. */
export interface Respondents {
  /** Called once per step for each open question. `undefined`: the question stays open, and time does not pass. */
  readonly answerTo: (question: Review, thread: string) => TimedAnswer | undefined
  /** Called with an answer that the runtime would refuse. It is not given: the question stays open, and time passes. */
  readonly onRefused: (asked: OpenQuestion, answer: PlayedAnswer, reason: Reason) => void
}

/** Heartbeats that do not follow real time: the drives of a stage look at their inboxes when one of them is woken. */
export function beatOnWake(): Pick<Ports, 'heartbeat' | 'wake'> {
  const beats = new Set<() => void>()
  return {
    heartbeat: beat => {
      beats.add(beat)
      return () => void beats.delete(beat)
    },
    wake: () => {
      for (const beat of beats) beat()
    },
  }
}

/** Returns `false` if nothing more can happen. */
export async function takeStep(stage: Stage, step: number): Promise<boolean> {
  const { ports, graphs, people } = stage
  const { store, clock } = ports
  const { isOwnerDead } = ports
  const now = clock.now()
  const due = (await store.due(now, { isOwnerDead })).find(thread => isOwn(stage, thread))
  if (due !== undefined) {
    await drive({ ...ports, graph: await graphOf(stage, due, graphs) }, due)
    return true
  }
  const times = (await openThreads(stage)).flatMap(({ wakeAt }) => wakeAt ?? [])
  let isUnanswered = false
  for (const asked of await openQuestions(stage)) {
    const { thread, question } = asked
    const timed = people.answerTo(question, thread)
    isUnanswered ||= timed === undefined
    if (!timed || timed.answer === 'expired') continue
    if (timed.at !== undefined && timed.at > now) {
      times.push(timed.at)
      continue
    }
    const event = acceptedAnswer(stage, asked, timed.answer)
    if (!event) continue
    await store.submit(thread, `answer-${step}`, event)
    return true
  }
  if (isUnanswered || times.length === 0) return false
  await clock.sleep(Math.min(...times) - clock.now())
  return true
}

/** The event of an answer. `undefined` if the answer is missing, or if the runtime would refuse it. */
function acceptedAnswer(
  { ports, people }: Stage,
  asked: OpenQuestion,
  answer: TimedAnswer['answer'],
): EventOf<'resume'> | undefined {
  const given = typeof answer === 'function' ? answer() : answer
  if (given === 'expired') return undefined
  const fields = typeof given === 'string' ? { decision: given } : given
  const event = { type: 'resume', effect: asked.question.id, ...fields } as const
  const reason = rejectionOf(asked.graph, asked.run, event, ports.clock.now())
  if (reason) people.onRefused(asked, given, reason)
  return reason ? undefined : event
}

const isOwn = (stage: Pick<Stage, 'thread'>, thread: string): boolean =>
  thread === stage.thread || thread.startsWith(`${stage.thread}/`)

async function graphOf(stage: Stage, thread: string, graphs: readonly Graph[]): Promise<Graph> {
  const summary = await stage.ports.store.thread(thread)
  return graphs.find(({ machine }) => machine.hash === summary?.specHash) as Graph
}

async function openThreads(stage: Stage): Promise<readonly ThreadSummary[]> {
  const all = await stage.ports.store.threads()
  return all.filter(({ thread, status }) => status !== 'ended' && isOwn(stage, thread))
}

/** The open questions of all threads. */
export async function openQuestions(stage: Stage): Promise<readonly OpenQuestion[]> {
  const { store } = stage.ports
  const questions: OpenQuestion[] = []
  for (const { thread } of await openThreads(stage)) {
    const graph = await graphOf(stage, thread, stage.graphs)
    const run = await replay(graph.machine, store, thread)
    if (!run?.pending.length) continue
    const rows = await store.rows(thread)
    for (const { id } of run.pending) {
      const question = reviewOf(graph.machine, run, rows, id)
      if (question) questions.push({ thread, question, graph, run })
    }
  }
  return questions
}
