/** Stops the thread: it ends in order, and its journal says why. */
import { useState } from 'react'
import { Button, Dialog, Field } from '../../design/parts.tsx'
import type { Commands } from './commands.ts'

interface StopDialogProps {
  readonly commands: Commands
  readonly onClose: () => void
}

export function StopDialog({ commands, onClose }: StopDialogProps) {
  const [reason, setReason] = useState('')
  const perform = async () => {
    const given = reason.trim() === '' ? undefined : reason
    const isDone = await commands.send('Stop', (thread, options) => thread.stop(given, options))
    if (isDone) onClose()
  }
  return (
    <Dialog title="Stop the thread" onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void perform()
        }}
      >
        <p>The thread takes its orderly stop. A fork can still continue from any of its events.</p>
        <Field label="Reason" hint="It is kept in the journal. Optional.">
          <input value={reason} onChange={event => setReason(event.target.value)} />
        </Field>
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" icon="stop" submit onClick={() => {}}>
            Stop
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
