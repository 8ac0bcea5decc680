/** The keys of the page. */
import { Dialog } from '../design/parts.tsx'

const KEYS: readonly (readonly [string, string])[] = [
  ['← →', 'one event back or forward'],
  ['Home End', 'first event; last event, and follow the thread'],
  ['N', 'next finding'],
  ['P', 'pause the thread'],
  ['F5', 'continue the thread'],
  ['S', 'step: run the nodes that can start now'],
  ['L', 'lap: run until this state is entered again'],
  ['U', 'out: run until the run leaves the box'],
  ['R', 'run to the selected state'],
  ['B', 'set or clear a breakpoint on the selected state'],
  ['F', 'fork at the event that is looked at'],
  ['E', 'send a message'],
  ['I', 'inject a fault'],
  ['1 2', 'drawing, outline'],
  ['Ctrl K', 'commands'],
  ['?', 'this list'],
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
