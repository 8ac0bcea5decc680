/** An open question with its evidence and its answers, and where each answer leads. */
import { nowMs } from '../../data/route.ts'
import { useState } from 'react'
import type { Option } from '../../../../src/core/review/answers.ts'
import type { QuestionState } from '../../../../src/host/thread.ts'
import type { Json } from '../../../../src/core/watch/data/json.ts'
import { durationText } from '../../design/format.ts'
import { Icon } from '../../design/icon.tsx'
import { Button, Field } from '../../design/parts.tsx'
import type { Commands } from './commands.ts'

interface QuestionCardProps {
  readonly question: QuestionState
  readonly commands: Commands
}

export function QuestionCard({ question, commands }: QuestionCardProps) {
  const { id, question: text, because, to, deadline, options } = question
  const [note, setNote] = useState('')
  const [edited, setEdited] = useState('')
  // The question stays open on the screen until the state of the thread has arrived.
  const [isAnswered, setAnswered] = useState(false)
  const answer = async (option: Option) => {
    const output = option.decision === 'edited' ? parsed(edited) : undefined
    const given = {
      decision: option.decision,
      ...(option.rung !== undefined && { rung: option.rung }),
      ...(option.to !== undefined && { to: option.to }),
      ...(output !== undefined && { output }),
      ...(note.trim() !== '' && { note }),
    }
    // The id of the question guards the answer. Other events of the thread, such as another answer, change nothing about it.
    setAnswered(await commands.send('Answer', (thread, of) => thread.answer(id, given, of)))
  }
  const takesEdit = options.some(({ decision }) => decision === 'edited')
  return (
    <article className="question" aria-label="Open question">
      <h2>
        <Icon name="person" /> {text}
      </h2>
      {because && <p className="lead">{because}</p>}
      <p className="muted">
        {to && `For ${to}. `}
        {deadline !== undefined &&
          `The default applies in ${durationText(Math.max(0, deadline - nowMs()))}.`}
      </p>
      <ul className="answers">
        {options.map(option => (
          <li key={JSON.stringify(option)}>
            <Button
              kind={
                option.decision === 'approved'
                  ? 'primary'
                  : option.decision === 'stop'
                    ? 'danger'
                    : 'plain'
              }
              disabled={
                isAnswered ||
                commands.busy !== undefined ||
                (option.decision === 'edited' && parsed(edited) === undefined)
              }
              onClick={() => void answer(option)}
            >
              {optionName(option)}
            </Button>
            <span className="muted">{leadText(option)}</span>
          </li>
        ))}
      </ul>
      <Field label="Note" hint="It is kept in the journal, and the model reads it. Optional.">
        <input value={note} onChange={event => setNote(event.target.value)} />
      </Field>
      {takesEdit && (
        <Field label="Edited value" hint="JSON, for the answer “edited”.">
          <textarea
            rows={3}
            spellCheck={false}
            value={edited}
            onChange={event => setEdited(event.target.value)}
          />
        </Field>
      )}
    </article>
  )
}

const NAMES: Readonly<Record<Option['decision'], string>> = {
  approved: 'Approve',
  rejected: 'Reject',
  edited: 'Edit and approve',
  applied: 'It took effect',
  'not-applied': 'It did not take effect',
  dismiss: 'Not a loop',
  stop: 'Stop',
}

function optionName(option: Option): string {
  const { decision, rung, to } = option
  const name = NAMES[decision]
  if (rung === undefined) return to === undefined ? name : `${name}, continue in ${to}`
  return to === undefined ? rung : `${rung} → ${to}`
}

/** Where the answer leads, as the machine says. */
function leadText(option: Option): string {
  const { in: states, ends } = option.leads
  return ends ? `ends the run: ${ends.outcome} (${ends.reason})` : `next: ${states.join(', ')}`
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
