/** The graphs of the service, each with what its threads did and what lint found. */
import { useCallback } from 'react'
import type { TallyCount } from '../../../../src/runtime/store/tally.ts'
import { hrefOf, nowMs, setQuery, useAddress } from '../../data/route.ts'
import { problemText, service } from '../../data/service.ts'
import { countText, moneyText, numberText } from '../../design/format.ts'
import { ErrorNotice, Field, Loading, Notice, Tag } from '../../design/parts.tsx'
import { toneOf } from '../threads/thread-table.tsx'
import { usePolled } from '../use-polled.ts'

const EVERY_MS = 10_000
const DAY_MS = 86_400_000

export function GraphsScreen() {
  const { query } = useAddress()
  const isAll = query.period === 'all'
  const read = useCallback(() => service.graphs(), [])
  const { value: graphs, problem, again } = usePolled(read, EVERY_MS)
  const readTallies = useCallback(
    () => service.tallies(isAll ? {} : { since: nowMs() - DAY_MS }),
    [isAll],
  )
  const { value: tallies = [] } = usePolled(readTallies, EVERY_MS)
  return (
    <div className="screen">
      <header className="screen-header">
        <h1>Graphs</h1>
        <Field label="Threads of">
          <select
            value={isAll ? 'all' : 'day'}
            onChange={({ target }) =>
              setQuery({ period: target.value === 'all' ? 'all' : undefined })
            }
          >
            <option value="day">the last 24 h</option>
            <option value="all">all times</option>
          </select>
        </Field>
      </header>
      {problem !== undefined && <ErrorNotice message={problemText(problem)} retry={again} />}
      {graphs === undefined && problem === undefined && <Loading />}
      {graphs?.length === 0 && (
        <Notice title="The service holds no graph">
          <p>
            Start it with <code>escapement serve --graphs FOLDER</code>.
          </p>
        </Notice>
      )}
      <ul className="cards">
        {graphs?.map(({ graph, specHash }) => (
          <li key={specHash} className="card">
            <h2>
              <a href={hrefOf({ path: ['graphs', graph] })}>{graph}</a>
            </h2>
            <CardFacts of={tallies.filter(each => each.graph === graph)} />
            <LintLine graph={graph} />
            <p className="card-line">
              <span className="muted">version {specHash}</span>
              <a href={hrefOf({ path: ['threads'], query: { graph } })}>Its threads</a>
            </p>
          </li>
        ))}
      </ul>
    </div>
  )
}

function CardFacts({ of }: { readonly of: readonly TallyCount[] }) {
  const threads = sum(of, ({ count }) => count)
  const isLoop = ({ signature }: TallyCount) =>
    signature?.kind === 'loop' || signature?.kind === 'stall'
  const looped = sum(of.filter(isLoop), ({ count }) => count)
  const escapes = sum(of, each => each.escapes)
  const usd = sum(of, each => each.usd)
  const outcomes = Map.groupBy(of, ({ outcome, status }) => outcome ?? status)
  if (threads === 0) return <p className="muted">no threads</p>
  return (
    <>
      <p className="card-outcomes">
        {countText(threads, 'thread')}
        {[...outcomes].map(([name, lines]) => (
          <Tag key={name} tone={toneOf(lines[0]?.status ?? 'ended', lines[0]?.outcome)}>
            {numberText(sum(lines, ({ count }) => count))} {name}
          </Tag>
        ))}
      </p>
      <p>
        {looped === 0 ? 'no loops' : `loops in ${countText(looped, 'thread')}`} ·{' '}
        {countText(escapes, 'escape')} · {moneyText(usd)}
      </p>
    </>
  )
}

const sum = (all: readonly TallyCount[], amount: (of: TallyCount) => number): number =>
  all.reduce((total, each) => total + amount(each), 0)

/** The verdict of lint in one line. A graph does not change while the service holds it, so it is read once. */
function LintLine({ graph }: { readonly graph: string }) {
  const read = useCallback(async () => (await service.graph(graph)).findings, [graph])
  const { value: findings } = usePolled(read)
  const open = findings?.filter(({ accepted }) => accepted !== true) ?? []
  const errors = open.filter(({ severity }) => severity === 'error').length
  const warnings = open.length - errors
  const parts = [
    ...(errors > 0 ? [countText(errors, 'error')] : []),
    ...(warnings > 0 ? [countText(warnings, 'warning')] : []),
  ]
  return (
    <p className="muted">
      lint: {findings === undefined ? '…' : parts.join(', ') || 'no findings'}
    </p>
  )
}
