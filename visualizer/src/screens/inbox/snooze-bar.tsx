/** Puts a question off in this browser, or wakes it. */
import type { InboxQuestion } from '../../../../src/host/overview.ts'
import { snooze, snoozeChoices, wake } from '../../data/snoozes.ts'
import { clockText } from '../../design/format.ts'
import { Button } from '../../design/parts.tsx'

interface SnoozeBarProps {
  readonly question: InboxQuestion
  /** When it wakes. Absent: it is awake. */
  readonly until: number | undefined
  readonly now: number
}

export function SnoozeBar({ question, until, now }: SnoozeBarProps) {
  const { deadline } = question
  const due =
    deadline === undefined ? 'It has no deadline.' : `Its deadline is ${clockText(deadline)}.`
  if (until !== undefined)
    return (
      <div className="snooze-bar">
        <span>
          Snoozed until {clockText(until)}. {due}
        </span>
        <Button onClick={() => wake(question)}>Wake</Button>
      </div>
    )
  const choices = snoozeChoices(question, now)
  if (choices.length === 0) return null
  return (
    <fieldset className="snooze-bar">
      <legend className="visually-hidden">Snooze</legend>
      <span className="muted">Snooze, in this browser only. {due}</span>
      {choices.map(({ name, until: next }) => (
        <Button
          key={name}
          title={`Until ${clockText(next)}`}
          onClick={() => snooze(question, next)}
        >
          {name}
        </Button>
      ))}
    </fieldset>
  )
}
