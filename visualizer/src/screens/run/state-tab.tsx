/** The channels at the event that is looked at: which event wrote each, and what it was one event earlier. */
import diff from 'microdiff'
import { useEffect, useState } from 'react'
import type { Json } from '../../../../src/core/watch/data/json.ts'
import { canFold, CoreFold, type StateAt } from '../../data/core-fold.ts'
import type { RunModel } from '../../data/run-model.ts'
import { setQuery } from '../../data/route.ts'
import { problemText, service } from '../../data/service.ts'
import { useModel, useRun } from '../../data/use-run.ts'
import { lineText } from '../../design/format.ts'
import { ErrorNotice, Notice, JsonText } from '../../design/parts.tsx'
import { SeekButton } from './loop-tab.tsx'
import { useSettled } from './use-settled.ts'
import { toggleWatch, useIsWatched } from './use-tracks.ts'

const FOLDS = new WeakMap<RunModel, CoreFold>()

/** `since`: the event with which the state is compared. Default: the one before. */
export function StateTab({ since }: { readonly since: number | undefined }) {
  const model = useModel()
  const at = useSettled(useRun(({ at }) => at))
  const from = Math.max(-1, Math.min(since ?? at - 1, model.journal.end))
  const [states, setStates] = useState<{ now: StateAt; before?: StateAt }>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    const left = new AbortController()
    const { signal } = left
    const read = async () => {
      const now = await stateAt(model, at, signal)
      const before = from >= 0 ? await stateAt(model, from, signal) : undefined
      if (signal.aborted) return
      setStates({ now, ...(before && { before }) })
      setProblem(undefined)
    }
    read().catch(error => {
      if (!signal.aborted) setProblem(problemText(error))
    })
    return () => left.abort()
  }, [model, at, from])
  if (problem !== undefined) return <ErrorNotice message={problem} />
  if (!states) return <p className="muted">Folding the journal…</p>
  const { now, before } = states
  const names = Object.keys(now.channels)
  if (names.length === 0)
    return (
      <Notice title="No channels">
        <p>The graph declares no channels, or the thread has not started.</p>
      </Notice>
    )
  const changes = before ? diff(plain(before.channels), plain(now.channels)) : []
  return (
    <div className="state-tab">
      <section aria-label="Changes">
        <h2>
          {since === undefined ? `Changed by event ${now.seq}` : `Changed from event ${from}`}
        </h2>
        <Since at={at} since={since} />
        {changes.length === 0 ? (
          <p className="muted">No channel has changed.</p>
        ) : (
          <ul className="changes">
            {changes.slice(0, CHANGES_MAX).map(change => (
              <li
                key={`${change.type} ${change.path.join('.')}`}
                className={`is-${change.type.toLowerCase()}`}
              >
                <b>{change.path.join('.')}</b>
                {'oldValue' in change && <del>{lineText(change.oldValue, 300)}</del>}
                {'value' in change && <ins>{lineText(change.value, 300)}</ins>}
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-label="Channels">
        <h2>Channels after event {now.seq}</h2>
        {names.map(name => (
          <Channel
            key={name}
            name={name}
            value={now.channels[name] ?? null}
            writtenBy={now.writtenBy[name]}
          />
        ))}
      </section>
    </div>
  )
}

/** Chooses the event with which the state is compared: any event before or after this one. */
function Since({ at, since }: { readonly at: number; readonly since: number | undefined }) {
  return (
    <p className="since">
      {since === undefined ? (
        <button type="button" className="link" onClick={() => setQuery({ since: String(at) })}>
          Compare other events with event {at}
        </button>
      ) : (
        <button type="button" className="link" onClick={() => setQuery({ since: undefined })}>
          Compare each event with the one before
        </button>
      )}
    </p>
  )
}

const CHANGES_MAX = 100

/** Microdiff compares class instances by their keys, and parsed JSON has none. */
const plain = (channels: StateAt['channels']) => channels as Record<string, unknown>

interface ChannelProps {
  readonly name: string
  readonly value: Json
  readonly writtenBy: number | undefined
}

function Channel({ name, value, writtenBy }: ChannelProps) {
  const items = Array.isArray(value) ? ` · ${value.length} items` : ''
  return (
    <details className="channel">
      <summary>
        <b>{name}</b>
        <span className="muted">{items}</span>
        <span className="channel-value">{lineText(value, 120)}</span>
      </summary>
      <p className="muted channel-facts">
        {writtenBy !== undefined && (
          <span>
            Last written by <SeekButton at={writtenBy} />
          </span>
        )}
        {writtenBy !== undefined && <WatchButton channel={name} />}
      </p>
      <JsonText value={value} />
    </details>
  )
}

/** Shows the values of a channel as a lane of the timeline. */
const WatchButton = ({ channel }: { readonly channel: string }) => (
  <button
    type="button"
    className="link"
    aria-pressed={useIsWatched(channel)}
    onClick={() => toggleWatch(channel)}
  >
    Watch on the timeline
  </button>
)

/** Folded in the page where that is possible, otherwise by the service. */
async function stateAt(model: RunModel, at: number, signal: AbortSignal): Promise<StateAt> {
  if (canFold(model)) {
    const fold = FOLDS.get(model) ?? new CoreFold(model.graph)
    FOLDS.set(model, fold)
    return fold.stateAt(model.rows, at, signal)
  }
  if (model.link.kind === 'file')
    throw new Error(
      'The graph of this thread has code of its own, so its state needs its program: `escapement show THREAD --at SEQ` prints it there.',
    )
  const { channels } = await service.thread(model.thread).state(at)
  return { seq: at, channels, writtenBy: {} }
}
