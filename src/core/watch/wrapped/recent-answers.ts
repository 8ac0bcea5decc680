/** What a wrapped agent has learned of late: whether anything has come of a message tells a question from a harness that only counts. */
import type { AgentEvent } from '../event/event.ts'
import { remember } from '../data/json.ts'
import { answerFeatures, progressPart } from '../normalize/answer-features.ts'
import { hash } from '../data/signature.ts'

export interface RecentAnswers {
  /** The latest answers that said something, in short, the latest last. */
  readonly answers: readonly string[]
  /** One of them came after the latest message. */
  readonly news: boolean
}

export const NO_ANSWERS: RecentAnswers = { answers: [], news: false }

const ANSWERS_MAX = 32

/** With what a tool has answered, if that says something, and has not been heard lately. It is read as the eyes read it. */
export function rememberAnswer(
  learned: RecentAnswers,
  { subject, result, digest, cut }: Extract<AgentEvent, { type: 'tool.done' }>,
): RecentAnswers {
  const told = progressPart(result, { whole: cut === undefined, progress: undefined })
  const { outcome, tone, failed } = answerFeatures(
    { ...told, ok: true, hash: digest.hash },
    undefined,
  )
  const answer = hash(`${subject} ${outcome}`)
  if (failed || (tone !== 'plain' && tone !== 'brief') || learned.answers.includes(answer))
    return learned
  return { answers: remember(learned.answers, answer, ANSWERS_MAX), news: true }
}
