/** The tables beside the journal: breakers, shares of scopes, blobs, and the inbox of commands from other processes. */
import type { Share } from '../../../core/watch/budget/scope.ts'
import { type Breakpoint, breakpointText } from '../../../core/run/control.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import { type Breaker, CLOSED } from '../../../core/watch/failure/breaker.ts'
import type { Reason } from '../../../core/watch/reason/reason.ts'
import type { Breakers } from '../../../runtime/gate/gate.ts'
import { personEvent } from '../../../runtime/store/person-event.ts'
import type { CommandState, Settlement, Shares } from '../../../runtime/store/store.ts'
import {
  type Breakpoints,
  type Store,
  ThreadPruned,
  UnknownThread,
} from '../../../runtime/store/store.ts'
import {
  commandName,
  damagedError,
  isCommandState,
  parseText,
} from '../../../runtime/store/row-text.ts'
import { upcastCommand } from '../../../runtime/store/upcast.ts'
import { type Body, commandKey, parseBody, summed } from '../../../runtime/store/body.ts'
import { type ShareLine, shareOf } from '../../../runtime/store/share-line.ts'
import type { Connection } from './connection.ts'
import type { IndexChecks } from './damaged-indexes.ts'

type BreakerLine = Body & { readonly resource: string }

export function breakers(
  { query, command, atomic, method }: Connection,
  { check }: IndexChecks,
): Breakers {
  const one = query<BreakerLine>('SELECT resource, body, sum FROM breakers WHERE resource = ?1')
  // The order of the table: an index may have lost lines.
  const all = query<BreakerLine>(
    'SELECT resource, body, sum FROM breakers NOT INDEXED ORDER BY resource',
  )
  const write = command('REPLACE INTO breakers (resource, body, sum) VALUES (?1, ?2, ?3)')
  return {
    breakers: method(() => new Map(all.all().map(line => [line.resource, breakerOf(line)]))),
    breaker: method(resource => {
      check('breakers')
      return breakerOf(one.get(resource))
    }),
    changeBreaker: atomic((resource, change) => {
      check('breakers')
      const before = breakerOf(one.get(resource))
      const after = change(before)
      if (after !== before) write(resource, ...summed(JSON.stringify(after), resource))
      return [before, after] as const
    }),
  }
}

function breakerOf(line: BreakerLine | undefined): Breaker {
  if (!line) return CLOSED
  const breaker = parseBody<Breaker>(line, `the breaker of '${line.resource}'`, line.resource)
  return breaker.state === 'closed' && breaker.failures === 0 ? CLOSED : breaker
}

export function breakpoints({ query, command, method }: Connection): Breakpoints {
  const all = query<Body & { id: string }>('SELECT id, body, sum FROM breakpoints ORDER BY id')
  const put = command('REPLACE INTO breakpoints (id, body, sum) VALUES (?1, ?2, ?3)')
  const drop = command('DELETE FROM breakpoints WHERE id = ?1')
  return {
    breakpoints: method(() =>
      all.all().map(line => parseBody<Breakpoint>(line, `the breakpoint ${line.id}`)),
    ),
    changeBreakpoint: method((of, isSet) => {
      const id = breakpointText(of)
      if (isSet) put(id, ...summed(JSON.stringify(of)))
      else drop(id)
    }),
  }
}

const SHARE = 'SELECT scope, key, thread, until, body, sum FROM shares'

