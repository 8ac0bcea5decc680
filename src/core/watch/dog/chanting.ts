/** Degenerate output where an answer is heard when it is whole: nobody can break it off any more, but the next one can be another. */
import { spentAt } from '../budget/account.ts'
import { chanted, chantOf } from '../sight/chant.ts'
import type { Stamped } from '../event.ts'
import type { Finding } from '../finding.ts'
import { choose } from '../ladder.ts'
import type { Policy } from '../policy.ts'
import { spentSince } from '../budget/spent.ts'
import { BUILT_IN } from '../parts.ts'
import type { Judgement, Scene } from '../watchdog.ts'

/** What was judged of an event, and the chant that its text is, if it is one: that comes before all else. */
export function withChant(
  judged: Judgement,
  event: Stamped,
  { seq, ways, parts = BUILT_IN }: Scene,
  policy: Policy,
): Judgement {
  const { chant } = policy.detect
  const found =
    event.type === 'model.done' && chant !== false ? chantOf(event.text, chant) : undefined
  if (event.type !== 'model.done' || !found) return judged
  const { ladder, account } = judged.watch
  const finding: Finding = {
    ...chanted(found, event.subject, seq),
    region: '',
    states: [ways.state],
    noticed: seq,
    burned: spentSince(account.spent, spentAt(account, seq)),
  }
  const findings = [finding, ...judged.findings] as const
  return {
    ...judged,
    findings,
    verdict: choose({ ladder, findings, policy, ways, path: [], own: parts.rungs }),
  }
}
