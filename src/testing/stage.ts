/** Moves a thread and its children forward on virtual time: drives what is due, lets people answer, or advances the clock. */
import { type Review, reviewOf } from '../core/review/review.ts'
import type { Decision, EventOf } from '../core/watch/event/event.ts'
import { drive } from '../runtime/drive/drive.ts'
import type { Graph, Ports } from '../runtime/ports.ts'
import { replay } from '../runtime/store/replay.ts'
import type { ThreadSummary } from '../runtime/store/store.ts'

/** An answer to a question. A text is only the decision; `expired` lets time pass without an answer, up to the deadline. */
export type PlayedAnswer =
  | Decision
  | 'expired'
  | Pick<EventOf<'resume'>, 'decision' | 'output' | 'to' | 'rung' | 'note'>

/** An answer, given at once or at a virtual time. */
export type TimedAnswer = Readonly<{ answer: PlayedAnswer; at?: number }>

export interface Stage {
  readonly ports: Ports
  /** The thread that was started. Its children carry its name as a prefix. */
  readonly thread: string
  readonly graphs: readonly Graph[]
  /** Called once per step for each open question. `undefined`: the question stays open, and time does not pass. */
  readonly answerTo: (question: Review, thread: string) => TimedAnswer | undefined
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
  const { ports, graphs, answerTo } = stage
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
  for (const [thread, question] of await openQuestions(stage)) {
    const timed = answerTo(question, thread)
    isUnanswered ||= timed === undefined
    if (!timed) continue
    const { answer: given, at = clock.now() } = timed
    if (given === 'expired') continue
    if (at > clock.now()) {
      times.push(at)
      continue
    }
    const answer = typeof given === 'string' ? { decision: given } : given
    const event = { type: 'resume', effect: question.id, ...answer } as const
    await store.submit(thread, `answer-${step}`, event)
    return true
  }
  if (isUnanswered || times.length === 0) return false
  await clock.sleep(Math.min(...times) - clock.now())
  return true
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

/** The open questions of all threads, each with its thread. */
export async function openQuestions(stage: Stage) {
  const { store } = stage.ports
  const questions: [thread: string, question: Review][] = []
  for (const { thread } of await openThreads(stage)) {
    const { machine } = await graphOf(stage, thread, stage.graphs)
    const run = await replay(machine, store, thread)
    if (!run?.pending.length) continue
    const rows = await store.rows(thread)
    for (const { id } of run.pending) {
      const question = reviewOf(machine, run, rows, id)
      if (question) questions.push([thread, question])
    }
  }
  return questions
}
