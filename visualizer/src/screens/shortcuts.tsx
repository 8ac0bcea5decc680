/** The keys of the page. */
import { Dialog } from '../design/parts.tsx'
import { KEYED } from './run/actions.ts'

const SIGNS: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→' }

const KEYS: readonly (readonly [string, string])[] = [
  ...KEYED.map(({ key = '', hint }) => [SIGNS[key] ?? key, hint] as const),
  ['Ctrl K', 'Go to a screen, a thread or a graph'],
  ['?', 'This list'],
]

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <p className="muted">Single keys are off while you type.</p>
      <dl className="shortcuts">
        {KEYS.map(([keys, text]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map(key => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
