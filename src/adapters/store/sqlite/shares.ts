/** Shares of scopes: told within an append, and read by all processes on one file. */
import type { Share } from '../../../core/watch/budget/scope.ts'
import type { Shares } from '../../../runtime/store/shares.ts'
import { upcastShare } from '../../../runtime/store/upcast.ts'
import type { Connection } from './connection.ts'

interface Body {
  readonly body: string
}

export function shares({ query, command, transaction, method }: Connection): Shares {
  const every = query<Body>('SELECT body FROM shares ORDER BY scope, key, thread')
  const some = query<Body>('SELECT body FROM shares WHERE scope = ?1 AND key = ?2 ORDER BY thread')
  const drop = command('DELETE FROM shares WHERE scope = ?1 AND key = ?2 AND thread = ?3')
  const write = shareUpsert(command)
  return {
    shares: method(of => (of ? some.all(of.scope, of.key) : every.all()).map(shareOf)),
    changeShares: method(({ scope, key }, change) =>
      transaction(() => {
        for (const share of some.all(scope, key).map(shareOf)) {
          const changed = change(share)
          if (!changed) drop(scope, key, share.thread)
          else if (changed !== share) write(changed)
        }
      }),
    ),
  }
}

/** Tells a share within a transaction; those of its scope that count no longer go. */
export function shareWriter({ command }: Connection): (share: Share) => void {
  const write = shareUpsert(command)
  const forget = command('DELETE FROM shares WHERE scope = ?1 AND key = ?2 AND until <= ?3')
  return share => {
    forget(share.scope, share.key, share.at)
    write(share)
  }
}

function shareUpsert(command: Connection['command']): (share: Share) => void {
  const put = command(
    'INSERT OR REPLACE INTO shares (scope, key, thread, until, body) VALUES (?1, ?2, ?3, ?4, ?5)',
  )
  return share => put(share.scope, share.key, share.thread, share.until, JSON.stringify(share))
}

function shareOf({ body }: Body): Share {
  return upcastShare(JSON.parse(body))
}
