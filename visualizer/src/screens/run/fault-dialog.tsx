/** Makes the next calls of a tool or model fail, or answers them, before production does something else. */
import { useState } from 'react'
import { useModel } from '../../data/use-run.ts'
import { Button, Dialog, ErrorNotice } from '../../design/parts.tsx'
import type { Commands } from './commands.ts'
import { InjectionFields, injectionOf, useInjection } from './injection.tsx'

interface FaultDialogProps {
  readonly commands: Commands
  readonly onClose: () => void
}

export function FaultDialog({ commands, onClose }: FaultDialogProps) {
  const model = useModel()
  const injecting = useInjection(model.graph, ([first = '']) => first)
  const [problem, setProblem] = useState<string>()
  const perform = async () => {
    try {
      const injection = injectionOf(injecting)
      setProblem(undefined)
      const isDone = await commands.send('Inject', (thread, options) =>
        thread.inject(injection, options),
      )
      if (isDone) onClose()
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  const shown = problem ?? (commands.message?.isError ? commands.message.text : undefined)
  return (
    <Dialog title="Inject a fault or an answer" onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void perform()
        }}
      >
        <p>The next calls fail, or have your answer. The external system itself is not called.</p>
        <InjectionFields injecting={injecting} />
        {shown !== undefined && <ErrorNotice message={shown} />}
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            icon="fault"
            submit
            onClick={() => {}}
            disabled={injecting.draft.target === ''}
          >
            Inject
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
