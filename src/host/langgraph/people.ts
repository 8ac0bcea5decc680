/** Questions as LangGraph interrupts, and the values of `Command({ resume })` as commands to the thread. */
import { type Review, reviewOf } from '../../core/review/review.ts'
import type { Run } from '../../core/run/run.ts'
import { waitsForPerson } from '../../core/run/view.ts'
import { isMap, type Json } from '../../core/watch/data/json.ts'
import type { Decision, EventOf } from '../../core/watch/event/event.ts'
import { descendantGraph } from '../../runtime/child/child-graph.ts'
import type { Graph } from '../../runtime/ports.ts'
import { type Command, isInvalidEvent, personEvent } from '../../runtime/store/person-event.ts'
import { replay } from '../../runtime/store/replay.ts'
import { type Store, UnknownThread } from '../../runtime/store/store.ts'
import { childrenOf } from '../drive/children.ts'

/** The value of an interrupt: what a person needs to answer. */
export interface Asking {
  readonly thread: string
  /** The open questions of the thread, and of the child threads that it waits for. */
  readonly questions: readonly (Review & { readonly thread: string })[]
  /** Set while a person has paused the thread: resume with `{ type: 'continue' }`. */
  readonly paused?: true
  /** Why the last answer was rejected. */
  readonly rejected?: string
}

/** An answer. `question` can be left out if one question is open. */
export type LangGraphAnswer = Omit<EventOf<'resume'>, 'type' | 'effect' | 'command' | 'epoch'> & {
  readonly question?: string
}

/** The value of `Command({ resume })`: a decision, an answer, or a command to the thread such as `{ type: 'cancel', reason }`. */
export type ResumeValue = Decision | LangGraphAnswer | Command

/** Whether only a person can continue the run. */
export const isAsking = (run: Run): boolean => run.pending.length > 0 && waitsForPerson(run)

interface Family {
  readonly graph: Graph
  readonly store: Store
  readonly thread: string
  readonly run: Run
}

/** @throws UnknownThread */
export async function askingOf(family: Family, rejected: string | undefined): Promise<Asking> {
  const { graph, store, thread, run } = family
  const children = await childrenOf(run, child => childIn(family, child))
  const asked = await Promise.all(
    [{ thread, graph, run }, ...children].map(async ({ thread, graph, run }) => {
      const rows = await store.rows(thread)
      return run.pending.flatMap(({ id }) => {
        const review = reviewOf(graph.machine, run, rows, id)
        return review ? [{ thread, ...review }] : []
      })
    }),
  )
  return {
    thread,
    questions: asked.flat(),
    ...(run.paused && { paused: true }),
    ...(rejected !== undefined && { rejected }),
  }
}

/** The graph of a child thread, and its run. @throws UnknownThread */
export async function childIn(family: Omit<Family, 'run'>, child: string) {
  const graph = await descendantGraph(family.store, family, child)
  const run = graph && (await replay(graph.machine, family.store, child))
  if (!run) throw new UnknownThread(child)
  return { graph, run }
}

/** A command and the thread it is for, or why the value is rejected. */
export type Answered =
  | { readonly thread: string; readonly command: Command; readonly rejected?: undefined }
  | { readonly rejected: string }

/** The command that a resume value stands for, and its thread. */
export function answerOf({ thread, questions }: Asking, value: unknown): Answered {
  const given: unknown = typeof value === 'string' ? { decision: value } : value
  try {
    if (isMap(given) && given.type !== undefined) return { thread, command: personEvent(given) }
    if (!isMap(given)) return { rejected: EXPECTED }
    const { question, ...answer } = given as { readonly question?: Json }
    const [first, ...others] = questions.filter(
      ({ id }) => question === undefined || id === question,
    )
    const open = questions.map(({ id }) => id).join(', ') || '(none)'
    if (!first) return { rejected: `question: expected one of ${open}` }
    if (others.length > 0)
      return { rejected: `question: is missing; several questions are open: ${open}` }
    const command = personEvent({ type: 'resume', effect: first.id, ...answer })
    return { thread: first.thread, command }
  } catch (error) {
    if (isInvalidEvent(error)) return { rejected: (error as Error).message }
    throw error
  }
}

const EXPECTED =
  "expected a decision such as 'approved', an object { decision, question }, or a command such as { type: 'cancel', reason }"
