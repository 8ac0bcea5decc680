/** The loops of a run: what repeats, what differs between the laps, what it cost, and which way out was taken. */
import { useState } from 'react'
import { lapsOf } from '../../../../src/core/review/laps.ts'
import type { Finding } from '../../../../src/core/watch/event/event.ts'
import { explain } from '../../../../src/core/watch/reason/reason.ts'
import { type FoundLoop, isRepetition, routeText, type TakenEscape } from '../../data/loops.ts'
import { nearestRepetition } from '../../data/nearest-repetition.ts'
import { useModel, useRun } from '../../data/use-run.ts'
import { countText, durationText, moneyText } from '../../design/format.ts'
import { Icon } from '../../design/icon.tsx'
import { Button, Notice, Tag, ScrollRegion } from '../../design/parts.tsx'
import type { Commands } from './commands.ts'
import { DebugDialog } from './debug-dialog.tsx'

export function LoopTab({ commands }: { readonly commands: Commands }) {
  const loops = useRun(model => model.loops)
  const [chosen, choose] = useState<string>()
  const loop =
    loops.find(({ id }) => id === chosen) ??
    loops.find(({ finding }) => isRepetition(finding)) ??
    loops[0]
  if (!loop) return <NoFinding />
  return (
    <>
      {loops.length > 1 && (
        <ul className="chips" aria-label="Findings">
          {loops.map(({ id, finding }) => (
            <li key={id}>
              <button type="button" aria-pressed={id === loop.id} onClick={() => choose(id)}>
                {titleOf(finding)} <small>event {finding.noticed}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
      <FindingCard loop={loop} commands={commands} />
    </>
  )
}

/** Without a finding, what comes nearest to one, so that the silence says something. */
function NoFinding() {
  const model = useModel()
  const at = useRun(({ at }) => at)
  const nearest = nearestRepetition(model.rows, at)
  return (
    <Notice title="No finding">
      <p>No detector has found a loop, a stall or another fault up to this event.</p>
      {nearest && (
        <p>
          Nearest to a loop: {nearest.states.join(' → ')}, {nearest.times} times in a row with the
          same calls.
        </p>
      )}
    </Notice>
  )
}

const titleOf = ({ kind, period, repeats }: Finding): string =>
  repeats > 1 ? `${kind} ${period} × ${repeats}` : kind

function FindingCard({
  loop,
  commands,
}: {
  readonly loop: FoundLoop
  readonly commands: Commands
}) {
  const model = useModel()
  const [debugs, setDebugs] = useState(false)
  const { finding, escapes, times } = loop
  const { onset, noticed, burned, members, confidence, detector, reason } = finding
  return (
    <article className="finding">
      <h2>
        <Icon name="loop" /> {titleOf(finding)}
        <span className="muted"> found by {detector}</span>
      </h2>
      <p className="lead">{explain(reason)}</p>
      <dl className="facts">
        <div>
          <dt>Repeats</dt>
          <dd>{members.join(' → ')}</dd>
        </div>
        <div>
          <dt>Events</dt>
          <dd>
            <SeekButton at={onset} /> to <SeekButton at={noticed} />
            {times > 1 && ` · found ${times} times`}
          </dd>
        </div>
        <div>
          <dt>Cost</dt>
          <dd>
            {countText(burned.steps, 'step')} · {countText(burned.modelCalls, 'model call')} ·{' '}
            {countText(burned.toolCalls, 'tool call')} · {countText(burned.tokens, 'token')} ·{' '}
            {moneyText(burned.usd)} · {durationText(burned.duration)}
          </dd>
        </div>
        {confidence !== undefined && (
          <div>
            <dt>Confidence</dt>
            <dd>{Math.round(confidence * 100)} %</dd>
          </div>
        )}
      </dl>
      {isRepetition(finding) && <Laps finding={finding} />}
      <h3>Ways out</h3>
      {escapes.length === 0 ? (
        <p className="muted">The finding was reported, and no escape was needed or taken.</p>
      ) : (
        <ol className="ladder">
          {escapes.map(escape => (
            <EscapeRow key={escape.seq} escape={escape} />
          ))}
        </ol>
      )}
      <Button icon="search" onClick={() => setDebugs(true)}>
        Debug with an agent
      </Button>
      {debugs && <DebugDialog loop={loop} onClose={() => setDebugs(false)} />}
      {isRepetition(finding) && model.link.kind === 'live' && (
        <Button
          onClick={() =>
            void commands.send('Dismiss', (thread, options) => thread.dismiss(finding.id, options))
          }
          title="The detectors ignore this repetition from now on"
        >
          This is not a loop
        </Button>
      )}
    </article>
  )
}

const RESULTS: Readonly<Record<TakenEscape['result'], 'ok' | 'bad' | 'warn' | 'quiet'>> = {
  'went on': 'ok',
  'same finding again': 'bad',
  'ended the run': 'warn',
  'in progress': 'quiet',
}

/** The rungs in order: those that did not apply, each with its reason, and the one that was taken. */
function EscapeRow({ escape }: { readonly escape: TakenEscape }) {
  return (
    <li>
      <ul>
        {escape.considered.map(({ rung, reason }) => (
          <li key={rung} className="rung">
            <span className="rung-name">{rung}</span>
            <span className="muted">not taken: {explain(reason)}</span>
          </li>
        ))}
        <li className="rung is-taken">
          <span className="rung-name">{escape.route.rung}</span>
          <span>
            {routeText(escape.route)} at <SeekButton at={escape.seq} />
          </span>
          <Tag tone={RESULTS[escape.result]}>{escape.result}</Tag>
        </li>
      </ul>
    </li>
  )
}

export function SeekButton({ at }: { readonly at: number }) {
  const model = useModel()
  return (
    <button type="button" className="link" onClick={() => model.seek(at)}>
      event {at}
    </button>
  )
}

/** The laps side by side. What differs stands first. */
function Laps({ finding }: { readonly finding: Finding }) {
  const model = useModel()
  const { shown, leftOut, differing } = lapsOf(model.rows, finding)
  const numbers = shown.map((_, index) =>
    index === 0 || leftOut === 0 ? index + 1 : index + 1 + leftOut,
  )
  const rows = Math.max(0, ...shown.map(({ events }) => events.length))
  return (
    <>
      <h3>What differs between the laps</h3>
      {differing.length === 0 ? (
        <p>Nothing: all laps are identical.</p>
      ) : (
        <ul className="differences">
          {differing.map(({ path, values }) => (
            <li key={path}>
              <b>{path}</b>
              <span className="muted"> {[...new Set(values)].join(' | ')}</span>
            </li>
          ))}
        </ul>
      )}
      <h3>Laps</h3>
      <ScrollRegion className="laps" label="Laps, side by side">
        <table>
          <thead>
            <tr>
              {numbers.map(number => (
                <th key={number} scope="col">
                  Lap {number}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: rows }, (_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a finding keep their places.
              <tr key={row}>
                {shown.map(({ events }, lap) => {
                  const event = events[row]
                  const first = shown[0]?.events[row]
                  const isSame = lap > 0 && event?.text === first?.text
                  return (
                    <td key={numbers[lap]} className={isSame ? 'is-same' : ''}>
                      {event && (
                        <button
                          type="button"
                          className="link"
                          onClick={() => model.seek(event.seq)}
                        >
                          {event.text}
                        </button>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {leftOut > 0 && <p className="muted">{leftOut} laps in between are left out.</p>}
    </>
  )
}
