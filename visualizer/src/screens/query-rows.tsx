/** The rows of a query as a table, whose threads and events are links, and as files. */
import type { QueryResult, QueryValue } from '../../../src/runtime/store/query/query.ts'
import { csvOf, jsonOf } from '../data/query-file.ts'
import { threadLink } from '../data/route.ts'
import { Button, ScrollRegion } from '../design/parts.tsx'

/** The characters of a cell. The files have them all. */
const SHOWN_MAX = 300

export function QueryRows({ result }: { readonly result: QueryResult }) {
  const { columns, rows } = result
  const thread = columns.indexOf('thread')
  const seq = columns.indexOf('seq')
  const linkOf = (row: readonly QueryValue[], column: number) => {
    const name = row[thread]
    if (typeof name !== 'string' || (column !== thread && column !== seq)) return undefined
    return threadLink(name, column === seq ? { at: String(row[seq]) } : {})
  }
  return (
    <>
      <ScrollRegion className="table-scroll" label="Result">
        <table className="table query-rows">
          <thead>
            <tr>
              {columns.map((column, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name.
                <th key={at} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a result have no names, and stay.
              <tr key={index}>
                {row.map((value, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name.
                  <Cell key={at} value={value} href={linkOf(row, at)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <div className="row-actions">
        <Button onClick={() => save('query.csv', 'text/csv', csvOf(result))}>Save as CSV</Button>
        <Button onClick={() => save('query.json', 'application/json', jsonOf(result))}>
          Save as JSON
        </Button>
      </div>
    </>
  )
}

function Cell({ value, href }: { readonly value: QueryValue; readonly href: string | undefined }) {
  if (value === null)
    return (
      <td>
        <span className="muted">null</span>
      </td>
    )
  const text = String(value)
  const shown = text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text
  return (
    <td className={typeof value === 'number' ? 'number' : undefined}>
      {href === undefined ? shown : <a href={href}>{shown}</a>}
    </td>
  )
}

/** Has the browser save a text. */
function save(name: string, type: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
