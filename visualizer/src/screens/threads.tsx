/** The threads of the service: what needs a person, what goes round, and all others. */
import { useCallback, useState } from 'react'
import type { ThreadListing } from '../../../src/host/listing.ts'
import { hrefOf, setQuery, threadLink, useAddress, nowMs } from '../data/route.ts'
import { problemText, service } from '../data/service.ts'
import { agoText, numberText } from '../design/format.ts'
import {
  Button,
  ErrorNotice,
  Field,
  Loading,
  Notice,
  Tag,
  type Tone,
  ScrollRegion,
} from '../design/parts.tsx'
import { usePolled } from './use-polled.ts'

const PAGE = 100
const EVERY_MS = 2_000

export function ThreadsScreen() {
  const { query } = useAddress()
  const { status, graph, prefix = '' } = query
  const isFiltered = isStatus(status) || graph !== undefined || prefix !== ''
  const [picked, setPicked] = useState<readonly string[]>([])
  const read = useCallback(
    () =>
      service.threads({
        limit: PAGE,
        ...(isStatus(status) && { status }),
        ...(graph !== undefined && { graph }),
        ...(prefix !== '' && { prefix }),
      }),
    [status, graph, prefix],
  )
  const { value: page, problem, again } = usePolled(read, EVERY_MS)
  const pick = (thread: string) =>
    setPicked(all =>
      all.includes(thread) ? all.filter(each => each !== thread) : [...all.slice(-1), thread],
    )
  return (
    <div className="screen">
      <header className="screen-header">
        <h1>Threads</h1>
        {graph !== undefined && (
          <Button icon="close" onClick={() => setQuery({ graph: undefined })}>
            Only graph {graph}
          </Button>
        )}
        <Field label="Name begins with">
          <input
            value={prefix}
            onChange={event => setQuery({ prefix: event.target.value || undefined })}
          />
        </Field>
        <Field label="Status">
          <select
            value={status ?? ''}
            onChange={event => setQuery({ status: event.target.value || undefined })}
          >
            <option value="">all</option>
            {STATUSES.map(name => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
        <Button
          disabled={picked.length < 2}
          title="Select two threads first"
          onClick={() => {
            location.hash = hrefOf({ path: ['compare', ...picked] })
          }}
        >
          Compare two
        </Button>
      </header>
      {problem !== undefined && <ErrorNotice message={problemText(problem)} retry={again} />}
      {page === undefined && problem === undefined && <Loading />}
      {page?.threads.length === 0 && (isFiltered ? <NoMatch /> : <EmptyThreads />)}
      {page && page.threads.length > 0 && (
        <ThreadTable threads={page.threads} picked={picked} pick={pick} />
      )}
      {page?.next !== undefined && (
        <p className="muted">The first {PAGE} threads are shown. Filter by name to see others.</p>
      )}
    </div>
  )
}

const STATUSES = ['active', 'waiting', 'ended'] as const

const isStatus = (text: string | undefined): text is (typeof STATUSES)[number] =>
  STATUSES.some(status => status === text)

const NoMatch = () => (
  <Notice title="No thread matches">
    <p>
      <a href="#/threads">All threads</a>
    </p>
  </Notice>
)

const EmptyThreads = () => (
  <Notice title="No threads">
    <p>Start one on the page of its graph, or from a terminal or a program:</p>
    <pre>{`curl ${location.origin}/v1/threads -H 'content-type: application/json' \\
  -H 'authorization: Bearer KEY' -d '{"graph": "agent"}'`}</pre>
    <p>
      <a href="#/graphs">Graphs</a>
    </p>
  </Notice>
)

interface ThreadTableProps {
  readonly threads: readonly ThreadListing[]
  readonly picked: readonly string[]
  readonly pick: (thread: string) => void
}

function ThreadTable({ threads, picked, pick }: ThreadTableProps) {
  const now = nowMs()
  const sorted = threads.toSorted((a, b) => rankOf(a) - rankOf(b) || b.at - a.at)
  return (
    <ScrollRegion className="table-scroll" label="Threads">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Select</span>
            </th>
            <th scope="col">Thread</th>
            <th scope="col">Graph</th>
            <th scope="col">Status</th>
            <th scope="col">State or reason</th>
            <th scope="col">Events</th>
            <th scope="col">Last event</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ thread, graph, status, detail, outcome, seq, at }) => (
            <tr key={thread}>
              <td>
                <input
                  type="checkbox"
                  aria-label={`Select ${thread} to compare`}
                  checked={picked.includes(thread)}
                  onChange={() => pick(thread)}
                />
              </td>
              <th scope="row">
                <a href={threadLink(thread)}>{thread}</a>
              </th>
              <td>
                <a href={hrefOf({ path: ['graphs', graph] })}>{graph}</a>
              </td>
              <td>
                <Tag tone={toneOf(status, outcome)}>{outcome ?? status}</Tag>
              </td>
              <td className="detail">{detail}</td>
              <td className="number">{numberText(seq + 1)}</td>
              <td className="number">{agoText(at, now)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

/** Threads that need a person first, then those that run. */
const rankOf = ({ status }: ThreadListing): number => ({ waiting: 0, active: 1, ended: 2 })[status]

function toneOf(status: ThreadListing['status'], outcome: string | undefined): Tone {
  if (outcome === 'success') return 'ok'
  if (outcome === 'stopped' || outcome === 'cancelled') return 'warn'
  if (outcome !== undefined) return 'bad'
  return status === 'waiting' ? 'person' : 'quiet'
}
