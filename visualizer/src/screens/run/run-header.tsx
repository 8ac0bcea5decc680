/** The name of the thread, what it does now, and what it has cost up to the event that is looked at. */
import { useEffect, useState } from 'react'
import { explain } from '../../../../src/core/watch/reason/reason.ts'
import { hrefOf, useAddress, nowMs } from '../../data/route.ts'
import type { Link } from '../../data/run-model.ts'
import { useIsFile, useModel, useRun } from '../../data/use-run.ts'
import { countText, durationText, moneyText, numberText } from '../../design/format.ts'
import { Tag, type Tone } from '../../design/parts.tsx'
import type { Commands } from './commands.ts'
import type { ThreadStatus } from './use-state.ts'

interface RunHeaderProps {
  readonly status: ThreadStatus
  readonly commands: Commands
}

export function RunHeader({ status, commands }: RunHeaderProps) {
  const model = useModel()
  const totals = useRun(({ overlay }) => overlay.totals)
  const breakers = useRun(({ overlay }) => overlay.breakers)
  const parent = useParent()
  const isFile = useIsFile()
  const { message } = commands
  const open = [...breakers].filter(([, { state }]) => state !== 'closed')
  return (
    <header className="run-header">
      <div className="run-title">
        <h1>{model.thread}</h1>
        {isFile ? (
          <span className="muted">{model.graph.graph}</span>
        ) : (
          <a href={hrefOf({ path: ['graphs', model.graph.graph] })}>{model.graph.graph}</a>
        )}
        {parent !== undefined && !isFile && (
          <a href={hrefOf({ path: ['compare', parent, model.thread] })}>
            fork of {parent}: compare
          </a>
        )}
        <Mode status={status} />
      </div>
      <p className="totals">
        <Steps status={status} />
        {countText(totals.modelCalls, 'model call')} · {countText(totals.toolCalls, 'tool call')} ·{' '}
        {countText(totals.failures, 'failure')} · {countText(totals.tokens, 'token')} ·{' '}
        {moneyText(totals.usd)}
        {open.map(([name, light]) => (
          <span key={name} className={`breaker-light is-${light.state}`}>
            breaker {name} {light.state}
          </span>
        ))}
      </p>
      <Ending status={status} />
      <LinkBanner />
      {/* Always present: a live region announces what is added to it. */}
      <p className={`command-result ${message?.isError ? 'is-error' : ''}`} role="status">
        {message?.text}
        {message && (
          <button type="button" className="link" onClick={commands.clear}>
            dismiss
          </button>
        )}
      </p>
    </header>
  )
}

/** The steps of the thread, and the limit at which it would stop. */
function Steps({ status }: { readonly status: ThreadStatus }) {
  const { state } = status
  if (!state) return null
  const { steps, stepsMax } = state.progress
  return (
    <b>{stepsMax === undefined ? countText(steps, 'step') : `${steps} of ${stepsMax} steps`} · </b>
  )
}

/** The parent of a fork: from the link that opened it, or from its journal. */
function useParent(): string | undefined {
  const { query } = useAddress()
  return useRun(({ journal }) => journal.parent) ?? query.parent
}

function Mode({ status }: { readonly status: ThreadStatus }) {
  const link = useRun(({ link }) => link)
  const at = useRun(({ at }) => at)
  const end = useRun(({ journal }) => journal.end)
  const follows = useRun(({ follows }) => follows)
  const [text, tone] = modeOf({ link, status, follows, at, end })
  return <Tag tone={tone}>{text}</Tag>
}

interface Looking {
  readonly link: Link
  readonly status: ThreadStatus
  readonly follows: boolean
  readonly at: number
  readonly end: number
}

function modeOf({ link, status, follows, at, end }: Looking): readonly [string, Tone] {
  if (!follows) return [`REPLAY ${at} / ${end}`, 'warn']
  if (link.kind === 'file') return ['FILE', 'quiet']
  if (link.kind === 'stored') return ['READ ONLY', 'quiet']
  if (link.kind === 'lost' || link.kind === 'failed') return ['DISCONNECTED', 'bad']
  if (link.kind === 'loading') return [`LOADING ${numberText(end + 1)} events`, 'quiet']
  if (status.paused) return ['PAUSED', 'warn']
  if (status.ended) return [`ENDED ${status.state?.ended?.outcome ?? ''}`.trim(), 'quiet']
  if (status.state?.status === 'waiting') return [`WAITING for ${status.state.waitsFor}`, 'person']
  return ['LIVE', 'ok']
}

/** How the run ended, in the sentence of the runtime. */
function Ending({ status }: { readonly status: ThreadStatus }) {
  const follows = useRun(({ follows }) => follows)
  const last = useRun(({ rows }) => rows.at(-1)?.ended)
  const isFile = useIsFile()
  // Without a service, the last event of the file says it.
  const ended = isFile ? last : status.state?.ended
  if (!ended || !follows) return null
  return (
    <p className={`ending is-${ended.outcome}`}>
      <b>{ended.outcome}</b>: {explain(ended.because)}
    </p>
  )
}

/** Says that the connection is lost, and up to which event the page is complete. */
function LinkBanner() {
  const link = useRun(({ link }) => link)
  const end = useRun(({ journal }) => journal.end)
  const [now, setNow] = useState(nowMs)
  const isLost = link.kind === 'lost'
  useEffect(() => {
    if (!isLost) return
    const timer = setInterval(() => setNow(nowMs()), 1_000)
    return () => clearInterval(timer)
  }, [isLost])
  if (link.kind === 'failed')
    return (
      <p className="banner is-error" role="alert">
        {link.message}
      </p>
    )
  if (link.kind !== 'lost') return null
  return (
    <p className="banner" role="status">
      The service has not answered for {durationText(Math.max(0, now - link.since))}. The page shows
      everything up to event {end}, and tries again.
    </p>
  )
}
