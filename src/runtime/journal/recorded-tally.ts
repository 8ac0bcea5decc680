/** The tally of an agent in another framework, folded from its rows: its watchdog is elsewhere. */
import { NO_TALLY, tallyAfter } from '../../core/run/tally.ts'
import type { Row } from '../../core/run/run.ts'
import { roundMoney } from '../../core/watch/event/call-event.ts'
import type { ThreadTally } from '../store/tally.ts'

const NOTHING: ThreadTally = { ...NO_TALLY, spent: { steps: 0, tokens: 0, usd: 0 } }

/** `undefined` while the rows before these were stored by a version without tallies. */
export function recordedTally(
  before: ThreadTally | undefined,
  rows: readonly Row[],
): ThreadTally | undefined {
  const start = rows[0]?.seq === 0 ? NOTHING : before
  return start && rows.reduce(afterRow, start)
}

function afterRow(
  { spent, ...tally }: ThreadTally,
  { event, findings, verdict }: Row,
): ThreadTally {
  const usage = 'usage' in event ? event.usage : undefined
  // A call that exceeds a limit is not made.
  const isStep = event.type === 'model.called' && !findings.some(({ kind }) => kind === 'budget')
  return {
    ...tallyAfter(tally, findings, verdict),
    spent: {
      steps: spent.steps + (isStep ? 1 : 0),
      tokens: spent.tokens + (usage ? usage.input + usage.output : 0),
      usd: usage ? roundMoney(spent.usd + usage.usd) : spent.usd,
    },
  }
}
