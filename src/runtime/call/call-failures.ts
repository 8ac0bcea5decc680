/** The failures a call has without an answer of its tool or model: refused, given up, or cut off. */
import { WRITE_REFUSED } from '../../core/fork.ts'
import { ReasonError } from '../../core/watch/reason/reason.ts'
import { type Failure, stated } from '../../core/watch/failure/failure.ts'
import type { Callable, CallContext } from './callable.ts'
import { failureOf } from './failure-of.ts'

/** All places are taken: the call has not left, and may be tried again a little later. */
export function bulkheadFull<A>(
  { ports, journal }: CallContext,
  { subject }: Callable<A>,
): Failure {
  return failureOf(
    ports,
    journal.run.policy.failures,
    new ReasonError('BulkheadFull', { code: 'concurrency-limit', params: { call: subject } }),
  )
}

export function circuitOpen<A>({ subject }: Callable<A>, wait: number): Failure {
  const seconds = Math.ceil(wait / 1_000)
  return {
    name: 'CircuitOpen',
    ...stated({ code: 'circuit-open', params: { call: subject, seconds } }),
    class: 'transient',
    scope: 'resource',
    rule: 'circuit',
    retryAfter: wait,
  }
}

export function retriesSpent<A>({ subject }: Callable<A>, total: number): Failure {
  const reason = stated({ code: 'retries-spent', params: { call: subject, retries: total } })
  return { name: 'RetriesSpent', ...reason, class: 'persistent', scope: 'request', rule: 'retries' }
}

export function neverKnown<A>({ subject }: Callable<A>, attempts: number): Failure {
  const reason = stated({ code: 'never-applied', params: { call: subject, attempts } })
  return { name: 'Doubtful', ...reason, class: 'persistent', scope: 'request', rule: 'doubt' }
}

export function writeRefused<A>({ subject }: Callable<A>): Failure {
  return {
    name: 'WriteRefused',
    ...stated({ code: 'write-in-fork', params: { call: subject } }),
    class: 'persistent',
    scope: 'request',
    rule: WRITE_REFUSED,
  }
}

export function interrupted<A>({ subject }: Callable<A>): Failure {
  return {
    name: 'Interrupted',
    ...stated({ code: 'process-ended', params: { call: subject } }),
    class: 'indeterminate',
    scope: 'request',
    rule: 'crash',
  }
}
