/** Questions in journals of earlier versions. */
import { pendingEffect } from './effects.ts'
import { callOfQuestion, questionOf } from './question-id.ts'
import type { Row, Run } from './run.ts'
import type { Stamped } from '../watch/event/event.ts'

const OF_QUESTIONS: ReadonlySet<string> = new Set(['resume', 'tick', 'notified'])

/** The recorded event with the id that its question has now: earlier versions gave all questions about a call the id of the first one. */
export function withQuestionId({ pending }: Run, { event, ignored }: Row): Stamped {
  if (ignored || !OF_QUESTIONS.has(event.type) || !('effect' in event)) return event
  const { effect } = event
  if (effect === undefined || pendingEffect(pending, effect)) return event
  const asked = questionOf(pending, callOfQuestion(effect) ?? '')
  return asked ? ({ ...event, effect: asked.id } as Stamped) : event
}
