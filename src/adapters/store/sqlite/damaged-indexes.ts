/** Finds indexes with a flipped bit. A lookup by one misses a line: a thread, the answer of a person, a spent budget, or a breaker that is open. */
import { type Body, commandKey, parseBody } from '../../../runtime/store/body.ts'
import { commandName, damagedError, isCommandState } from '../../../runtime/store/row-text.ts'
import { type ShareLine, shareOf } from '../../../runtime/store/share-line.ts'
import { type Connection, resultCode } from './connection.ts'

export type IndexChecks = ReturnType<typeof indexChecks>

const TABLES = ['threads', 'inbox', 'shares', 'breakers'] as const

type Table = (typeof TABLES)[number]

/** SQLite's code for two lines with one key. */
const NOT_UNIQUE = 19

/**
 * Compares a table with its indexes before its first use, and again after `renew`, in about 1 ms for 1,000 lines. The indexes are
 * built again from the table. If a line of the table is damaged, they stay: they have its right key. Those of `threads` are built again
 * even then, because SQLite refuses to change a line that an index does not have.
 */
export function indexChecks({ query, command }: Connection) {
  const unchecked = new Set<Table>(TABLES)
  const verify = verifiers(query)
  const statements = (table: Table) => ({
    compare: query<{ integrity_check: string }>(`PRAGMA integrity_check('${table}')`),
    missing: query(
      `SELECT 1 WHERE (SELECT count(*) FROM ${table} NOT INDEXED) < (SELECT count(*) FROM ${table} INDEXED BY sqlite_autoindex_${table}_1)`,
    ),
    rebuild: command(`REINDEX ${table}`),
  })
  const of = {
    threads: statements('threads'),
    inbox: statements('inbox'),
    shares: statements('shares'),
    breakers: statements('breakers'),
  }
  const isIntact = (table: Table) => of[table].compare.get()?.integrity_check === 'ok'
  const repair = (table: Table) => {
    if (of[table].missing.get()) throw damagedError(`the table ${table}`)
    const damage = errorOf(verify[table])
    if (damage === undefined) rebuildIndexes(table, of[table].rebuild)
    else if (table === 'shares') throw damage
    if (damage === undefined && !isIntact(table)) throw damagedError(`the table ${table}`)
  }
  return {
    renew(): void {
      for (const table of TABLES) unchecked.add(table)
    },
    /** @throws StoreUnavailable for a table that lost lines, and for a damaged share: it may be one of any scope */
    check(table: Table): void {
      if (!unchecked.has(table)) return
      if (!isIntact(table)) repair(table)
      unchecked.delete(table)
    },
  }
}

function rebuildIndexes(table: Table, rebuild: () => void): void {
  try {
    rebuild()
  } catch (error) {
    throw resultCode(error) === NOT_UNIQUE ? damagedError(`a key in the table ${table}`) : error
  }
}

function errorOf(work: () => void): unknown {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}

type CommandLine = Body & Readonly<{ thread: string | null; command: string; state: string }>

type BreakerLine = Body & { readonly resource: string }

/** Each reads all lines of a table. @throws StoreUnavailable for the first damaged one */
function verifiers(query: Connection['query']): Readonly<Record<Table, () => void>> {
  const commands = query<CommandLine>(
    `SELECT (SELECT name FROM threads WHERE threads.id = thread) AS thread, command, ifnull(event, 'null') AS body, sum, state
     FROM inbox NOT INDEXED`,
  )
  const shares = query<ShareLine>(
    'SELECT scope, key, thread, until, body, sum FROM shares NOT INDEXED',
  )
  const breakers = query<BreakerLine>('SELECT resource, body, sum FROM breakers NOT INDEXED')
  return {
    threads() {},
    inbox() {
      for (const { thread, command, state, ...line } of commands.all()) {
        const what = commandName(thread ?? '', command)
        if (thread === null || !isCommandState(state)) throw damagedError(what)
        parseBody(line, what, commandKey(thread, command))
      }
    },
    shares: () => void shares.all().map(shareOf),
    breakers() {
      for (const line of breakers.all())
        parseBody(line, `the breaker of '${line.resource}'`, line.resource)
    },
  }
}
