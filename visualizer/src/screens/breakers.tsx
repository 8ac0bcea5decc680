/** The circuit breakers of all tools and models, shared by all threads of the store. */
import { nowMs } from '../data/route.ts'
import { Fragment, useCallback, useState } from 'react'
import type { BreakerChange, NamedBreaker } from '../../../src/host/overview.ts'
import { problemText, service } from '../data/service.ts'
import { countText, durationText } from '../design/format.ts'
import { Button, ErrorNotice, Loading, Notice, Table, Tag, type Tone } from '../design/parts.tsx'
import { ErrorRates } from './error-rates.tsx'
import { usePolled } from './use-polled.ts'

const EVERY_MS = 1_000

const COLUMNS = ['Tool or model', 'State', 'Change']

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
      {breakers === undefined && problem === undefined && <Loading />}
      {refused !== undefined && <ErrorNotice message={problemText(refused)} />}
      {sorted?.length === 0 && (
        <Notice title="No breaker has been used">
          <p>A breaker appears with the first failed call of its tool or model.</p>
        </Notice>
      )}
      {sorted && sorted.length > 0 && (
        <Table label="Breakers" columns={COLUMNS}>
          <tbody>
            {sorted.map(breaker => (
              <BreakerRow key={breaker.resource} breaker={breaker} change={change} />
            ))}
          </tbody>
        </Table>
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
      <th scope="row">
        {resource.split(/(?<=[/:])/).map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name stay in their order.
          <Fragment key={index}>
            {part}
            <wbr />
          </Fragment>
        ))}
      </th>
      <td>
        <span className="breaker-state">
          <span className={`breaker-light is-${state}`} aria-hidden="true" />
          <Tag tone={TONES[state]}>{state}</Tag>
          <span className="muted">
            {[failures > 0 && countText(failures, 'failure'), probeText(left)]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </span>
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

/** `left`: the time until the next probe, in ms. */
function probeText(left: number | undefined): string | undefined {
  if (left === undefined) return undefined
  return left > 0 ? `probe in ${durationText(left)}` : 'probe with the next call'
}
