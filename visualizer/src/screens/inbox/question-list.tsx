/** The list of the inbox: for each question its age, its thread, its text and its deadline, or its answer. */
import type { AnsweredQuestion } from '../../../../src/host/answered.ts'
import type { InboxQuestion } from '../../../../src/host/overview.ts'
import { clockText, durationText, sinceText } from '../../design/format.ts'
import { type Snoozes, snoozedUntil } from '../../data/snoozes.ts'
import { isSame, linkTo, type ListName, type Selection } from './entries.ts'
import { outcomeText } from './answer-text.ts'

interface QuestionListProps {
  readonly name: ListName
  readonly entries: readonly (InboxQuestion | AnsweredQuestion)[]
  readonly selected: Selection | undefined
  readonly snoozes: Snoozes
  readonly now: number
}

export const QuestionList = ({ name, entries, selected, snoozes, now }: QuestionListProps) => (
  <ul className="question-list" aria-label={`Questions: ${name}`}>
    {entries.map(entry => (
      <li key={`${entry.thread} ${entry.id}`}>
        <a
          href={linkTo(name, entry)}
          aria-current={isSame(entry, selected) ? 'true' : undefined}
          data-question={entry.id}
        >
          <span className="question-text">{entry.question}</span>
          <span className="question-facts">
            <span>{entry.thread}</span>
            {'decision' in entry ? (
              <>
                <span>{outcomeText(entry)}</span>
                <span>{sinceText(entry.at, now)}</span>
              </>
            ) : (
              <>
                <span>asked {sinceText(entry.at, now)}</span>
                <span>{waitText(entry, snoozes, now)}</span>
              </>
            )}
          </span>
        </a>
      </li>
    ))}
  </ul>
)

function waitText(question: InboxQuestion, snoozes: Snoozes, now: number): string {
  const until = snoozedUntil(snoozes, question, now)
  if (until !== undefined) return `wakes at ${clockText(until)}`
  const { deadline } = question
  return deadline === undefined
    ? 'no deadline'
    : `due in ${durationText(Math.max(0, deadline - now))}`
}
