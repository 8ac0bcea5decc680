/** The form that starts a thread: its input, and how many steps it may make. */
import { useState } from 'react'
import type { Json } from '../../../../src/core/watch/data/json.ts'
import { threadLink } from '../../data/route.ts'
import { commandId, problemText, service } from '../../data/service.ts'
import { Button, ErrorNotice, Field } from '../../design/parts.tsx'

export function StartForm({ graph, spec }: { readonly graph: string; readonly spec: Json }) {
  const [text, setText] = useState('{}')
  const [steps, setSteps] = useState('')
  const [problem, setProblem] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const input = objectIn(text)
  const start = async () => {
    if (!input || busy) return
    setBusy(true)
    try {
      const limited = steps === '' ? {} : { policy: { limits: { steps: Number(steps) } } }
      const { id } = await service.start(graph, input, { id: commandId(), ...limited })
      location.hash = threadLink(id)
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const { input: needed = [] } = (spec ?? {}) as { input?: readonly string[] }
  const hint =
    needed.length > 0
      ? `JSON. The graph needs: ${needed.join(', ')}`
      : 'JSON. All channels have defaults.'
  return (
    <form
      className="start-form"
      onSubmit={event => {
        event.preventDefault()
        void start()
      }}
    >
      <h2>Start a thread</h2>
      <Field label="Input" hint={hint}>
        <textarea
          rows={3}
          spellCheck={false}
          value={text}
          aria-invalid={!input}
          onChange={event => setText(event.target.value)}
        />
      </Field>
      <Field label="Steps" hint="The most that the thread may make. Empty: as the graph says.">
        <input
          type="number"
          min={1}
          value={steps}
          onChange={event => setSteps(event.target.value)}
        />
      </Field>
      {problem !== undefined && <ErrorNotice message={problemText(problem)} />}
      <Button kind="primary" icon="play" submit disabled={!input || busy} onClick={() => {}}>
        Start
      </Button>
    </form>
  )
}

function objectIn(text: string): Readonly<Record<string, Json>> | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
