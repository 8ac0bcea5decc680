/** The tables that all threads share: breakers, shares of scopes, and blobs. */
import type { Share } from '../../../core/watch/budget/scope.ts'
import { type Breaker, CLOSED } from '../../../core/watch/failure/breaker.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import type { Breakers } from '../../../runtime/gate/shared-breakers.ts'
import { type Shares, type Store, StoreUnavailable } from '../../../runtime/store/store.ts'
import { upcastShare } from '../../../runtime/store/upcast.ts'
import type { Body, Connection } from './connection.ts'

interface BreakerLine {
  readonly resource: string
  readonly state: Breaker['state']
  readonly failures: number
  readonly since: number | null
  readonly retry_at: number | null
}

const BREAKER = 'SELECT resource, state, failures, since, retry_at FROM breakers'

export function breakers({ query, command, atomic, method }: Connection): Breakers {
  const one = query<BreakerLine>(`${BREAKER} WHERE resource = ?1`)
  const all = query<BreakerLine>(`${BREAKER} ORDER BY resource`)
  const write = command(
    'REPLACE INTO breakers (resource, state, failures, since, retry_at) VALUES (?1, ?2, ?3, ?4, ?5)',
  )
  return {
    breakers: method(() => new Map(all.all().map(line => [line.resource, breakerOf(line)]))),
    breaker: method(resource => breakerOf(one.get(resource))),
    changeBreaker: atomic((resource, change) => {
      const before = breakerOf(one.get(resource))
      const after = change(before)
      const { state, failures } = after
      const since = state === 'open' ? after.openedAt : state === 'closed' ? null : after.since
      const retryAt = state === 'closed' ? null : after.retryAt
      if (after !== before) write(resource, state, failures, since, retryAt)
      return [before, after] as const
    }),
  }
}

function breakerOf(line: BreakerLine | undefined): Breaker {
  if (!line) return CLOSED
  const { state, failures } = line
  if (state === 'closed') return failures === 0 ? CLOSED : { state, failures }
  const [since, retryAt] = [line.since ?? 0, line.retry_at ?? 0]
  return state === 'open'
    ? { state, failures, openedAt: since, retryAt }
    : { state, failures, since, retryAt }
}

export function shares({ query, command, atomic, method }: Connection): Shares {
  const all = query<Body>('SELECT body FROM shares ORDER BY scope, key, thread')
  const some = query<Body>('SELECT body FROM shares WHERE scope = ?1 AND key = ?2 ORDER BY thread')
  const drop = command('DELETE FROM shares WHERE scope = ?1 AND key = ?2 AND thread = ?3')
  const write = shareUpsert(command)
  return {
    shares: method(of => (of ? some.all(of.scope, of.key) : all.all()).map(shareOf)),
    changeShares: atomic(({ scope, key }, change) => {
      for (const share of some.all(scope, key).map(shareOf)) {
        const changed = change(share)
        if (!changed) drop(scope, key, share.thread)
        else if (changed !== share) write(changed)
      }
    }),
  }
}

/** Publishes a share within a transaction, and deletes the expired shares of its scope. */
export function shareWriter({ command }: Connection): (share: Share) => void {
  const write = shareUpsert(command)
  const deleteExpired = command('DELETE FROM shares WHERE scope = ?1 AND key = ?2 AND until <= ?3')
  return share => {
    deleteExpired(share.scope, share.key, share.at)
    write(share)
  }
}

function shareUpsert(command: Connection['command']): (share: Share) => void {
  const put = command(
    'REPLACE INTO shares (scope, key, thread, until, body) VALUES (?1, ?2, ?3, ?4, ?5)',
  )
  return share => put(share.scope, share.key, share.thread, share.until, JSON.stringify(share))
}

function shareOf({ body }: Body): Share {
  return upcastShare(JSON.parse(body))
}

export function blobs(connection: Connection, file: string): Pick<Store, 'putBlob' | 'getBlob'> {
  const { query, command, method } = connection
  const add = command('INSERT OR IGNORE INTO kept (hash, body) VALUES (?1, ?2)')
  const find = query<Body>('SELECT body FROM kept WHERE hash = ?1')
  return {
    putBlob: method((hash, value) => add(hash, JSON.stringify(value))),
    getBlob: method(hash => {
      const found = find.get(hash)
      try {
        return found && (JSON.parse(found.body) as Json)
      } catch (cause) {
        const message = `the blob ${hash} in ${file} is damaged: expected JSON`
        throw new StoreUnavailable(message, { cause })
      }
    }),
  }
}
