/** SQL over the store: queries by name, the tables that they read, and the result. */
import { useEffect, useState } from 'react'
import { NAMED_QUERIES } from '../../../src/runtime/store/query/named-queries.ts'
import type { QueryResult } from '../../../src/runtime/store/query/query.ts'
import { QUERY_TABLES } from '../../../src/runtime/store/query/tables.ts'
import { queryLink, setQuery, useAddress } from '../data/route.ts'
import { problemText, service } from '../data/service.ts'
import { Button, ErrorNotice, Field, Notice } from '../design/parts.tsx'
import { QueryRows } from './query-rows.tsx'

export function QueryScreen() {
  const { sql = '' } = useAddress().query
  const [attempt, setAttempt] = useState(0)
  const { result, problem, isRunning } = useResult(sql, attempt)
  return (
    <div className="screen">
      <header className="screen-header">
        <h1>Query</h1>
      </header>
      <div className="query">
        <aside aria-label="Queries and tables">
          <h2>Queries</h2>
          <ul>
            {NAMED_QUERIES.map(named => (
              <li key={named.name}>
                <a
                  href={queryLink(named.sql)}
                  aria-current={named.sql === sql ? 'true' : undefined}
                >
                  {named.name}
                </a>
              </li>
            ))}
          </ul>
          <Tables />
        </aside>
        <section aria-label="Query and result">
          <QueryForm
            key={sql}
            sql={sql}
            isRunning={isRunning}
            run={text => {
              setQuery({ sql: text })
              setAttempt(attempt + 1)
            }}
          />
          <p role="status" className="muted">
            {isRunning ? 'Running…' : result && rowsText(result)}
          </p>
          {problem !== undefined && !isRunning && <ErrorNotice message={problemText(problem)} />}
          {sql === '' && (
            <Notice title="Choose a query, or write one">
              <p>
                A query is one <code>SELECT</code>. It changes nothing, takes at most ten seconds,
                and shows at most a thousand rows.
              </p>
            </Notice>
          )}
          {result?.rows.length === 0 && (
            <Notice title="No rows">
              <p>Nothing in the store matches the query.</p>
            </Notice>
          )}
          {result && result.rows.length > 0 && <QueryRows result={result} />}
        </section>
      </div>
    </div>
  )
}

function rowsText({ rows, truncated }: QueryResult): string {
  if (truncated) return `The first ${rows.length} rows. The query has more.`
  return rows.length === 1 ? '1 row' : `${rows.length} rows`
}

interface Shown {
  readonly result?: QueryResult
  readonly problem?: unknown
  readonly isRunning: boolean
}

/** The result of the query in the address. */
function useResult(sql: string, attempt: number): Shown {
  const [shown, setShown] = useState<Shown>({ isRunning: false })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt runs the same query again.
  useEffect(() => {
    if (sql.trim() === '') return setShown({ isRunning: false })
    let isCurrent = true
    setShown({ isRunning: true })
    service.query(sql).then(
      result => isCurrent && setShown({ result, isRunning: false }),
      problem => isCurrent && setShown({ problem, isRunning: false }),
    )
    return () => {
      isCurrent = false
    }
  }, [sql, attempt])
  return shown
}

interface QueryFormProps {
  readonly sql: string
  readonly isRunning: boolean
  readonly run: (sql: string) => void
}

function QueryForm({ sql, isRunning, run }: QueryFormProps) {
  const [text, setText] = useState(sql)
  const isEmpty = text.trim() === ''
  const press = (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isEmpty) return
    event.preventDefault()
    run(text)
  }
  return (
    <>
      <Field label="SQL">
        <textarea
          rows={6}
          spellCheck={false}
          autoCapitalize="off"
          value={text}
          onKeyDown={press}
          onChange={event => setText(event.target.value)}
        />
      </Field>
      <Button
        kind="primary"
        icon="play"
        shortcut="Ctrl Enter"
        disabled={isEmpty || isRunning}
        onClick={() => run(text)}
      >
        Run
      </Button>
    </>
  )
}

const Tables = () => (
  <>
    <h2>Tables</h2>
    {Object.entries(QUERY_TABLES).map(([table, { about, columns }]) => (
      <details key={table}>
        <summary>
          <code>{table}</code>
        </summary>
        <p className="muted">{about}</p>
        <dl>
          {Object.entries(columns).map(([column, what]) => (
            <div key={column}>
              <dt>
                <code>{column}</code>
              </dt>
              <dd className="muted">{what}</dd>
            </div>
          ))}
        </dl>
      </details>
    ))}
    <p className="muted">Times are in ms since 1970.</p>
  </>
)
