/** An open question with its evidence and its answers, and where each answer leads. */
import { nowMs } from '../../data/route.ts'
import { useRef, useState } from 'react'
import type { Option } from '../../../../src/core/review/answers.ts'
import type { CallOutcome } from '../../../../src/core/review/call-outcome.ts'
import type { QuestionState } from '../../../../src/host/thread/thread.ts'
import type { Json } from '../../../../src/core/watch/data/json.ts'
import { cutText, durationText, timeText } from '../../design/format.ts'
import { Icon } from '../../design/icon.tsx'
import { Button, Field, JsonText } from '../../design/parts.tsx'
import { JsonInput } from '../../form/json-input.tsx'
import { useDraft } from '../../form/use-draft.ts'
import { useInboxKeys } from '../inbox/use-inbox-keys.ts'
import type { Commands } from './commands.ts'

interface QuestionCardProps {
  readonly question: QuestionState
  readonly commands: Commands
  /** The card takes the keys of the inbox. */
  readonly hasKeys?: boolean
}

export function QuestionCard({ question, commands, hasKeys = false }: QuestionCardProps) {
  const { id, question: text, because, to, deadline, options, judged } = question
  const [proposal] = useState(() => proposalOf(question))
  const [schema] = useState(question.edit?.schema)
  const edited = useDraft(schema, proposal)
  const editor = useRef<HTMLDivElement>(null)
  const [note, setNote] = useState('')
  // The question stays open on the screen until the state of the thread has arrived.
  const [isAnswered, setAnswered] = useState(false)
  const answer = async (option: Option) => {
    const takesOutput = option.decision === 'edited' || (isResult(option) && edited.text !== '')
    const output = takesOutput ? edited.accept() : undefined
    if (takesOutput && output === undefined) return
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
  const takesResult = options.some(isResult)
  const isBlocked = (option: Option): boolean => {
    if (isAnswered || commands.busy !== undefined) return true
    // What was not changed is not an edit.
    return option.decision === 'edited' && edited.text === proposal
  }
  const perform = (option: Option | undefined) =>
    option && !isBlocked(option) ? () => void answer(option) : undefined
  // An approval that chooses an escape is not the plain one.
  const approve = options.find(({ decision, rung }) => decision === 'approved' && !rung)
  const reject = options.find(({ decision }) => decision === 'rejected')
  const keyOf = (option: Option) => (option === approve ? 'A' : option === reject ? 'R' : undefined)
  const edit = () =>
    editor.current?.querySelector<HTMLElement>('textarea, .form-control *')?.focus()
  useInboxKeys(
    hasKeys ? { A: perform(approve), R: perform(reject), E: takesEdit ? edit : undefined } : {},
  )
  return (
    <article className="question" aria-label="Open question">
      <h2>
        <Icon name="person" /> {text}
      </h2>
      {because && <p className="lead">{because}</p>}
      {judged && <Judged values={judged} />}
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
              disabled={isBlocked(option)}
              onClick={() => void answer(option)}
              {...(hasKeys && { shortcut: keyOf(option) })}
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
      {(takesEdit || takesResult) && (
        <div ref={editor}>
          <JsonInput
            label={takesEdit ? 'Edited value' : 'Result of the call'}
            hint={
              takesEdit
                ? 'JSON. “Edit and approve” takes it, once it is changed.'
                : 'JSON. “It took effect” takes it. Optional, if the tool declares no result.'
            }
            draft={edited}
          />
        </div>
      )}
    </article>
  )
}

/** What the person judges, as text where it is text. */
const Judged = ({ values }: { readonly values: Readonly<Record<string, Json>> }) => (
  <dl className="judged">
    {Object.entries(values).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          {typeof value === 'string' ? (
            <p className="message-text">{cutText(value, TEXT_MAX)}</p>
          ) : (
            <JsonText value={value} />
          )}
        </dd>
      </div>
    ))}
  </dl>
)

const TEXT_MAX = 20_000

/** The answer takes the result of the call. */
const isResult = ({ decision }: Option): boolean => decision === 'applied'

/** Where an edit starts. The call that a question is about is not the result that a person gives. */
function proposalOf({ call, judged, edit }: QuestionState): string {
  const value = edit?.value ?? (call === undefined ? judged : undefined)
  const text = value === undefined ? '' : JSON.stringify(value, null, 2)
  return text.length > TEXT_MAX ? '' : text
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
  const { in: states, ends, call, breakerUntil = 0 } = option.leads
  if (ends) return `ends the run: ${ends.outcome} (${ends.reason})`
  const becomes = call === undefined ? '' : `; the call ${BECOMES[call]}`
  const isOpen = breakerUntil > nowMs()
  const refusal = isOpen ? `; its breaker is open until ${timeText(breakerUntil)}` : ''
  return `next: ${states.join(', ')}${becomes}${refusal}`
}

const BECOMES: Readonly<Record<CallOutcome, string>> = {
  made: 'is made',
  again: 'is made again',
  succeeds: 'counts as made',
  fails: 'fails',
}
