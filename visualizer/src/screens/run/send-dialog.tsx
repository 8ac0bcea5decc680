/** Sends a message to the thread: it starts its next round. */
import { useState } from 'react'
import type { Json } from '../../../../src/core/watch/data/json.ts'
import { useModel, useRun } from '../../data/use-run.ts'
import { Button, Dialog, Field } from '../../design/parts.tsx'
import type { Commands } from './commands.ts'

interface SendDialogProps {
  readonly commands: Commands
  readonly onClose: () => void
}

export function SendDialog({ commands, onClose }: SendDialogProps) {
  const model = useModel()
  const [text, setText] = useState(() => JSON.stringify(inputOf(model.graph.spec), null, 2))
  const ended = useRun(({ journal }) => journal.overlayAt(journal.end).ended)
  const input = parsed(text)
  const perform = async () => {
    if (!input) return
    // Of two people who would start the next round, one does. A busy thread moves on all the time, and its policy decides.
    const send: Parameters<Commands['send']>[1] = (thread, of) => thread.send(input, of)
    const isDone = await commands.send('Send', send, { checksSeq: ended })
    if (isDone) onClose()
  }
  return (
    <Dialog title="Send a message" onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void perform()
        }}
      >
        <p>{effectOf(model.graph.spec, ended)}</p>
        <Field label="Input of the round" hint="JSON: the keys are written to the channels.">
          <textarea
            rows={8}
            spellCheck={false}
            value={text}
            aria-invalid={!input}
            onChange={event => setText(event.target.value)}
          />
        </Field>
        {!input && <p role="alert">Expected a JSON object.</p>}
        {commands.message?.isError && <p role="alert">{commands.message.text}</p>}
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" icon="send" submit onClick={() => {}} disabled={!input}>
            Send
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

interface SpecPart {
  readonly start?: string
  readonly channels?: Readonly<
    Record<string, { readonly type?: string; readonly reducer?: string }>
  >
  readonly input?: readonly string[]
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

/** An example with the channels that the graph expects. */
function inputOf(spec: unknown): Readonly<Record<string, Json>> {
  const { input = [], channels = {} } = (spec ?? {}) as SpecPart
  const names = input.length > 0 ? input : Object.keys(channels).filter(name => name === 'goal')
  return Object.fromEntries(names.map(name => [name, '']))
}

function parsed(text: string): Readonly<Record<string, Json>> | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
