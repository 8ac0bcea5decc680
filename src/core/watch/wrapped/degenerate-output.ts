/** Degenerate output where an answer is heard when it is whole: nobody can break it off any more, but the next one can be another. */
import { spentAt } from '../budget/account.ts'
import { degenerateDraft, findRepeatedChunk } from '../detect/degenerate-output.ts'
import type { Stamped } from '../event/event.ts'
import type { Finding } from '../event/finding.ts'
import { choose } from '../escape/ladder.ts'
import type { Policy } from '../policy/policy.ts'
import { subtractSpent } from '../event/spent.ts'
import { BUILT_IN } from '../parts.ts'
import type { WatchInput } from '../input.ts'
import type { Judgement } from '../judge.ts'

/** What was judged of an event, and the finding that its text is degenerate, if it is: that comes before all else. */
export function withDegenerateOutput(
  judged: Judgement,
  event: Stamped,
  { seq, ways, parts = BUILT_IN }: WatchInput,
  policy: Policy,
): Judgement {
  const { degenerateOutput: options } = policy.detect
  const found =
    event.type === 'model.done' && options !== false
      ? findRepeatedChunk(event.text, options)
      : undefined
  if (event.type !== 'model.done' || !found) return judged
  const { ladder, account } = judged.watch
  const finding: Finding = {
    ...degenerateDraft(found, event.subject, seq),
    region: '',
    states: [ways.state],
    noticed: seq,
    burned: subtractSpent(account.spent, spentAt(account, seq)),
  }
  const findings = [finding, ...judged.findings] as const
  return {
    ...judged,
    findings,
    verdict: choose({ ladder, findings, policy, ways, path: [], own: parts.rungs }),
  }
}
