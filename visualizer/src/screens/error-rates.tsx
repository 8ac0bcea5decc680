/** How often the tools and models failed, in all threads of the store. */
import { useCallback } from 'react'
import { ERROR_RATES } from '../../../src/runtime/store/query/named-queries.ts'
import { queryLink } from '../data/route.ts'
import { service } from '../data/service.ts'
import { numberText } from '../design/format.ts'
import { ScrollRegion } from '../design/parts.tsx'
import { usePolled } from './use-polled.ts'

/** The query reads the journals of all threads. */
const EVERY_MS = 30_000

export function ErrorRates() {
  const read = useCallback(() => service.query(ERROR_RATES.sql), [])
  const { value } = usePolled(read, EVERY_MS)
  // A custom store may have no queries.
  if (!value || value.rows.length === 0) return null
  return (
    <>
      <h2>Error rates of all threads</h2>
      <ScrollRegion className="table-scroll" label="Error rates">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Tool or model</th>
              <th scope="col">Kind</th>
              <th scope="col">Attempts</th>
              <th scope="col">Failed</th>
              <th scope="col">Error rate</th>
            </tr>
          </thead>
          <tbody>
            {value.rows.map(([kind, subject, attempts, failed, percent]) => (
              <tr key={`${kind} ${subject}`}>
                <th scope="row">{subject}</th>
                <td>{kind}</td>
                <td className="number">{numberText(Number(attempts))}</td>
                <td className="number">{numberText(Number(failed))}</td>
                <td className="number">
                  <meter min={0} max={100} value={Number(percent)} aria-hidden="true" />{' '}
                  {Number(percent)} %
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p>
        <a href={queryLink(ERROR_RATES.sql)}>As a query</a>
      </p>
    </>
  )
}
