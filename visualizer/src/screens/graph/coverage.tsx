/** What the threads of a graph have reached of it, and what none of them has. */
import { useCallback } from 'react'
import type { Chart } from '../../../../src/core/graph/chart.ts'
import { edgesOf } from '../../../../src/runtime/store/query/named-queries.ts'
import { type CoveredItem, coverageOf } from '../../data/coverage.ts'
import { queryLink } from '../../data/route.ts'
import { service } from '../../data/service.ts'
import { countText } from '../../design/format.ts'
import { Button } from '../../design/parts.tsx'
import { usePolled } from '../use-polled.ts'
import { StateButton } from './state-button.tsx'

const EDGES_MAX = 10_000

/** The query reads the journals of all threads of the graph, so it runs once, and again when a person wants it. */
export function CoverageSection({
  graph,
  chart,
}: {
  readonly graph: string
  readonly chart: Chart
}) {
  const sql = edgesOf(graph)
  const read = useCallback(() => service.query(sql, { rows: EDGES_MAX }), [sql])
  const { value, again } = usePolled(read)
  // A custom store may have no queries.
  if (!value) return null
  const taken = new Set(value.rows.flatMap(([edge]) => (typeof edge === 'string' ? edge : [])))
  const threads = Number(value.rows.find(([edge]) => edge === null)?.[1] ?? 0)
  const { states, edges, escapes } = coverageOf(chart, taken, threads)
  return (
    <section aria-label="Coverage">
      <header className="section-header">
        <h2>Coverage</h2>
        <a href={queryLink(sql)}>As a query</a>
        <Button onClick={again}>Read again</Button>
      </header>
      <p>In {countText(threads, 'thread')}:</p>
      <ul className="coverage">
        <Covered name="states" items={states} />
        <Covered name="edges" items={edges} />
        <Covered name="escapes" items={escapes} />
      </ul>
    </section>
  )
}

function Covered({
  name,
  items,
}: {
  readonly name: string
  readonly items: readonly CoveredItem[]
}) {
  const missing = items.filter(({ isReached }) => !isReached)
  return (
    <li>
      <b>
        {name} {items.length - missing.length}/{items.length}
      </b>
      {missing.length > 0 && <span className="muted"> never reached: </span>}
      {missing.map(item => (
        <StateButton key={item.name} {...item} />
      ))}
    </li>
  )
}
