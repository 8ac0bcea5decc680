/** Forks the thread at the event that is looked at. What its calls may change must be chosen: a fork never acts by accident. */
import { useMemo, useState } from 'react'
import {
  type ChannelSource,
  inputChannels,
  inputSchema,
} from '../../../../src/core/graph/channel-schema.ts'
import type { ForkEffects } from '../../../../src/core/watch/event/event.ts'
import type { Json } from '../../../../src/core/watch/data/json.ts'
import type { RunModel } from '../../data/run-model.ts'
import { useModel, useRun } from '../../data/use-run.ts'
import { go, hrefOf } from '../../data/route.ts'
import { commandId, problemText, service } from '../../data/service.ts'
import { Button, Dialog, ErrorNotice, Field } from '../../design/parts.tsx'
import { JsonInput } from '../../form/json-input.tsx'
import { useDraft } from '../../form/use-draft.ts'
import { InjectionFields, injectionOf, useInjection } from './injection.tsx'
import { channelsIn, objectIn, settingsIn } from './settings.ts'

const POLICIES: readonly {
  readonly id: ForkEffects
  readonly name: string
  readonly text: string
}[] = [
  {
    id: 'recorded',
    name: 'Recorded',
    text: 'Calls answer from the journal of this thread while they are the same. After that, reads run and writes are refused.',
  },
  { id: 'refuse', name: 'Reads only', text: 'Reads run again. Writes are refused.' },
  { id: 'live', name: 'Live', text: 'Everything runs, also writes to external systems.' },
]

/** The input with which the thread has started, for editing. */
function inputText({ rows }: RunModel): string {
  const started = rows[0]?.event
  return started?.type === 'thread.started' ? JSON.stringify(started.input, null, 2) : '{}'
}

export function ForkDialog({ onClose }: { readonly onClose: () => void }) {
  const model = useModel()
  const at = useRun(({ at }) => at)
  const [effects, setEffects] = useState<ForkEffects>()
  const [settings, setSettings] = useState('')
  const [paused, setPaused] = useState(false)
  const injecting = useInjection(model.graph)
  const [channels, setChannels] = useState('')
  const { schema, fields } = useMemo(() => {
    const source = (model.graph.spec ?? {}) as ChannelSource
    return { schema: inputSchema(source), fields: inputChannels(source) }
  }, [model])
  const given = inputText(model)
  const input = useDraft(schema, given)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const perform = async () => {
    if (!effects || busy || (at === 0 && input.text !== given && !input.accept())) return
    setBusy(true)
    try {
      const change = settingsIn(settings)
      const edited = channelsIn(channels)
      const options = {
        ...{ at, effects, paused },
        ...(change && { change: change as Json }),
        ...(injecting.draft.target !== '' && { inject: [injectionOf(injecting)] }),
        ...(edited && { channels: edited }),
        ...(at === 0 && input.text !== given && { input: objectIn(input.text) }),
      }
      const fork = await service.thread(model.thread).fork(options, { id: commandId() })
      go(hrefOf({ path: ['threads', fork.id], query: { parent: model.thread } }))
      onClose()
    } catch (error) {
      setProblem(problemText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={`Fork at event ${at}`} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void perform()
        }}
      >
        <p>
          The fork is a new thread with the events of this one up to event {at}. This thread stays
          as it is.
        </p>
        <fieldset>
          <legend>What may the calls of the fork do?</legend>
          {POLICIES.map(({ id, name, text }) => (
            <label key={id} className="choice">
              <input
                type="radio"
                name="effects"
                value={id}
                checked={effects === id}
                onChange={() => setEffects(id)}
              />
              <span>
                <b>{name}</b>
                <small>{text}</small>
              </span>
            </label>
          ))}
        </fieldset>
        {at === 0 && (
          <JsonInput
            label="Input"
            hint="JSON. The fork starts with it."
            draft={input}
            fields={fields}
            rows={4}
          />
        )}
        <details>
          <summary>Answer the next call, or let it fail</summary>
          <InjectionFields injecting={injecting} none="Neither" />
        </details>
        <details>
          <summary>Change channels</summary>
          <Field
            label="Channels"
            hint="One name=JSON per line, such as lap=3. An append channel takes a whole list."
          >
            <textarea
              rows={3}
              spellCheck={false}
              value={channels}
              onChange={event => setChannels(event.target.value)}
            />
          </Field>
        </details>
        <Field
          label="Policy changes"
          hint="One path=value per line, such as limits.steps=40. Optional."
        >
          <textarea rows={3} value={settings} onChange={event => setSettings(event.target.value)} />
        </Field>
        <label className="choice">
          <input type="checkbox" checked={paused} onChange={() => setPaused(!paused)} />
          <span>Start the fork paused</span>
        </label>
        {problem !== undefined && <ErrorNotice message={problem} />}
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            icon="fork"
            submit
            disabled={!effects || busy}
            onClick={() => {}}
            title={effects ? 'Create the fork and open it' : 'Choose what its calls may do'}
          >
            Fork
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
