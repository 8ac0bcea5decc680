/** The control of one value: a text, a number, a choice, or JSON. */
import { type AriaAttributes, useState } from 'react'
import type { Json } from '../../../src/core/watch/data/json.ts'
import type { Shape } from './shape.ts'

interface ControlProps {
  readonly shape: Shape
  readonly value: Json | undefined
  readonly onChange: (value: Json | undefined) => void
  readonly onBroken: (isBroken: boolean) => void
  /** Its id, and what describes it. */
  readonly attributes: AriaAttributes & { readonly id: string; readonly onBlur: () => void }
}

export function Control(props: ControlProps) {
  const { shape, value, onChange, attributes } = props
  switch (shape.kind) {
    case 'text':
      return (
        <textarea
          {...attributes}
          rows={1}
          value={textOf(value)}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
        />
      )
    case 'number':
      return <NumberInput {...props} isWhole={shape.isWhole} />
    case 'boolean':
      return <Select {...props} options={[true, false]} />
    case 'choice':
      return <Select {...props} options={shape.options} />
    default:
      return <JsonLine {...props} />
  }
}

/** A text that is not a number stays, and the check refuses it. */
function NumberInput({
  value,
  onChange,
  attributes,
  isWhole,
}: ControlProps & { readonly isWhole: boolean }) {
  const [typed, setTyped] = useState(textOf(value))
  // `1.` is the number 1: what was typed stays as long as it has this value.
  const shown = numberIn(typed) === value ? typed : textOf(value)
  return (
    <input
      {...attributes}
      inputMode={isWhole ? 'numeric' : 'decimal'}
      value={shown}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(numberIn(target.value))
      }}
    />
  )
}

function numberIn(text: string): Json | undefined {
  if (text.trim() === '') return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}

function Select({
  value,
  onChange,
  attributes,
  options,
}: ControlProps & { readonly options: readonly Json[] }) {
  const chosen = options.findIndex(option => JSON.stringify(option) === JSON.stringify(value))
  return (
    <select
      {...attributes}
      value={chosen}
      onChange={({ target }) => onChange(options[Number(target.value)])}
    >
      <option value={-1}>(not set)</option>
      {options.map((option, index) => (
        <option key={JSON.stringify(option)} value={index}>
          {textOf(option)}
        </option>
      ))}
    </select>
  )
}

/** A value that no other control fits. */
function JsonLine({ value, onChange, onBroken, attributes }: ControlProps) {
  const [typed, setTyped] = useState(() => jsonOf(value))
  return (
    <textarea
      {...attributes}
      className="is-code"
      rows={1}
      spellCheck={false}
      placeholder="JSON"
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value)
        const isEmpty = target.value.trim() === ''
        try {
          onChange(isEmpty ? undefined : JSON.parse(target.value))
          onBroken(false)
        } catch {
          onBroken(true)
        }
      }}
    />
  )
}

const jsonOf = (value: Json | undefined): string =>
  value === undefined ? '' : JSON.stringify(value, null, 2)

/** A value of another type is shown as JSON. */
function textOf(value: Json | undefined): string {
  if (value == null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
