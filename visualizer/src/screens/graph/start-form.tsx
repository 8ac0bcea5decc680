/** The form that starts a thread: its input, and how many steps it may make. */
import { useMemo, useState } from 'react'
import { inputChannels, inputSchema } from '../../../../src/core/graph/channel-schema.ts'
import type { ChannelSource } from '../../../../src/core/graph/channel-schema.ts'
import type { Json } from '../../../../src/core/watch/data/json.ts'
import { threadLink } from '../../data/route.ts'
import { commandId, problemText, service } from '../../data/service.ts'
import { Button, ErrorNotice, Field } from '../../design/parts.tsx'
import { JsonInput } from '../../form/json-input.tsx'
import { useDraft } from '../../form/use-draft.ts'

export function StartForm({ graph, spec }: { readonly graph: string; readonly spec: Json }) {
  const { schema, fields } = useMemo(() => {
    const source = (spec ?? {}) as ChannelSource
    return { schema: inputSchema(source), fields: inputChannels(source) }
  }, [spec])
  const input = useDraft(schema, '{}')
  const [steps, setSteps] = useState('')
  const [problem, setProblem] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const start = async () => {
    const given = input.accept()
    if (given === undefined || busy) return
    setBusy(true)
    try {
      const limited = steps === '' ? {} : { policy: { limits: { steps: Number(steps) } } }
      const { id } = await service.start(graph, given, { id: commandId(), ...limited })
      location.hash = threadLink(id)
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="start-form"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void start()
      }}
    >
      <h2>Start a thread</h2>
      <JsonInput
        label="Input"
        hint="JSON: the keys are channels. Those that the form does not show can be set here, too."
        draft={input}
        fields={fields}
      />
      <Field label="Steps" hint="The most that the thread may make. Empty: as the graph says.">
        <input
          type="number"
          min={1}
          value={steps}
          onChange={event => setSteps(event.target.value)}
        />
      </Field>
      {problem !== undefined && <ErrorNotice message={problemText(problem)} />}
      <Button kind="primary" icon="play" submit disabled={busy} onClick={() => {}}>
        Start
      </Button>
    </form>
  )
}
