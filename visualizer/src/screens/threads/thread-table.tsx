/** The table of threads, in groups. On a phone, each row is a card. */
import { Fragment, useRef } from 'react'
import type { ThreadListing } from '../../../../src/host/thread/listing.ts'
import {
  isCounted,
  repeatsText,
  rungsText,
  signatureText,
} from '../../../../src/core/run/tally-text.ts'
import type { TalliedFinding } from '../../../../src/core/run/tally.ts'
import { hrefOf, nowMs, threadLink } from '../../data/route.ts'
import { agoText, countText, durationText, moneyText, numberText } from '../../design/format.ts'
import { Tag, type Tone, ScrollRegion } from '../../design/parts.tsx'
import type { Group } from './groups.ts'
import { useRowKeys } from './use-row-keys.ts'

const COLUMNS = [
  'Thread',
  'Graph',
  'Status',
  'State or reason',
  'Loop',
  'Escapes',
  'Cost',
  'Steps',
  'Events',
  'Time',
  'Last event',
]

interface ThreadTableProps {
  readonly groups: readonly Group[]
  readonly hasTitles: boolean
  readonly picked: readonly string[]
  readonly pick: (thread: string) => void
}

export function ThreadTable({ groups, hasTitles, picked, pick }: ThreadTableProps) {
  const now = nowMs()
  const list = useRef<HTMLElement>(null)
  useRowKeys(list, pick)
  return (
    <ScrollRegion className="table-scroll" label="Threads" ref={list}>
      <table className="table threads">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Select</span>
            </th>
            {COLUMNS.map(name => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(group => (
          <tbody key={group.key}>
            {hasTitles && <GroupTitle group={group} />}
            {group.threads.toSorted(byRank).map(thread => (
              <ThreadRow
                key={thread.thread}
                {...{ thread, now, pick, isPicked: picked.includes(thread.thread) }}
              />
            ))}
          </tbody>
        ))}
      </table>
    </ScrollRegion>
  )
}

function GroupTitle({ group }: { readonly group: Group }) {
  const { title, total, threads, outcomes, usd } = group
  const parts = [
    outcomes.map(([name, count]) => `${numberText(count)} ${name}`).join(', '),
    ...(usd > 0 ? [moneyText(usd)] : []),
    ...(threads.length < total ? [`${numberText(threads.length)} shown`] : []),
  ]
  return (
    <tr className="group-title">
      <th scope="rowgroup" colSpan={COLUMNS.length + 1}>
        {title}: {countText(total, 'thread')} <small>{parts.join(' · ')}</small>
      </th>
    </tr>
  )
}

interface ThreadRowProps {
  readonly thread: ThreadListing
  readonly now: number
  readonly isPicked: boolean
  readonly pick: (thread: string) => void
}

function ThreadRow({ thread: of, now, isPicked, pick }: ThreadRowProps) {
  const { thread, graph, status, detail, outcome, seq, startedAt, at } = of
  return (
    <tr data-row={thread} className={isPicked ? 'is-picked' : undefined}>
      <td className="select">
        <input
          type="checkbox"
          aria-label={`Select ${thread} to compare`}
          checked={isPicked}
          onChange={() => pick(thread)}
        />
      </td>
      <th scope="row">
        <a href={threadLink(thread)}>{thread}</a>
      </th>
      <td className="graph">
        <a href={hrefOf({ path: ['graphs', graph] })}>{graph}</a>
      </td>
      <td className="status">
        <Tag tone={toneOf(status, outcome)}>{outcome ?? status}</Tag>
      </td>
      <td className="detail">{detail}</td>
      <TallyCells tally={of.tally} />
      <td className="number" data-label="Events">
        {numberText(seq + 1)}
      </td>
      <td className="number" data-label="Time">
        {durationText(at - startedAt)}
      </td>
      <td className="number" data-label="Last event">
        {agoText(at, now)}
      </td>
    </tr>
  )
}

/** Why a thread has no tally. */
const UNKNOWN = 'An earlier version, or a checkpointer, wrote the last event of this thread.'

function TallyCells({ tally }: Pick<ThreadListing, 'tally'>) {
  if (!tally)
    return (
      <>
        {['Loop', 'Escapes', 'Cost', 'Steps'].map(label => (
          <td key={label} className="is-unknown" data-label={label} title={UNKNOWN}>
            unknown
          </td>
        ))}
      </>
    )
  const { finding, rungs, escapes, spent } = tally
  return (
    <>
      <td className="loop" data-label="Loop">
        {finding ? <Loop finding={finding} /> : '—'}
      </td>
      <td className="escapes" data-label="Escapes">
        {escapes === 0 ? '—' : rungsText(rungs, escapes)}
      </td>
      <td className="number" data-label="Cost">
        {moneyText(spent.usd)}
      </td>
      <td className="number" data-label="Steps">
        {numberText(spent.steps)}
      </td>
    </>
  )
}

function Loop({ finding }: { readonly finding: TalliedFinding }) {
  return (
    <Fragment>
      <Tag tone={isCounted(finding) ? 'loop' : 'warn'}>{repeatsText(finding)}</Tag>{' '}
      <small>{signatureText(finding.signature)}</small>
    </Fragment>
  )
}

/** Threads that need a person first, then those that run; the latest first. */
const byRank = (a: ThreadListing, b: ThreadListing): number => rankOf(a) - rankOf(b) || b.at - a.at

const rankOf = ({ status }: ThreadListing): number => ({ waiting: 0, active: 1, ended: 2 })[status]

export function toneOf(status: ThreadListing['status'], outcome: string | undefined): Tone {
  if (outcome === 'success') return 'ok'
  if (outcome === 'stopped' || outcome === 'cancelled') return 'warn'
  if (outcome !== undefined) return 'bad'
  return status === 'waiting' ? 'person' : 'quiet'
}
