/** Sends a message to the thread: it starts its next round. */
import { useMemo } from 'react'
import { inputChannels, inputSchema } from '../../../../src/core/graph/channel-schema.ts'
import type { ChannelSource } from '../../../../src/core/graph/channel-schema.ts'
import { useModel, useRun } from '../../data/use-run.ts'
import { Button, Dialog } from '../../design/parts.tsx'
import { JsonInput } from '../../form/json-input.tsx'
import { useDraft } from '../../form/use-draft.ts'
import type { Commands } from './commands.ts'

interface SendDialogProps {
  readonly commands: Commands
  readonly onClose: () => void
}

export function SendDialog({ commands, onClose }: SendDialogProps) {
  const model = useModel()
  const { schema, fields } = useMemo(() => {
    const source = (model.graph.spec ?? {}) as ChannelSource
    return { schema: inputSchema(source), fields: inputChannels(source) }
  }, [model])
  const input = useDraft(schema, '{}')
  const ended = useRun(({ journal }) => journal.overlayAt(journal.end).ended)
  const perform = async () => {
    const given = input.accept()
    if (given === undefined) return
    // Of two people who would start the next round, one does. A busy thread moves on all the time, and its policy decides.
    const send: Parameters<Commands['send']>[1] = (thread, of) => thread.send(given, of)
    const isDone = await commands.send('Send', send, { checksSeq: ended })
    if (isDone) onClose()
  }
  return (
    <Dialog title="Send a message" onClose={onClose}>
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void perform()
        }}
      >
        <p>{effectOf(model.graph.spec, ended)}</p>
        <JsonInput
          label="Input of the round"
          hint="JSON: the keys are written to the channels."
          draft={input}
          fields={fields}
          rows={8}
        />
        {commands.message?.isError && <p role="alert">{commands.message.text}</p>}
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" icon="send" submit onClick={() => {}}>
            Send
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

interface SpecPart {
  readonly start?: string
  readonly rounds?: { readonly busy?: string }
}

/** Where the message leads. */
function effectOf(spec: unknown, ended: boolean): string {
  const { start = 'the first state', rounds } = (spec ?? {}) as SpecPart
  if (ended) return `The thread has ended. The message starts its next round in ${start}.`
  const busy = rounds?.busy ?? 'reject'
  if (busy === 'reject')
    return 'The thread is busy, and its policy rejects messages until the round has ended.'
  if (busy === 'queue')
    return `The message waits until the round has ended. Then it starts the next one in ${start}.`
  return `The message ends the current round and starts the next one in ${start}.`
}
