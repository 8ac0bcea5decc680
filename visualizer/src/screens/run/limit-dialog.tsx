/** Changes how many steps the thread may make. */
import { useState } from 'react'
import { countText } from '../../design/format.ts'
import { Button, Dialog, Field } from '../../design/parts.tsx'
import type { Commands } from './commands.ts'
import type { ThreadStatus } from './use-state.ts'

interface LimitDialogProps {
  readonly commands: Commands
  readonly status: ThreadStatus
  readonly onClose: () => void
}

export function LimitDialog({ commands, status, onClose }: LimitDialogProps) {
  const { steps = 0, stepsMax } = status.state?.progress ?? {}
  const [most, setMost] = useState(String(stepsMax ?? ''))
  const perform = async () => {
    const change = { limits: { steps: Number(most) } }
    const isDone = await commands.send('Limit', (thread, options) =>
      thread.changePolicy(change, options),
    )
    if (isDone) onClose()
  }
  return (
    <Dialog title="Limit the steps" onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void perform()
        }}
      >
        <p>
          The thread has made {countText(steps, 'step')}. At its limit, it takes the way out that
          its policy has for a spent budget. The limit also holds for its next rounds.
        </p>
        <Field label="Steps" hint="What escapes grant comes on top.">
          <input
            type="number"
            min={1}
            required
            value={most}
            onChange={event => setMost(event.target.value)}
          />
        </Field>
        {commands.message?.isError && <p role="alert">{commands.message.text}</p>}
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" submit onClick={() => {}}>
            Set the limit
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
