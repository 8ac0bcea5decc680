/** The threads of the service: what needs a person, what is in a loop, and all others. */
import { hrefOf, setQuery, useAddress } from '../../data/route.ts'
import { problemText } from '../../data/service.ts'
import { numberText } from '../../design/format.ts'
import { Button, ErrorNotice, Loading, Notice } from '../../design/parts.tsx'
import { Filters } from './filters.tsx'
import { type Group, groupsOf, matchingCounts } from './groups.ts'
import { type ListQuery, listQueryOf, PAGE, SHOWN_MAX } from './list-query.ts'
import { ThreadTable } from './thread-table.tsx'
import { useCounts, useThreads } from './use-list.ts'

export function ThreadsScreen() {
  const { query } = useAddress()
  const wanted = listQueryOf(query)
  const { filter, group, shown } = wanted
  const { value: threads, problem, again } = useThreads(wanted)
  const counts = matchingCounts(useCounts(wanted), filter)
  const picked = [query.a, query.b].filter(name => name !== undefined)
  const groups = threads ? groupsIn(threads, counts, group) : []
  return (
    <div className="screen threads-screen">
      <header className="screen-header">
        <h1>Threads</h1>
        {filter.graph !== undefined && (
          <Button icon="close" onClick={() => setQuery({ graph: undefined })}>
            Only graph {filter.graph}
          </Button>
        )}
        <Button
          disabled={picked.length < 2}
          title="Select two threads first (x)"
          onClick={() => {
            location.hash = hrefOf({ path: ['compare', ...picked] })
          }}
        >
          Compare two
        </Button>
      </header>
      <Filters />
      {problem !== undefined && <ErrorNotice message={problemText(problem)} retry={again} />}
      {threads === undefined && problem === undefined && <Loading />}
      {threads?.length === 0 && (Object.keys(filter).length > 0 ? <NoMatch /> : <EmptyThreads />)}
      {threads && threads.length > 0 && (
        <ThreadTable
          groups={groups}
          hasTitles={group !== 'none'}
          picked={picked}
          pick={thread => pick(picked, thread)}
        />
      )}
      {threads?.length === shown && (
        <p className="more">
          <span className="muted">The latest {numberText(shown)} threads.</span>{' '}
          {shown < SHOWN_MAX ? (
            <Button onClick={() => setQuery({ show: String(shown + PAGE) })}>Show more</Button>
          ) : (
            <span className="muted">Filter to see others.</span>
          )}
        </p>
      )}
    </div>
  )
}

type Threads = Parameters<typeof groupsOf>[0]

function groupsIn(
  threads: Threads,
  counts: Parameters<typeof groupsOf>[1],
  group: ListQuery['group'],
): readonly Group[] {
  if (group !== 'none') return groupsOf(threads, counts, group)
  return [{ key: 'all', title: '', threads, total: threads.length, outcomes: [], usd: 0 }]
}

/** Of three, the two latest stay selected. */
function pick(picked: readonly string[], thread: string): void {
  const [a, b] = picked.includes(thread)
    ? picked.filter(each => each !== thread)
    : [...picked.slice(-1), thread]
  setQuery({ a, b })
}

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
