/** How often the tools and models failed, in all threads of the store. */
import { useCallback } from 'react'
import { ERROR_RATES } from '../../../src/runtime/store/query/named-queries.ts'
import { queryLink } from '../data/route.ts'
import { service } from '../data/service.ts'
import { numberText } from '../design/format.ts'
import { Button, Table } from '../design/parts.tsx'
import { usePolled } from './use-polled.ts'

const COLUMNS = ['Tool or model', 'Kind', 'Attempts', 'Failed', 'Error rate']

/** The query reads the journals of all threads, so it runs once, and again when a person wants it. */
export function ErrorRates() {
  const read = useCallback(() => service.query(ERROR_RATES.sql), [])
  const { value, again } = usePolled(read)
  // A custom store may have no queries.
  if (!value || value.rows.length === 0) return null
  return (
    <>
      <header className="section-header">
        <h2>Error rates of all threads</h2>
        <a href={queryLink(ERROR_RATES.sql)}>As a query</a>
        <Button onClick={again}>Read again</Button>
      </header>
      <Table label="Error rates" columns={COLUMNS}>
        <tbody>
          {value.rows.map(([kind, subject, attempts, failed, percent]) => (
            <tr key={`${kind} ${subject}`}>
              <th scope="row">{subject}</th>
              <td>{kind}</td>
              <td className="number">{numberText(Number(attempts))}</td>
              <td className="number">{numberText(Number(failed))}</td>
              <td className="number">
                <span className="rate" aria-hidden="true">
                  <i style={{ width: `${Number(percent)}%` }} />
                </span>{' '}
                {Number(percent)} %
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  )
}
