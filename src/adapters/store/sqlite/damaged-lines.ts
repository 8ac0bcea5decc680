/** Finds lines of threads with a flipped bit. Such a thread could otherwise never be due, or not in the index of those that are. */
import { crc32 } from 'node:zlib'
import type { Connection } from './connection.ts'

type Column = string | number | null

/** The checksum of the columns of a line that decide when it is due. Lines of earlier versions have no waits. */
export const lineSum = (columns: readonly Column[], waits: string | null): number =>
  crc32([...columns, ...(waits === null ? [] : [waits])].join('\n'))

type Line = Readonly<{ id: number; lease_until: number | null; wake_at: number | null }> &
  Readonly<Record<'seq' | 'sum' | 'started_at' | 'at', number | null>> &
  Readonly<Record<'graph' | 'spec_hash' | 'status' | 'outcome' | 'detail' | 'waits', string | null>>

/** The time in ms between two checks of all lines, and how long the damaged ones are listed after a check. */
const CHECK_EVERY = 600_000
const LISTED_FOR = 5_000

/** The ids of the damaged lines at the first call and every ten minutes: the journal has what they should contain. `onCheck` is called before each check. */
export function damagedLines(
  { query, command }: Connection,
  onCheck: () => void,
): (now: number) => readonly number[] {
  const open = query<Line>(
    `SELECT id, seq, wake_at, graph, spec_hash, status, outcome, started_at, at, detail, waits, sum, lease_until
     FROM threads NOT INDEXED WHERE seq >= 0 AND status IS NOT 'ended'`,
  )
  // SQLite reads these columns from the index alone.
  const indexed = query<Pick<Line, 'id' | 'wake_at'>>(
    'SELECT id, wake_at FROM threads INDEXED BY wake WHERE wake_at IS NOT NULL AND lease_until IS NULL',
  )
  const rebuildIndex = command('REINDEX wake')
  let checked: number | undefined
  let found: readonly number[] = []
  return now => {
    const since = checked === undefined ? CHECK_EVERY : Math.abs(now - checked)
    if (since < CHECK_EVERY) return since < LISTED_FOR ? found : []
    checked = now
    onCheck()
    const wakes = new Map(indexed.all().map(({ id, wake_at }) => [id, wake_at]))
    const lines = open.all()
    const unlisted = new Set(
      lines.filter(of => of.lease_until === null && (wakes.get(of.id) ?? null) !== of.wake_at),
    )
    // SQLite refuses to change a line that its index does not have.
    if (unlisted.size > 0) rebuildIndex()
    const isChanged = (of: Line) => of.sum !== null && of.sum !== sumOf(of)
    found = lines.filter(of => unlisted.has(of) || isChanged(of)).map(({ id }) => id)
    return found
  }
}

const sumOf = (of: Line): number =>
  lineSum(
    [
      ...[of.seq, of.wake_at, of.graph, of.spec_hash, of.status],
      ...[of.outcome, of.started_at, of.at, of.detail],
    ],
    of.waits,
  )
