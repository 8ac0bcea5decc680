/** The keys of the page. */
import { Dialog } from '../design/parts.tsx'

type Key = readonly [keys: string, text: string]

const LOOKING: readonly Key[] = [
  ['← →', 'one event back or forward'],
  ['Home End', 'first event; last event, and follow the thread'],
  ['N', 'next finding'],
  ['1 2', 'drawing, outline'],
  ['?', 'this list'],
]

const ACTING: readonly Key[] = [
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
  ['Ctrl K', 'commands'],
]

interface ShortcutsDialogProps {
  /** A page without a service has no commands. */
  readonly readOnly?: boolean
  readonly onClose: () => void
}

export function ShortcutsDialog({ readOnly = false, onClose }: ShortcutsDialogProps) {
  const keys = readOnly ? LOOKING : [...LOOKING, ...ACTING]
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <p className="muted">Single keys are off while you type.</p>
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
    </Dialog>
  )
}
