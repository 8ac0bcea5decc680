/** A control for JSON. If its schema is known, it is a form, with the JSON one click away: both edit one value. */
import { useEffect, useMemo, useRef, useState } from 'react'
import { Choices, Field } from '../design/parts.tsx'
import { onDemand } from '../screens/on-demand.tsx'
import type { FormProps } from './schema-form.tsx'
import { shapeOf } from './shape.ts'
import type { Draft } from './use-draft.ts'

const SchemaForm = onDemand<FormProps>(async () => (await import('./schema-form.tsx')).SchemaForm)

const MODES = [
  { id: 'form', name: 'Form' },
  { id: 'json', name: 'JSON' },
] as const

interface JsonInputProps {
  readonly label: string
  readonly hint: string
  readonly draft: Draft
  /** The fields of the form. Others stay in the JSON. Default: all. */
  readonly fields?: readonly string[]
  readonly rows?: number
}

export function JsonInput({ label, hint, draft, fields, rows = 3 }: JsonInputProps) {
  const shape = useMemo(() => {
    const whole = shapeOf(draft.schema)
    if (whole.kind !== 'group' || fields === undefined) return whole
    return { ...whole, fields: whole.fields.filter(({ name }) => fields.includes(name)) }
  }, [draft.schema, fields])
  const [mode, setMode] = useState<'form' | 'json'>('form')
  const hasForm = shape.kind === 'group' ? shape.fields.length > 0 : shape.kind !== 'json'
  const element = useRef<HTMLFieldSetElement>(null)
  // The first fault takes the focus when the value could not be sent.
  useEffect(() => {
    if (draft.attempts > 0)
      element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [draft.attempts])
  if (!hasForm) return <JsonText {...{ label, hint, draft, rows }} />
  return (
    <fieldset className="json-input" ref={element}>
      <legend>{label}</legend>
      <Choices label={`${label} as`} choices={MODES} current={mode} onChange={setMode} />
      {mode === 'json' ? (
        <JsonText {...{ label, hint, draft, rows }} />
      ) : draft.value === undefined && draft.text.trim() !== '' ? (
        <p role="alert">The JSON has a fault. Correct it there first.</p>
      ) : (
        <SchemaForm label={label} shape={shape} draft={draft} />
      )}
    </fieldset>
  )
}

function JsonText({ label, hint, draft, rows }: Omit<Required<JsonInputProps>, 'fields'>) {
  const { text, setText, faults, isRevealed } = draft
  const isWrong = faults.length > 0 && (isRevealed || draft.value === undefined)
  return (
    <>
      <Field label={label} hint={hint}>
        <textarea
          rows={Math.min(12, Math.max(rows, text.split('\n').length))}
          spellCheck={false}
          value={text}
          aria-invalid={isWrong}
          onChange={event => setText(event.target.value)}
        />
      </Field>
      {isWrong && text.trim() !== '' && (
        <ul className="faults" role="alert">
          {faults.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path !== '' && <code>{path}</code>} {message}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
