/** What a wrapped agent has learned of late: whether anything has come of a message tells a question from a harness that only counts. */
import type { AgentEvent } from '../event.ts'
import { remember } from '../memory.ts'
import { senseOf, toldOf } from '../sight/sense.ts'
import { hash } from '../signature.ts'

export interface Learned {
  /** The latest answers that said something, in short, the latest last. */
  readonly answers: readonly string[]
  /** One of them came after the latest message. */
  readonly news: boolean
}

export const NOTHING_LEARNED: Learned = { answers: [], news: false }

const ANSWERS_MAX = 32

/** With what a tool has answered, if that says something, and has not been heard lately. It is read as the eyes read it. */
export function learnedFrom(
  learned: Learned,
  { subject, result, digest, cut }: Extract<AgentEvent, { type: 'tool.done' }>,
): Learned {
  const told = toldOf(result, { whole: cut === undefined, progress: undefined })
  const { outcome, tone, failed } = senseOf({ ...told, ok: true, hash: digest.hash }, undefined)
  const answer = hash(`${subject} ${outcome}`)
  if (failed || (tone !== 'plain' && tone !== 'brief') || learned.answers.includes(answer))
    return learned
  return { answers: remember(learned.answers, answer, ANSWERS_MAX), news: true }
}
