/** The graphs of the service. */
import { useCallback } from 'react'
import { hrefOf } from '../data/route.ts'
import { problemText, service } from '../data/service.ts'
import { ErrorNotice, Loading, Notice } from '../design/parts.tsx'
import { usePolled } from './use-polled.ts'

const EVERY_MS = 10_000

export function GraphsScreen() {
  const read = useCallback(() => service.graphs(), [])
  const { value: graphs, problem, again } = usePolled(read, EVERY_MS)
  return (
    <div className="screen">
      <header className="screen-header">
        <h1>Graphs</h1>
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
