/** A question that is no longer open: who has decided what, when, and how the thread went on. */
import type { AnsweredQuestion } from '../../../../src/host/answered.ts'
import type { InboxQuestion } from '../../../../src/host/overview.ts'
import { threadLink } from '../../data/route.ts'
import { dateText, sinceText } from '../../design/format.ts'
import { Icon } from '../../design/icon.tsx'
import { JsonText } from '../../design/parts.tsx'
import { ContextLinks } from '../run/context-links.tsx'
import { callerText, outcomeText, threadText } from './answer-text.ts'

interface DecidedCardProps {
  readonly answer: AnsweredQuestion
  readonly now: number
}

export function DecidedCard({ answer, now }: DecidedCardProps) {
  const { question, thread, graph, seq, at, note, output } = answer
  return (
    <article className="question" aria-label="Answered question">
      <h2>
        <Icon name="person" /> {question}
      </h2>
      <p role="status">
        <b>{outcomeText(answer)}</b> by {callerText(answer)}, {sinceText(at, now)}.
      </p>
      <dl className="answer-facts">
        <dt>Thread</dt>
        <dd>
          <a href={threadLink(thread, { at: String(seq), tab: 'event' })}>{thread}</a>{' '}
          <span className="muted">{graph}</span>
        </dd>
        <dt>Decided</dt>
        <dd>{dateText(at)}</dd>
        {note !== undefined && (
          <>
            <dt>Note</dt>
            <dd>{note}</dd>
          </>
        )}
        {output !== undefined && (
          <>
            <dt>Value</dt>
            <dd>
              <JsonText value={output} />
            </dd>
          </>
        )}
        <dt>The thread now</dt>
        <dd>{threadText(answer)}</dd>
      </dl>
      <ContextLinks thread={thread} at={answer.asked} />
    </article>
  )
}

interface ClosedCardProps {
  /** The question, as it was shown last. */
  readonly question: InboxQuestion | undefined
  readonly thread: string
  readonly now: number
}

/** No answer is known: the deadline has passed, or the thread has ended. */
export function ClosedCard({ question, thread, now }: ClosedCardProps) {
  const isLate = question?.deadline !== undefined && question.deadline <= now
  return (
    <article className="question" aria-label="Closed question">
      <h2>
        <Icon name="person" /> {question?.question ?? 'This question is not open'}
      </h2>
      <p role="status">
        {isLate
          ? 'It was not answered. Its deadline has passed, and the default applied.'
          : 'It is closed without an answer that this list has: the thread has ended or moved on, or the answer is older than the list.'}
      </p>
      <p>
        <a href={threadLink(thread)}>Open the thread {thread}</a>
      </p>
    </article>
  )
}
