/** Why a thread does not progress: what it waits for, its loops with their cost, and the escapes it has tried. */
import type { Row } from '../core/run/run.ts'
import { defined } from '../core/watch/data/json.ts'
import { durationText } from '../core/watch/data/duration.ts'
import type { Finding } from '../core/watch/event/event.ts'
import { explain } from '../core/watch/reason/reason.ts'
import type { ThreadHandle, ThreadState } from './thread/thread.ts'

/** A finding of the watchdog, and the escape that followed. */
export interface LoopReport
  extends Pick<Finding, 'id' | 'kind' | 'detector' | 'members' | 'period' | 'repeats' | 'states'> {
  /** The event at which it was found. */
  readonly seq: number
  /** The events that show it. */
  readonly events: readonly number[]
  readonly because: string
  readonly burned: Finding['burned']
  readonly escape?: string
}

/** The answer to "why is this thread stuck?". */
export interface Diagnosis
  extends Pick<ThreadState, 'thread' | 'graph' | 'seq' | 'status' | 'waitsFor' | 'spent'> {
  /** One sentence. */
  readonly because: string
  readonly questions: ThreadState['questions']
  /** The last findings, latest first. */
  readonly loops: readonly LoopReport[]
  readonly lessons: readonly string[]
}

const LOOPS_MAX = 5

/** @throws UnknownThread, WrongGraph */
export async function diagnose(handle: ThreadHandle, now: number): Promise<Diagnosis> {
  const [state, rows] = await Promise.all([handle.state(), handle.rows()])
  const { thread, graph, seq, status, waitsFor, spent, questions } = state
  const loops = loopsIn(rows).toReversed().slice(0, LOOPS_MAX)
  return {
    ...{ thread, graph, seq, status, spent, questions, loops },
    ...defined({ waitsFor }),
    because: becauseOf(state, loops, now - (rows.at(-1)?.event.at ?? now)),
    lessons: state.lessons.map(explain),
  }
}

/** All findings of a thread, oldest first. */
export function loopsIn(rows: readonly Row[]): readonly LoopReport[] {
  return rows.flatMap(({ seq, findings, verdict }) =>
    findings.map(finding => {
      const { id, kind, detector, members, period, repeats, states, events } = finding
      const escape = verdict.kind === 'escape' ? verdict.route.rung : undefined
      const of = { id, kind, detector, members, period, repeats, states, events }
      const because = explain(finding.reason)
      return { seq, ...of, because, burned: finding.burned, ...defined({ escape }) }
    }),
  )
}

function becauseOf(state: ThreadState, loops: readonly LoopReport[], silent: number): string {
  const { status, ended, paused, questions, waitsFor } = state
  if (ended) return `the thread has ended: ${explain(ended.because)}`
  const [asked] = questions
  if (paused?.inherited !== undefined && status === 'waiting')
    return 'the thread is paused with its parent'
  if (paused?.met && status === 'waiting')
    return `event ${paused.met.seq} met the condition of a breakpoint: ${paused.met.when}`
  if (paused && status === 'waiting')
    return paused.before === undefined
      ? `the thread is paused${paused.reason === undefined ? '' : `: ${paused.reason}`}`
      : `a breakpoint pauses the thread before ${paused.before}`
  if (asked) return `the thread waits for an answer: ${asked.question}`
  if (status === 'waiting') return `the thread waits for ${waitsFor ?? 'a process'}`
  const [loop] = loops
  const found = loop ? `; the last finding: ${loop.because}` : ''
  return `the thread is at work, its last event was ${durationText(silent)} ago${found}`
}
