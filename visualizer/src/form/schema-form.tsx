/** The fields of a schema. An empty field is absent from the value. */
import { createContext, type ReactNode, use, useId, useState } from 'react'
import type { Json } from '../../../src/core/watch/data/json.ts'
import { type Fault, pathOf } from '../../../src/core/watch/data/fault.ts'
import { lineText } from '../design/format.ts'
import { Icon } from '../design/icon.tsx'
import { Button } from '../design/parts.tsx'
import { Control } from './control.tsx'
import type { Field, Shape } from './shape.ts'
import type { Draft } from './use-draft.ts'

export interface FormProps {
  readonly label: string
  readonly shape: Shape
  readonly draft: Draft
}

type Path = readonly (string | number)[]

interface PartProps {
  readonly name: string
  readonly path: Path
  readonly shape: Shape
  readonly value: Json | undefined
  readonly isRequired?: boolean
  readonly onChange: (value: Json | undefined) => void
  /** A button beside the control. */
  readonly action?: ReactNode
}

interface FormState {
  readonly draft: Draft
  /** The fields that the person has left: their faults are shown. */
  readonly left: ReadonlySet<string>
  readonly leave: (path: string) => void
}

const FormContext = createContext<FormState | undefined>(undefined)

const SHOWN_AFTER_MS = 300

export function SchemaForm({ label, shape, draft }: FormProps) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  // A fault moves what is below it. It must not move a button between the press and the release of the mouse.
  const leave = (place: string) =>
    void setTimeout(() => setLeft(all => new Set([...all, place])), SHOWN_AFTER_MS)
  const part = { name: label, path: [], value: draft.value, onChange: draft.setValue }
  return (
    <FormContext value={{ draft, left, leave }}>
      <div className="schema-form">
        {shape.kind === 'group' ? (
          <Fields fields={shape.fields} {...part} shape={shape} />
        ) : (
          <Part {...part} shape={shape} isRequired />
        )}
        {shape.kind === 'group' && <OtherFaults fields={shape.fields} draft={draft} />}
      </div>
    </FormContext>
  )
}

/** Faults that no field of the form shows, such as a wrong key that was typed as JSON. */
function OtherFaults({ fields, draft }: { fields: readonly Field[]; draft: Draft }) {
  const isShown = (path: string) => fields.some(({ name }) => isWithin(path, name))
  const others = draft.isRevealed ? draft.faults.filter(({ path }) => !isShown(path)) : []
  return others.map(({ path, message }) => (
    <FaultText key={`${path} ${message}`}>{`${path} ${message}`.trim()}</FaultText>
  ))
}

const isWithin = (path: string, place: string): boolean =>
  path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`)

function Part(props: PartProps) {
  const { shape } = props
  if (shape.kind === 'group')
    return (
      <Group {...props}>
        <Fields fields={shape.fields} {...props} />
      </Group>
    )
  if (shape.kind === 'list') return <List item={shape.item} {...props} />
  return <Line {...props} />
}

function Group({ name, path, shape, children }: PartProps & { readonly children: ReactNode }) {
  const message = useFault(path, ({ path: at }, place) => at === place)
  return (
    <fieldset className="form-group">
      <legend>{name}</legend>
      {shape.description && <small>{shape.description}</small>}
      {children}
      {message && <FaultText>{message}</FaultText>}
    </fieldset>
  )
}

function Fields({
  fields,
  path,
  value,
  onChange,
}: PartProps & { readonly fields: readonly Field[] }) {
  const held = isObject(value) ? value : {}
  return fields.map(({ name, shape, isRequired }) => (
    <Part
      key={name}
      name={name}
      path={[...path, name]}
      shape={shape}
      value={Object.hasOwn(held, name) ? held[name] : undefined}
      isRequired={isRequired}
      onChange={next => {
        const { [name]: _, ...others } = held
        const keys = next === undefined ? others : { ...held, [name]: next }
        // An optional object without fields is absent, too. The value as a whole stays an object.
        onChange(path.length > 0 && Object.keys(keys).length === 0 ? undefined : keys)
      }}
    />
  ))
}

function List({ item, ...props }: PartProps & { readonly item: Shape }) {
  const { name, path, value, onChange } = props
  const items = Array.isArray(value) ? value : []
  return (
    <Group {...props}>
      {items.map((each, index) => (
        <Part
          // biome-ignore lint/suspicious/noArrayIndexKey: an item has no other identity than its place.
          key={index}
          name={`${name} ${index + 1}`}
          path={[...path, index]}
          shape={item}
          value={each}
          onChange={next => onChange(items.with(index, next ?? emptyOf(item)))}
          action={
            <button
              type="button"
              className="button is-plain is-square"
              onClick={() => onChange(absentIfEmpty(items.toSpliced(index, 1)))}
            >
              <Icon name="close" label={`Remove ${name} ${index + 1}`} />
            </button>
          }
        />
      ))}
      <Button onClick={() => onChange([...items, emptyOf(item)])}>Add to {name}</Button>
    </Group>
  )
}

/** A control with its name, its description, and its fault. */
function Line({ name, path, shape, value, isRequired = false, onChange, action }: PartProps) {
  const id = useId()
  const { draft, leave } = useForm()
  const place = pathOf(path, '')
  const message = useFault(path)
  const hints = [
    ...(shape.description === undefined ? [] : [shape.description]),
    ...(shape.default === undefined ? [] : [`Default: ${lineText(shape.default)}`]),
  ]
  const described = [hints.length > 0 && `${id}-hint`, message && `${id}-fault`].filter(Boolean)
  return (
    <div className="field form-line">
      <label htmlFor={id}>
        {name}
        {isRequired && <span className="required"> (required)</span>}
      </label>
      <div className="form-control">
        <Control
          shape={shape}
          value={value}
          onChange={onChange}
          onBroken={isBroken => draft.setBroken(place, isBroken)}
          attributes={{
            id,
            onBlur: () => leave(place),
            'aria-invalid': message !== undefined,
            'aria-required': isRequired,
            'aria-describedby': described.join(' ') || undefined,
          }}
        />
        {action}
      </div>
      {hints.length > 0 && <small id={`${id}-hint`}>{hints.join(' ')}</small>}
      {message && <FaultText id={`${id}-fault`}>{message}</FaultText>}
    </div>
  )
}

const FaultText = ({ id, children }: { readonly id?: string; readonly children: string }) => (
  <p className="fault" id={id} role="alert">
    {children}
  </p>
)

function useForm(): FormState {
  const state = use(FormContext)
  if (!state) throw new Error('a field needs its form')
  return state
}

/** The fault of a field, once the person has left it. A value of JSON has faults inside. */
function useFault(
  path: Path,
  isOwn = ({ path: at }: Fault, place: string): boolean => isWithin(at, place),
): string | undefined {
  const { draft, left } = useForm()
  const place = pathOf(path, '')
  if (!draft.isRevealed && !left.has(place)) return undefined
  const fault = draft.faults.find(each => isOwn(each, place))
  return fault && `${fault.path.slice(place.length)} ${fault.message}`.trim()
}

const isObject = (value: Json | undefined): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const absentIfEmpty = (items: readonly Json[]): Json | undefined =>
  items.length > 0 ? items : undefined

/** A new item of a list. */
function emptyOf({ kind, default: start }: Shape): Json {
  if (start !== undefined) return start
  return kind === 'group' ? {} : kind === 'list' ? [] : kind === 'text' ? '' : null
}
