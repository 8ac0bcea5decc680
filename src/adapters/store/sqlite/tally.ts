/**
 * The tally of a thread in its line and in its last event. `found` is the tally without the spending, and changes rarely. `spent` has
 * steps, tokens and usd, and changes with most appends.
 */
import { parseTally } from '../../../runtime/store/line-schema.ts'
import type { ThreadTally } from '../../../runtime/store/tally.ts'

/** The columns `found` and `spent`. */
export function tallyTexts(
  tally: ThreadTally | undefined,
): readonly [found: string | null, spent: string | null] {
  if (!tally) return [null, null]
  const { spent, ...found } = tally
  return [JSON.stringify(found), JSON.stringify([spent.steps, spent.tokens, spent.usd])]
}

/** A damaged text has no tally: the next append of the thread writes it again. */
export function tallyOf(found: string | null, spent: string | null): ThreadTally | undefined {
  if (found === null || spent === null) return undefined
  try {
    return parseTally(found, spent)
  } catch {
    return undefined
  }
}

/** The spending of a line, also while only its last event has it. */
export const SPENT = 'iif(last.seq > threads.seq, last.spent, threads.spent)'

const FOUND = 'iif(json_valid(found), found, NULL)'
export const SIGNATURE = `${FOUND} ->> '$.finding.signature'`
export const KIND = `${FOUND} ->> '$.finding.signature.kind'`
export const USD = `iif(json_valid(${SPENT}), ${SPENT}, NULL) ->> '$[2]'`

export const SUMS = `ifnull(sum(${FOUND} ->> '$.findings'), 0) AS findings, ifnull(sum(${FOUND} ->> '$.escapes'), 0) AS escapes,
  ifnull(sum(${USD}), 0) AS usd`
