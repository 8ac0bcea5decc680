/** The evidence for a coding agent: a prompt that a person can edit, and the address by which the agent reads the thread itself. */
import { useState } from 'react'
import { debugPrompt } from '../../data/debug-prompt.ts'
import type { FoundLoop } from '../../data/loops.ts'
import { useModel, useRun } from '../../data/use-run.ts'
import { Button, Dialog, Field } from '../../design/parts.tsx'

interface DebugDialogProps {
  readonly loop: FoundLoop
  readonly onClose: () => void
}

export function DebugDialog({ loop, onClose }: DebugDialogProps) {
  const model = useModel()
  const isFile = useRun(({ link }) => link.kind === 'file')
  const [text, setText] = useState(() =>
    debugPrompt({ thread: model.thread, graph: model.graph, rows: model.rows, loop }),
  )
  const servers = serversOf(location.origin)
  return (
    <Dialog title="Debug with an agent" onClose={onClose}>
      <Field label="Prompt" hint="The evidence of this finding. Edit it before you copy it.">
        <textarea
          className="debug-prompt"
          rows={16}
          spellCheck={false}
          value={text}
          onChange={event => setText(event.target.value)}
        />
      </Field>
      <CopyButton name="Copy the prompt" text={text} />
      {!isFile && (
        <>
          <Field
            label="MCP server"
            hint="With it, the agent reads all events. Put in a key of the service; this page needs none."
          >
            <textarea className="debug-servers" rows={9} readOnly value={servers} />
          </Field>
          <CopyButton name="Copy the server" text={servers} />
        </>
      )}
      <footer>
        <Button onClick={onClose}>Close</Button>
      </footer>
    </Dialog>
  )
}

const serversOf = (origin: string): string =>
  JSON.stringify(
    {
      mcpServers: {
        escapement: { url: `${origin}/mcp`, headers: { authorization: 'Bearer YOUR-KEY' } },
      },
    },
    null,
    2,
  )

function CopyButton({ name, text }: { readonly name: string; readonly text: string }) {
  const [state, setState] = useState<'copied' | 'refused'>()
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      // Without a secure origin, browsers refuse. The text can still be selected.
      () => setState('refused'),
    )
  return (
    <p className="copy">
      <Button onClick={() => void copy()}>{name}</Button>
      <span role="status">
        {state === 'copied' && 'Copied.'}
        {state === 'refused' && 'The browser refused. Select the text, and copy it.'}
      </span>
    </p>
  )
}
