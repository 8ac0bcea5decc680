/** The circuit breakers of all tools and models, shared by all threads of the store. */
import { nowMs } from '../data/route.ts'
import { useCallback, useState } from 'react'
import type { BreakerChange, NamedBreaker } from '../../../src/host/overview.ts'
import { problemText, service } from '../data/service.ts'
import { durationText } from '../design/format.ts'
import { Button, ErrorNotice, Notice, Tag, type Tone, ScrollRegion } from '../design/parts.tsx'
import { ErrorRates } from './error-rates.tsx'
import { usePolled } from './use-polled.ts'

const EVERY_MS = 1_000

const TONES: Readonly<Record<NamedBreaker['state'], Tone>> = {
  open: 'bad',
  'half-open': 'warn',
  closed: 'ok',
}

const RANK: Readonly<Record<NamedBreaker['state'], number>> = { open: 0, 'half-open': 1, closed: 2 }

export function BreakersScreen() {
  const read = useCallback(() => service.breakers(), [])
  const { value: breakers, problem, again } = usePolled(read, EVERY_MS)
  const [refused, setRefused] = useState<unknown>()
  const change = async (resource: string, to: BreakerChange) => {
    setRefused(undefined)
    await service.changeBreaker(resource, to).catch(setRefused)
    again()
  }
  const sorted = breakers?.toSorted(
    (a, b) => RANK[a.state] - RANK[b.state] || b.failures - a.failures,
  )
  return (
    <div className="screen">
      <header className="screen-header">
        <h1>Breakers</h1>
      </header>
      {problem !== undefined && <ErrorNotice message={problemText(problem)} retry={again} />}
      {refused !== undefined && <ErrorNotice message={problemText(refused)} />}
      {sorted?.length === 0 && (
        <Notice title="No breaker has been used">
          <p>A breaker appears with the first failed call of its tool or model.</p>
        </Notice>
      )}
      {sorted && sorted.length > 0 && (
        <ScrollRegion className="table-scroll" label="Breakers">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Tool or model</th>
                <th scope="col">State</th>
                <th scope="col">Failures</th>
                <th scope="col">Next probe</th>
                <th scope="col">Change</th>
              </tr>
            </thead>
            <tbody>
              {sorted.map(breaker => (
                <BreakerRow key={breaker.resource} breaker={breaker} change={change} />
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      <ErrorRates />
    </div>
  )
}

interface BreakerRowProps {
  readonly breaker: NamedBreaker
  readonly change: (resource: string, to: BreakerChange) => Promise<void>
}

function BreakerRow({ breaker, change }: BreakerRowProps) {
  const { resource, state, failures } = breaker
  const retryAt = breaker.state === 'closed' ? undefined : breaker.retryAt
  const left = retryAt === undefined ? undefined : retryAt - nowMs()
  return (
    <tr>
      <th scope="row">{resource}</th>
      <td>
        <span className={`breaker-light is-${state}`} aria-hidden="true" />{' '}
        <Tag tone={TONES[state]}>{state}</Tag>
      </td>
      <td className="number">{failures}</td>
      <td className="number">
        {left === undefined ? '' : left > 0 ? `in ${durationText(left)}` : 'with the next call'}
      </td>
      <td>
        <div className="row-actions">
          <Button disabled={state === 'open'} onClick={() => void change(resource, 'open')}>
            Open
          </Button>
          <Button disabled={state === 'closed'} onClick={() => void change(resource, 'half-open')}>
            Probe now
          </Button>
          <Button disabled={state === 'closed'} onClick={() => void change(resource, 'close')}>
            Close
          </Button>
        </div>
      </td>
    </tr>
  )
}
