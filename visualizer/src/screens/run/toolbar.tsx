/** The commands to the thread as buttons, and the dialogs that some of them open. */
import { useIsReadOnly } from '../../data/use-run.ts'
import { Button } from '../../design/parts.tsx'
import {
  type Action,
  type ActionContext,
  CHANGES,
  CONTINUE,
  type OpenDialog,
  PAUSE,
  STEPS,
} from './actions.ts'
import { FaultDialog } from './fault-dialog.tsx'
import { ForkDialog } from './fork-dialog.tsx'
import { LimitDialog } from './limit-dialog.tsx'
import { SendDialog } from './send-dialog.tsx'
import { StopDialog } from './stop-dialog.tsx'

interface ToolbarProps {
  readonly context: ActionContext
  readonly dialog: OpenDialog
}

export function Toolbar({ context, dialog }: ToolbarProps) {
  const isReadOnly = useIsReadOnly()
  if (isReadOnly) return null
  const { commands, status, open } = context
  const close = () => open(undefined)
  const actions = [status.paused ? CONTINUE : PAUSE, ...STEPS, ...CHANGES]
  return (
    <div className="toolbar" role="toolbar" aria-label="Commands to the thread">
      {actions.map(action => (
        <ActionButton key={action.name} action={action} context={context} />
      ))}
      {dialog === 'fork' && <ForkDialog onClose={close} />}
      {dialog === 'send' && <SendDialog commands={commands} onClose={close} />}
      {dialog === 'fault' && <FaultDialog commands={commands} onClose={close} />}
      {dialog === 'limit' && <LimitDialog {...{ commands, status }} onClose={close} />}
      {dialog === 'stop' && <StopDialog commands={commands} onClose={close} />}
    </div>
  )
}

interface ActionButtonProps {
  readonly action: Action
  readonly context: ActionContext
}

function ActionButton({ action, context }: ActionButtonProps) {
  const { name, key, icon, kind, hint } = action
  const perform = action.of(context)
  return (
    <Button
      {...(icon && { icon })}
      {...(key !== undefined && { shortcut: key })}
      {...(kind && { kind })}
      disabled={perform === undefined}
      title={context.status.ended && !perform ? 'The thread has ended' : hint}
      onClick={() => perform?.()}
    >
      {name}
    </Button>
  )
}
