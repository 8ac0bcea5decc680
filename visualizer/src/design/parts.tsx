/** The small parts that all screens share. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { jsonText } from './format.ts'
import { Icon, type IconName } from './icon.tsx'

interface ButtonProps {
  readonly icon?: IconName
  readonly children: ReactNode
  readonly onClick: () => void
  /** The key that does the same. */
  readonly shortcut?: string
  readonly kind?: 'plain' | 'primary' | 'danger'
  readonly disabled?: boolean
  /** Why it is disabled, or what it does. */
  readonly title?: string
  readonly pressed?: boolean
  readonly submit?: boolean
}

export function Button({
  icon,
  children,
  onClick,
  shortcut,
  kind = 'plain',
  ...rest
}: ButtonProps) {
  const { disabled, title, pressed, submit } = rest
  return (
    <button
      type={submit ? 'submit' : 'button'}
      className={`button is-${kind}`}
      onClick={onClick}
      disabled={disabled}
      title={title}
      aria-pressed={pressed}
      aria-keyshortcuts={shortcut}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
      {shortcut && <kbd>{shortcut}</kbd>}
    </button>
  )
}

interface ChoicesProps<Id extends string> {
  /** What is chosen, for screen readers. */
  readonly label: string
  readonly choices: readonly { readonly id: Id; readonly name: string }[]
  readonly current: Id
  readonly onChange: (id: Id) => void
}

/** A switch between a few choices, as radio buttons in one frame. */
export function Choices<Id extends string>({
  label,
  choices,
  current,
  onChange,
}: ChoicesProps<Id>) {
  const group = useId()
  return (
    <fieldset className="switch">
      <legend className="visually-hidden">{label}</legend>
      {choices.map(({ id, name }) => (
        <label key={id}>
          <input type="radio" name={group} checked={current === id} onChange={() => onChange(id)} />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  )
}

interface TabsProps<Id extends string> {
  readonly label: string
  readonly tabs: readonly { readonly id: Id; readonly name: string; readonly count?: number }[]
  readonly current: Id
  readonly onChange: (id: Id) => void
  readonly children: ReactNode
}

export function Tabs<Id extends string>({
  label,
  tabs,
  current,
  onChange,
  children,
}: TabsProps<Id>) {
  const id = useId()
  const move = (event: React.KeyboardEvent) => {
    const place = tabs.findIndex(tab => tab.id === current)
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const next = step && tabs[(place + step + tabs.length) % tabs.length]
    if (!next) return
    event.preventDefault()
    event.stopPropagation()
    onChange(next.id)
    document.getElementById(`${id}-${next.id}`)?.focus()
  }
  return (
    <section className="tabs">
      <div role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(tab => (
          <button
            key={tab.id}
            id={`${id}-${tab.id}`}
            type="button"
            role="tab"
            aria-selected={tab.id === current}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === current ? 0 : -1}
            onClick={() => onChange(tab.id)}
          >
            {tab.name}
            {tab.count ? <span className="badge">{tab.count}</span> : null}
          </button>
        ))}
      </div>
      <div
        className="tab-panel"
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${current}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls takes the keyboard.
        tabIndex={0}
      >
        {children}
      </div>
    </section>
  )
}

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A modal dialog of the browser: it keeps the focus inside, and Escape closes it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    element.current?.showModal()
    // The browser takes the first control, and that is the one that closes the dialog. A choice is not made by typing.
    const first = element.current?.querySelector<HTMLInputElement>('input, select, textarea')
    if (first && first.type !== 'radio') first.focus()
  }, [])
  return (
    <dialog ref={element} aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" className="button is-plain is-square" onClick={onClose}>
          <Icon name="close" label="Close" />
        </button>
      </header>
      {children}
    </dialog>
  )
}

export function Field({
  label,
  hint,
  children,
}: {
  label: string
  hint?: string
  children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children.
    <label className="field">
      <span>{label}</span>
      {children}
      {hint && <small>{hint}</small>}
    </label>
  )
}

interface ScrollRegionProps {
  readonly label: string
  readonly className: string
  readonly ref?: React.Ref<HTMLElement>
  readonly children: ReactNode
}

/** A part of the screen that scrolls. The keyboard can scroll it, too. */
export const ScrollRegion = ({ label, ...rest }: ScrollRegionProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus.
  <section tabIndex={0} aria-label={label} {...rest} />
)

interface TableProps {
  readonly label: string
  readonly columns: readonly string[]
  /** Styles of this table. */
  readonly kind?: string
  /** The bodies and the foot. */
  readonly children: ReactNode
}

/** A table with the names of its columns. A wide one scrolls. */
export const Table = ({ label, columns, kind = '', children }: TableProps) => (
  <ScrollRegion className="table-scroll" label={label}>
    <table className={`table ${kind}`}>
      <thead>
        <tr>
          {columns.map(name => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      {children}
    </table>
  </ScrollRegion>
)

/** A value as JSON, to read. */
export const JsonText = ({ value }: { readonly value: unknown }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus.
  <pre tabIndex={0}>{jsonText(value)}</pre>
)

/** What a screen shows while it has nothing to show. */
export function Notice({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ReactNode
}) {
  return (
    <div className="notice">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** What a list shows until it has been read, if that takes a while. */
export const Loading = () => (
  <p className="muted is-late" role="status">
    Loading…
  </p>
)

export function ErrorNotice({
  message,
  retry,
}: {
  readonly message: string
  readonly retry?: () => void
}) {
  return (
    <div className="notice is-error" role="alert">
      <Icon name="warning" />
      <p>{message}</p>
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  )
}

export type Tone = 'ok' | 'bad' | 'warn' | 'loop' | 'person' | 'quiet'

/** A word with a color. The word alone says it, too. */
export const Tag = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => (
  <span className={`tag is-${tone}`}>{children}</span>
)
