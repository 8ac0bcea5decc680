/** Finds lines of threads with a flipped bit. Such a thread could otherwise never be due. */
import { crc32 } from 'node:zlib'
import type { Connection } from './connection.ts'

type Column = string | number | null

/** The checksum of the columns of a line that decide when it is due. Lines of earlier versions have no waits. */
export const lineSum = (columns: readonly Column[], waits: string | null): number =>
  crc32([...columns, ...(waits === null ? [] : [waits])].join('\n'))

type Line = Readonly<{ id: number }> &
  Readonly<Record<'seq' | 'sum' | 'wake_at' | 'started_at' | 'at', number | null>> &
  Readonly<Record<'graph' | 'spec_hash' | 'status' | 'outcome' | 'detail' | 'waits', string | null>>

/** The time in ms between two checks of all lines, and how long the damaged ones are listed after a check. */
const CHECK_EVERY = 600_000
const LISTED_FOR = 5_000

/** The ids of the damaged lines at the first call and every ten minutes: the journal has what they should contain. `onCheck` is called before each check. */
export function damagedLines(
  { query }: Connection,
  onCheck: () => void,
): (now: number) => readonly number[] {
  const open = query<Line>(
    `SELECT id, seq, wake_at, graph, spec_hash, status, outcome, started_at, at, detail, waits, sum
     FROM threads NOT INDEXED WHERE seq >= 0 AND status IS NOT 'ended'`,
  )
  let checked: number | undefined
  let found: readonly number[] = []
  return now => {
    const since = checked === undefined ? CHECK_EVERY : Math.abs(now - checked)
    if (since < CHECK_EVERY) return since < LISTED_FOR ? found : []
    checked = now
    onCheck()
    found = open
      .all()
      .filter(of => of.sum !== null && of.sum !== sumOf(of))
      .map(({ id }) => id)
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
