/** Breakers, shared by all processes on one file. */
import { type Breaker, CLOSED } from '../../../core/watch/failure/breaker.ts'
import type { Breakers } from '../../../runtime/gate/shared-breakers.ts'
import type { Connection } from './connection.ts'

interface BreakerLine {
  readonly resource: string
  readonly state: Breaker['state']
  readonly failures: number
  readonly since: number | null
  readonly retry_at: number | null
}

export function sqliteBreakers({ query, command, transaction, method }: Connection): Breakers {
  const one = query<BreakerLine>(
    'SELECT resource, state, failures, since, retry_at FROM breakers WHERE resource = ?1',
  )
  const every = query<BreakerLine>(
    'SELECT resource, state, failures, since, retry_at FROM breakers ORDER BY resource',
  )
  const write = command(
    'INSERT OR REPLACE INTO breakers (resource, state, failures, since, retry_at) VALUES (?1, ?2, ?3, ?4, ?5)',
  )
  return {
    breakers: method(
      () => new Map(every.all().map(line => [line.resource, breakerOf(line)] as const)),
    ),
    breaker: method(resource => breakerOf(one.get(resource))),
    changeBreaker: method((resource, change) =>
      transaction(() => {
        const before = breakerOf(one.get(resource))
        const after = change(before)
        if (after !== before)
          write(
            resource,
            after.state,
            after.failures,
            sinceOf(after),
            'retryAt' in after ? after.retryAt : null,
          )
        return [before, after] as const
      }),
    ),
  }
}

function breakerOf(line: BreakerLine | undefined): Breaker {
  if (!line) return CLOSED
  const { state, failures, since, retry_at } = line
  if (state === 'closed') return failures === 0 ? CLOSED : { state, failures }
  const times = { since: since ?? 0, retryAt: retry_at ?? 0 }
  return state === 'open'
    ? { state, failures, openedAt: times.since, retryAt: times.retryAt }
    : { state, failures, ...times }
}

function sinceOf(breaker: Breaker): number | null {
  return breaker.state === 'open'
    ? breaker.openedAt
    : breaker.state === 'half-open'
      ? breaker.since
      : null
}