export function shares(
  { query, command, atomic, method }: Connection,
  { check }: IndexChecks,
): Shares {
  const all = query<ShareLine>(`${SHARE} NOT INDEXED ORDER BY scope, key, thread`)
  const some = query<ShareLine>(`${SHARE} WHERE scope = ?1 AND key = ?2 ORDER BY thread`)
  const drop = command('DELETE FROM shares WHERE scope = ?1 AND key = ?2 AND thread = ?3')
  const write = shareUpsert(command)
  return {
    shares: method(of => {
      if (of) check('shares')
      return (of ? some.all(of.scope, of.key) : all.all()).map(shareOf)
    }),
    changeShares: atomic(({ scope, key }, change) => {
      check('shares')
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
  // A share whose time has a flipped bit stays, and is reported when it is read.
  const deleteExpired = command(
    `DELETE FROM shares WHERE scope = ?1 AND key = ?2 AND until <= ?3 AND iif(json_valid(body), body ->> '$.until' = until, 0)`,
  )
  return share => {
    deleteExpired(share.scope, share.key, share.at)
    write(share)
  }
}

function shareUpsert(command: Connection['command']): (share: Share) => void {
  const put = command(
    'REPLACE INTO shares (scope, key, thread, until, body, sum) VALUES (?1, ?2, ?3, ?4, ?5, ?6)',
  )
  return share =>
    put(share.scope, share.key, share.thread, share.until, ...summed(JSON.stringify(share)))
}

export const ADD_BLOB = 'INSERT OR IGNORE INTO kept (hash, body) VALUES (?1, ?2)'

export function blobs(connection: Connection, file: string): Pick<Store, 'putBlob' | 'getBlob'> {
  const { query, command, method } = connection
  const add = command(ADD_BLOB)
  const find = query<Body>('SELECT body, NULL AS sum FROM kept WHERE hash = ?1')
  return {
    putBlob: method((hash, value) => add(hash, JSON.stringify(value))),
    getBlob: method(hash => {
      const found = find.get(hash)
      return found && parseBody<Json>(found, `the blob ${hash} in ${file}`)
    }),
  }
}

/** The names of the requests that were carried out, for use within a transaction. */
export function requests({ query, command }: Connection) {
  const find = query<{ hash: string }>('SELECT hash FROM kept WHERE hash = ?1')
  const put = command(ADD_BLOB)
  return {
    has: (once: string | undefined) => once !== undefined && find.get(once) !== undefined,
    add: (once: string | undefined) => once !== undefined && put(once, 'true'),
  }
}

type CommandLine = Body & Readonly<{ command: string; state: string }>

interface StateLine {
  readonly state: string
  readonly code: string | null
  readonly reason: string | null
}

const OF_THREAD = 'thread = (SELECT id FROM threads WHERE name = ?1)'

export function inbox(
  connection: Connection,
  { check }: IndexChecks,
): Pick<Store, 'submit' | 'join' | 'inbox' | 'command'> {
  const { query, transaction, command, method } = connection
  const thread = query<{ id: number }>('SELECT id FROM threads WHERE name = ?1 AND seq >= 0')
  const add = command(
    `INSERT OR IGNORE INTO inbox (thread, command, event, sum, state) VALUES (?1, ?2, ?3, ?4, 'waiting')`,
  )
  const made = requests(connection)
  // For lines of the index, SQLite takes the state from its condition. The subquery reads it from the table.
  const waiting = query<CommandLine>(
    `SELECT command, event AS body, sum, (SELECT own.state FROM inbox AS own WHERE own.id = inbox.id) AS state FROM inbox WHERE ${OF_THREAD} AND state = 'waiting' ORDER BY id`,
  )
  const state = query<StateLine>(
    `SELECT state, code, reason FROM inbox WHERE ${OF_THREAD} AND command = ?2`,
  )
  return {
    submit: method((name, id, event, once) => {
      const body = summed(JSON.stringify(personEvent(event)), commandKey(name, id))
      check('inbox')
      if (!thread.get(name)) check('threads')
      transaction(() => {
        if (made.has(once) && !state.get(name, id)) throw new ThreadPruned(name)
        const found = thread.get(name)
        if (!found) throw new UnknownThread(name)
        add(found.id, id, ...body)
        made.add(once)
      })
    }),
    join: method((name, once) => {
      if (!thread.get(name)) check('threads')
      return transaction(() => {
        const isStored = thread.get(name) !== undefined
        if (isStored) made.add(once)
        return isStored
      })
    }),
    inbox: method(name => {
      check('inbox')
      return waiting.all(name).map(({ command, state, ...line }) => {
        const what = commandName(name, command)
        // It could not be settled, and would be applied again and again.
        if (state !== 'waiting') throw damagedError(what)
        return { command, event: upcastCommand(parseBody(line, what, commandKey(name, command))) }
      })
    }),
    command: method((name, id) => {
      check('inbox')
      return stateOf(state.get(name, id), commandName(name, id))
    }),
  }
}

function stateOf(line: StateLine | undefined, what: string): CommandState {
  if (!line) return { state: 'unknown' }
  const { state, code, reason } = line
  if (!isCommandState(state)) throw damagedError(what)
  if (state !== 'refused') return { state }
  if (code !== null) return { state, reason: parseText<Reason>(reason ?? '', what) }
  // Version 0.1.0 stored a text without a code.
  return { state: 'refused', reason: { code: 'text', params: { text: reason ?? '' } } }
}

/**
 * Settles commands within a transaction. It also stores a command that bypassed the inbox: a repetition is then ignored.
 * @throws StoreUnavailable if the line of a command has no valid state: it would stay in the inbox, and be applied again
 */
export function settleCommands({ query, command }: Connection) {
  const settle = command(
    `INSERT INTO inbox (thread, command, state, reason, code) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (thread, command) DO UPDATE SET state = ?3, reason = ?4, code = ?5 WHERE state = 'waiting'`,
  )
  const stateNow = query<{ state: string }>(
    'SELECT state FROM inbox WHERE thread = ?1 AND command = ?2',
  )
  return (thread: string, id: number, settlements: readonly Settlement[]): void => {
    for (const { command: name, refused } of settlements) {
      if (refused) settle(id, name, 'refused', JSON.stringify(refused), refused.code)
      else settle(id, name, 'done', null, null)
      const state = stateNow.get(id, name)?.state
      if (state !== 'done' && state !== 'refused') throw damagedError(commandName(thread, name))
    }
  }
}
