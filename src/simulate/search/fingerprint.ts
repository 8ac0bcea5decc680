/** What identifies a failure: shrinking must not slide into another one. */
import type { SimulatedOutcome } from '../oracle/outcome.ts'
import type { SimulatedRun } from '../run/simulate.ts'

const BAD: ReadonlySet<SimulatedOutcome> = new Set(['stuck', 'crashed', 'silently wrong'])

/** Whether a run shows a defect of the agent: a bad outcome, or a violated condition. */
export const isFailure = ({
  outcome,
  violations,
}: Pick<SimulatedRun, 'outcome' | 'violations'>): boolean =>
  BAD.has(outcome) || violations.length > 0

/** Outcome, violated conditions, and the reason of the end. */
export function fingerprintOf({ outcome, violations, reason }: SimulatedRun): string {
  const conditions = violations.map(({ rule, condition }) => `${rule} ${condition}`).toSorted()
  return [outcome, reason, ...conditions].join(' · ')
}
