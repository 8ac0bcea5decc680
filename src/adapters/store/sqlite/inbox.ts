/** The inbox: commands to a thread from other processes, and the state of each. */
import type { Reason } from '../../../core/watch/reason/reason.ts'
import { personEvent } from '../../../runtime/store/person-event.ts'
import type { CommandState, Settlement, Store } from '../../../runtime/store/store.ts'
import { UnknownThread } from '../../../runtime/store/store.ts'
import { upcastCommand } from '../../../runtime/store/upcast.ts'
import type { Connection } from './connection.ts'

interface CommandLine {
  readonly command: string
  readonly event: string
}

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
    `INSERT OR IGNORE INTO inbox (thread, command, event, state) VALUES (?1, ?2, ?3, 'waiting')`,
  )
  const waiting = query<CommandLine>(
    `SELECT command, event FROM inbox WHERE ${OF_THREAD} AND state = 'waiting' ORDER BY id`,
  )
  const state = query<StateLine>(
    `SELECT state, code, reason FROM inbox WHERE ${OF_THREAD} AND command = ?2`,
  )
  return {
    submit: method((name, id, event) => {
      const body = JSON.stringify(personEvent(event))
      transaction(() => {
        const found = thread.get(name)
        if (!found) throw new UnknownThread(name)
        add(found.id, id, body)
      })
    }),
    inbox: method(name => {
      const lines = waiting.all(name)
      return lines.map(({ command, event }) => ({
        command,
        event: upcastCommand(JSON.parse(event)),
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
