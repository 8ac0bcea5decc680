/** The tables beside the journal: breakers, shares of scopes, blobs, and the inbox of commands from other processes. */
import type { Share } from '../../../core/watch/budget/scope.ts'
import { type Breakpoint, breakpointText } from '../../../core/control.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import { type Breaker, CLOSED } from '../../../core/watch/failure/breaker.ts'
import type { Reason } from '../../../core/watch/reason/reason.ts'
import type { Breakers } from '../../../runtime/gate/gate.ts'
import { personEvent } from '../../../runtime/store/person-event.ts'
import type { CommandState, Settlement, Shares } from '../../../runtime/store/store.ts'
import { type Breakpoints, type Store, UnknownThread } from '../../../runtime/store/store.ts'
import { upcastCommand, upcastShare } from '../../../runtime/store/upcast.ts'
import { type Body, parseBody, summed } from '../../../runtime/store/body.ts'
import type { Connection } from './connection.ts'

type BreakerLine = Body & { readonly resource: string }

export function breakers({ query, command, atomic, method }: Connection): Breakers {
  const one = query<BreakerLine>('SELECT resource, body, sum FROM breakers WHERE resource = ?1')
  const all = query<BreakerLine>('SELECT resource, body, sum FROM breakers ORDER BY resource')
  const write = command('REPLACE INTO breakers (resource, body, sum) VALUES (?1, ?2, ?3)')
  return {
    breakers: method(() => new Map(all.all().map(line => [line.resource, breakerOf(line)]))),
    breaker: method(resource => breakerOf(one.get(resource))),
    changeBreaker: atomic((resource, change) => {
      const before = breakerOf(one.get(resource))
      const after = change(before)
      if (after !== before) write(resource, ...summed(JSON.stringify(after)))
      return [before, after] as const
    }),
  }
}

function breakerOf(line: BreakerLine | undefined): Breaker {
  if (!line) return CLOSED
  const breaker = parseBody<Breaker>(line, `the breaker of '${line.resource}'`)
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

type ShareLine = Body & Pick<Share, 'scope' | 'thread'>

const SHARE = 'SELECT scope, thread, body, sum FROM shares'

export function shares({ query, command, atomic, method }: Connection): Shares {
  const all = query<ShareLine>(`${SHARE} ORDER BY scope, key, thread`)
  const some = query<ShareLine>(`${SHARE} WHERE scope = ?1 AND key = ?2 ORDER BY thread`)
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
    'REPLACE INTO shares (scope, key, thread, until, body, sum) VALUES (?1, ?2, ?3, ?4, ?5, ?6)',
  )
  return share =>
    put(share.scope, share.key, share.thread, share.until, ...summed(JSON.stringify(share)))
}

const shareOf = ({ scope, thread, ...line }: ShareLine): Share =>
  upcastShare(parseBody(line, `the share of '${thread}' in scope '${scope}'`))

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

type CommandLine = Body & { readonly command: string }

interface StateLine {
  readonly state: 'waiting' | 'done' | 'refused'
  readonly code: string | null
  readonly reason: string | null
}

const OF_THREAD = 'thread = (SELECT id FROM threads WHERE name = ?1)'

export function inbox(connection: Connection): Pick<Store, 'submit' | 'inbox' | 'command'> {
  const { query, transaction, command, method } = connection
  const thread = query<{ id: number }>('SELECT id FROM threads WHERE name = ?1 AND seq >= 0')
  const add = command(
    `INSERT OR IGNORE INTO inbox (thread, command, event, sum, state) VALUES (?1, ?2, ?3, ?4, 'waiting')`,
  )
  const waiting = query<CommandLine>(
    `SELECT command, event AS body, sum FROM inbox WHERE ${OF_THREAD} AND state = 'waiting' ORDER BY id`,
  )
  const state = query<StateLine>(
    `SELECT state, code, reason FROM inbox WHERE ${OF_THREAD} AND command = ?2`,
  )
  return {
    submit: method((name, id, event) => {
      const body = summed(JSON.stringify(personEvent(event)))
      transaction(() => {
        const found = thread.get(name)
        if (!found) throw new UnknownThread(name)
        add(found.id, id, ...body)
      })
    }),
    inbox: method(name => {
      const lines = waiting.all(name)
      return lines.map(({ command, ...line }) => ({
        command,
        event: upcastCommand(parseBody(line, `the command '${command}' to '${name}'`)),
      }))
    }),
    command: method((name, id) => stateOf(state.get(name, id))),
  }
}

function stateOf(line: StateLine | undefined): CommandState {
  if (line?.state !== 'refused') return { state: line?.state ?? 'unknown' }
  const { code, reason } = line
  if (code !== null) return { state: 'refused', reason: JSON.parse(reason ?? '') as Reason }
  // Version 0.1.0 stored a text without a code.
  return { state: 'refused', reason: { code: 'text', params: { text: reason ?? '' } } }
}

/** Settles commands within a transaction. It also stores a command that bypassed the inbox: a repetition is then ignored. */
export function settleCommands({ command }: Connection) {
  const settle = command(
    `INSERT INTO inbox (thread, command, state, reason, code) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (thread, command) DO UPDATE SET state = ?3, reason = ?4, code = ?5 WHERE state = 'waiting'`,
  )
  return (id: number, settlements: readonly Settlement[]): void => {
    for (const { command: name, refused } of settlements)
      if (refused) settle(id, name, 'refused', JSON.stringify(refused), refused.code)
      else settle(id, name, 'done', null, null)
  }
}
