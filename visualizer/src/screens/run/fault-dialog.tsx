/** Makes the next calls of a tool or model fail, to see the way out before production shows it. */
import { useMemo, useState } from 'react'
import { CLASSES } from '../../../../src/core/watch/failure/failure-class.ts'
import type { FailureClass } from '../../../../src/core/watch/failure/failure.ts'
import { useModel } from '../../data/use-run.ts'
import { Button, Dialog, Field } from '../../design/parts.tsx'
import type { Commands } from './commands.ts'

interface FaultDialogProps {
  readonly commands: Commands
  readonly onClose: () => void
}

export function FaultDialog({ commands, onClose }: FaultDialogProps) {
  const model = useModel()
  const targets = useMemo(() => targetsIn(model.graph.spec), [model])
  const [target, setTarget] = useState(targets[0] ?? '')
  const [failure, setFailure] = useState<FailureClass>('transient')
  const [times, setTimes] = useState(1)
  const perform = async () => {
    const [kind, ...name] = target.split(' ')
    const fault = { kind: kind as 'tool' | 'model', name: name.join(' '), class: failure, times }
    const isDone = await commands.send('Inject fault', (thread, options) =>
      thread.inject(fault, options),
    )
    if (isDone) onClose()
  }
  return (
    <Dialog title="Inject a fault" onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void perform()
        }}
      >
        <p>
          The next calls fail as if the external system had failed. The system itself is not called.
        </p>
        <Field label="Tool or model">
          <select value={target} onChange={event => setTarget(event.target.value)}>
            {targets.map(name => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
        <Field label="Class of the failure">
          <select
            value={failure}
            onChange={event => setFailure(event.target.value as FailureClass)}
          >
            {CLASSES.map(name => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
        <Field label="Calls that fail">
          <input
            type="number"
            min={1}
            max={1000}
            value={times}
            onChange={event => setTimes(Number(event.target.value))}
          />
        </Field>
        {commands.message?.isError && <p role="alert">{commands.message.text}</p>}
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" icon="fault" submit onClick={() => {}} disabled={target === ''}>
            Inject
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

function targetsIn(spec: unknown): readonly string[] {
  const { tools = {}, models = {} } = (spec ?? {}) as Record<string, Record<string, unknown>>
  return [
    ...Object.keys(tools).map(name => `tool ${name}`),
    ...Object.keys(models).map(name => `model ${name}`),
  ]
}
