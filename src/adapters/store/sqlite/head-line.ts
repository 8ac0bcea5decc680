/** The head of a thread in the table `threads`: its last event and its lease. */
import { crc32 } from 'node:zlib'
import { type Head, NO_THREAD } from '../../../runtime/store/head.ts'
import type { Connection } from './connection.ts'
import type { IndexChecks } from './damaged-indexes.ts'

export type LeaseLine = Readonly<{ lease_owner: string | null; lease_until: number | null }>

export type HeadLine = LeaseLine & Readonly<{ id: number; seq: number; epoch: number }>

type FoundLine = HeadLine & Readonly<Record<'tail' | 'tailSum', number | null>>

/** The place of the last event of a line of `threads`. */
export const LAST =
  'SELECT max(place) FROM main.events WHERE place BETWEEN id << 32 AND id << 32 | 0xffffffff'

const HEAD = `SELECT id, max(seq, ifnull((${LAST}) & 0xffffffff, -1)) AS seq, tail >> 32 AS tail, tail & 0xffffffff AS tailSum, epoch, lease_owner, lease_until
  FROM threads WHERE name = ?1`

/**
 * Reads the line of a thread. Its last event is the last one that was appended, even if the journal has lost it. A number with a
 * wrong checksum is ignored.
 */
export function headLine({ query }: Connection): (thread: string) => HeadLine | undefined {
  const head = query<FoundLine>(HEAD)
  return thread => {
    const line = head.get(thread)
    if (!line) return undefined
    const { tail, tailSum, ...found } = line
    const isKnown = tail !== null && tailSum === tailSumOf(thread, tail)
    return isKnown && tail > found.seq ? { ...found, seq: tail } : found
  }
}

/** The checksum of the number of a thread's last event. */
export const tailSumOf = (thread: string, seq: number): number => crc32(`${thread}\n${seq}`)

export const headOf = (line: HeadLine | undefined): Head =>
  line ? { seq: line.seq, epoch: line.epoch, lease: leaseOf(line) } : NO_THREAD

export const leaseOf = ({ lease_owner: owner, lease_until: until }: LeaseLine): Head['lease'] =>
  owner === null || until === null ? undefined : { owner, until }

/**
 * Finds the line of a thread. Before it finds none, it compares the table with its indexes: another thread could otherwise take the name.
 * Not for use in a transaction, whose end may undo the repair.
 */
export function headReader(
  connection: Connection,
  { check }: IndexChecks,
): (thread: string) => HeadLine | undefined {
  const head = headLine(connection)
  return thread => {
    const line = head(thread)
    if (line) return line
    check('threads')
    return head(thread)
  }
}
