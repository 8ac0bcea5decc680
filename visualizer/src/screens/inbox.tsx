/** The open questions of all threads, the earliest deadline first. */
import { useCallback } from 'react'
import type { InboxQuestion } from '../../../src/host/overview.ts'
import { threadLink } from '../data/route.ts'
import { problemText, service } from '../data/service.ts'
import { ErrorNotice, Loading, Notice } from '../design/parts.tsx'
import { useThreadCommands } from './run/commands.ts'
import { QuestionCard } from './run/question-card.tsx'
import { usePolled } from './use-polled.ts'

const EVERY_MS = 2_000

export function InboxScreen() {
  const read = useCallback(() => service.questions(), [])
  const { value: questions, problem, again } = usePolled(read, EVERY_MS)
  return (
    <div className="screen">
      <header className="screen-header">
        <h1>Inbox</h1>
      </header>
      {problem !== undefined && <ErrorNotice message={problemText(problem)} retry={again} />}
      {questions === undefined && problem === undefined && <Loading />}
      {questions?.length === 0 && (
        <Notice title="Nothing waits for a person">
          <p>
            Questions appear here when a node, a tool with <code>confirm</code>, or the review rung
            asks one.
          </p>
        </Notice>
      )}
      <ul className="inbox">
        {questions?.map(question => (
          <li key={`${question.thread} ${question.id}`}>
            <InboxItem question={question} again={again} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function InboxItem({
  question,
  again,
}: {
  readonly question: InboxQuestion
  readonly again: () => void
}) {
  const commands = useThreadCommands(question.thread, again)
  return (
    <>
      <p>
        <a href={threadLink(question.thread)}>{question.thread}</a>{' '}
        <span className="muted">{question.graph}</span>
      </p>
      <QuestionCard question={question} commands={commands} />
      <p className={`command-result ${commands.message?.isError ? 'is-error' : ''}`} role="status">
        {commands.message?.text}
      </p>
    </>
  )
}
