/** Open questions of a thread as interrupts of AG-UI, and the answers to them. */
import { defined } from '../../../../core/watch/data/json.ts'
import type { QuestionState } from '../../../../host/thread/thread.ts'
import type { ResumeEntry } from '../../contract/chat.ts'
import { Refused } from '../../contract/problem.ts'
import { type QuestionAnswer, questionId } from '../chat-thread.ts'

export function interruptOf(asked: QuestionState) {
  const { thread, question, deadline, because, to, options, call } = asked
  // The client of a parent does not know the calls of its children.
  const isCall = call !== undefined && thread === undefined
  return {
    id: questionId(asked),
    reason: isCall ? 'tool_call' : because === undefined ? 'input_required' : 'escape',
    message: because === undefined ? question : `${because}. ${question}`,
    ...(isCall && { toolCallId: call }),
    responseSchema: answerSchema(options),
    ...(deadline !== undefined && { expiresAt: new Date(deadline).toISOString() }),
    metadata: defined({ to, because }),
  }
}

/** The JSON Schema of an answer, with the decisions and escapes that the question offers. */
function answerSchema(options: QuestionState['options']) {
  const decisions = [...new Set(options.map(({ decision }) => decision))]
  const rungs = [...new Set(options.flatMap(option => ('rung' in option ? [option.rung] : [])))]
  return {
    type: 'object',
    properties: {
      decision: { enum: decisions },
      ...(rungs.length > 0 && { rung: { enum: rungs } }),
      to: { type: 'string' },
      output: {},
      note: { type: 'string' },
    },
    required: ['decision'],
  }
}

/** One resume answers all open questions. @throws Refused */
export function answersIn(
  resume: readonly ResumeEntry[],
  open: readonly QuestionState[],
): readonly QuestionAnswer[] {
  const ids = new Set(resume.map(({ interruptId }) => interruptId))
  const stale = resume.find(
    ({ interruptId }) => !open.some(each => questionId(each) === interruptId),
  )
  if (stale) throw new Refused(409, 'question-closed', `'${stale.interruptId}' is not open`)
  const missing = open.find(question => !ids.has(questionId(question)))
  if (missing)
    throw new Refused(409, 'question-open', `the resume does not answer '${questionId(missing)}'`)
  return open.flatMap(asked => {
    const entry = resume.find(({ interruptId }) => interruptId === questionId(asked))
    return entry ? [answerOf(asked, entry)] : []
  })
}

export function answerOf(
  { id: question, thread }: QuestionState,
  { status, payload }: ResumeEntry,
) {
  const { approved, decision, rung, to, output, note } =
    typeof payload === 'object' ? payload : { approved: payload }
  const given =
    decision ?? (approved === undefined ? undefined : approved ? 'approved' : 'rejected')
  const chosen = status === 'cancelled' ? 'rejected' : given
  // Without a decision, nothing is approved.
  if (chosen === undefined)
    throw new Refused(
      422,
      'invalid-request',
      `the answer to '${question}' has no decision: expected true, false, or an object with approved or decision`,
    )
  const terms = { thread, rung, to, output, note }
  return { question, decision: chosen, ...defined(terms) } as QuestionAnswer
}
