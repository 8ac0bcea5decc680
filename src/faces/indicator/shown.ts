/** What the indicator shows of a thread: a pure function of the state that the service reports. */
import type { ThreadState } from '../../host/thread/thread.ts'
import { explain } from '../../core/watch/reason/reason.ts'
import type { Json } from '../../core/watch/data/json.ts'

/** The part of the state of a thread that the indicator reads: the body of `GET /v1/threads/{thread}`, or `thread.state()`. */
export type IndicatorState = Pick<ThreadState, 'status' | 'progress'> &
  Partial<Pick<ThreadState, 'paused' | 'waitsFor' | 'questions' | 'ended'>>

/** Each look has its own icon, color and words. */
export type Look = 'working' | 'failing' | 'waiting' | 'paused' | 'done' | 'failed' | 'lost'

export interface Shown {
  readonly look: Look
  /** One line. */
  readonly title: string
  readonly steps: number
  /** Absent without a limit of steps. */
  readonly stepsMax?: number
  /** Consecutive failed rounds in words; empty without any. */
  readonly errors: string
  /** How the run ended, with its result; empty before that. */
  readonly summary: string
  /** The command that the agent suggests. */
  readonly command?: string
  readonly ended: boolean
}

/** Characters of a summary: the whole result is in the chat. */
const SUMMARY_MAX = 400

export function shownOf(state: IndicatorState): Shown {
  const { progress, ended } = state
  const { steps, stepsMax, failedRounds, completed } = progress
  const [look, title] = ended ? endOf(ended.outcome) : standingOf(state)
  return {
    look,
    title,
    steps,
    ...(stepsMax !== undefined && { stepsMax }),
    errors: failedRounds === 0 ? '' : `${failedRounds} failed ${rounds(failedRounds)} in a row`,
    summary: ended ? summaryOf(ended, completed?.result) : '',
    ...(ended && completed?.command !== undefined && { command: completed.command }),
    ended: ended !== undefined,
  }
}

const rounds = (count: number): string => (count === 1 ? 'round' : 'rounds')

type Standing = readonly [look: Look, title: string]

function standingOf({
  status,
  paused,
  waitsFor,
  questions = [],
  progress,
}: IndicatorState): Standing {
  if (paused) return ['paused', 'Paused']
  const [asked] = questions
  if (asked) return ['waiting', asked.question]
  if (status === 'waiting')
    return waitsFor === 'time' ? ['waiting', 'Waiting'] : ['waiting', 'Waiting for an answer']
  return progress.failedRounds > 0 ? ['failing', 'Trying again'] : ['working', 'Working']
}

type Ended = NonNullable<ThreadState['ended']>

const endOf = (outcome: Ended['outcome']): Standing =>
  outcome === 'success' ? ['done', 'Done'] : ['failed', ENDS[outcome] ?? 'Stopped']

const ENDS: Readonly<Record<string, string>> = { failure: 'Failed', error: 'Failed' }

/** The result of the agent, or the reason why it has none. */
function summaryOf({ outcome, because }: Ended, result: Json | undefined): string {
  const text = typeof result === 'string' && outcome === 'success' ? result : explain(because)
  return text.length > SUMMARY_MAX ? `${text.slice(0, SUMMARY_MAX)}…` : text
}
