/** The keys of the page. */
import { Dialog } from '../design/parts.tsx'
import { INBOX_KEYS } from './inbox/use-inbox-keys.ts'
import { type Action, KEYED, LOOKING } from './run/actions.ts'

const SIGNS: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→' }

type Keys = readonly (readonly [keys: string, hint: string])[]

const LIST = ['?', 'This list'] as const
const PALETTE = ['Ctrl K', 'Go to a screen, a thread or a graph'] as const

const ROWS: Keys = [
  ['J K', 'In the list of threads: the next and the previous one'],
  ['X', 'In the list of threads: select one of two to compare'],
]

const keysOf = (actions: readonly Action[]): Keys =>
  actions.map(({ key = '', hint }) => [SIGNS[key] ?? key, hint])

interface ShortcutsDialogProps {
  /** A page without a service has no commands. */
  readonly readOnly?: boolean
  readonly onClose: () => void
}

export function ShortcutsDialog({ readOnly = false, onClose }: ShortcutsDialogProps) {
  const all = readOnly ? [...keysOf(LOOKING), LIST] : [...keysOf(KEYED), ...ROWS, PALETTE, LIST]
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <p className="muted">Single keys are off while you type.</p>
      <KeyList keys={all} />
      {!readOnly && (
        <>
          <h3>Inbox</h3>
          <KeyList keys={INBOX_KEYS.map(({ key, hint }) => [key, hint])} />
        </>
      )}
    </Dialog>
  )
}

const KeyList = ({ keys }: { readonly keys: Keys }) => (
  <dl className="shortcuts">
    {keys.map(([names, text]) => (
      <div key={names}>
        <dt>
          {names.split(' ').map(key => (
            <kbd key={key}>{key}</kbd>
          ))}
        </dt>
        <dd>{text}</dd>
      </div>
    ))}
  </dl>
)
