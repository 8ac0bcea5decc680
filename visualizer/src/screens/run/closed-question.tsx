/** The question that was on the screen and is no longer open. Another person may have answered it, or its deadline may have passed. */
import { useEffect, useState } from 'react'
import type { Row } from '../../../../src/core/run/run.ts'
import type { EventOf } from '../../../../src/core/watch/event/event.ts'
import type { QuestionState } from '../../../../src/host/thread/thread.ts'
import { nowMs, threadLink } from '../../data/route.ts'
import { useModel } from '../../data/use-run.ts'
import { Icon } from '../../design/icon.tsx'
import { callerText, outcomeText } from '../inbox/answer-text.ts'

type Answered = Row & { readonly event: EventOf<'resume'> }

interface ClosedQuestionProps {
  /** The open questions; `undefined` while they are not known. */
  readonly open: readonly QuestionState[] | undefined
}

export function ClosedQuestion({ open }: ClosedQuestionProps) {
  const { rows, thread } = useModel()
  const closed = useClosed(open)
  if (!closed) return null
  const answered = rows.findLast(row => isAnswerTo(row, closed))
  return (
    <p className="closed-question" role="status">
      <Icon name="person" /> {closed.question}{' '}
      {answered ? (
        <>
          <b>{outcomeText(answered.event)}</b> by {callerText(answered.event)}, at{' '}
          <a href={threadLink(thread, { at: String(answered.seq), tab: 'event' })}>
            event {answered.seq}
          </a>
          .
        </>
      ) : (
        reasonOf(closed)
      )}
    </p>
  )
}

/** The latest of the questions that were open on this screen and are not any more. */
function useClosed(open: readonly QuestionState[] | undefined): QuestionState | undefined {
  const [seen, setSeen] = useState<readonly QuestionState[]>([])
  useEffect(() => {
    if (open)
      setSeen(before => [...before.filter(each => !open.some(is => isSame(is, each))), ...open])
  }, [open])
  return open && seen.findLast(each => !open.some(is => isSame(is, each)))
}

/** A node asks again under another event. */
const isSame = (one: QuestionState, other: QuestionState): boolean =>
  one.id === other.id && one.asked === other.asked

const isAnswerTo = (row: Row, { id, asked }: QuestionState): row is Answered =>
  row.seq > asked && row.event.type === 'resume' && row.event.effect === id

const reasonOf = ({ deadline }: QuestionState): string =>
  deadline !== undefined && deadline <= nowMs()
    ? 'It was not answered. Its deadline has passed, and the default applied.'
    : 'It was closed without an answer: the thread has moved on, or has ended.'
