/** Whom a question is put to, when it moves on to somebody else, and who has been told of it. */
import type { ReviewPolicy } from './watch/policy/policy.ts'

/** Part of an interrupt. Absent where the policy names nobody. */
export interface Escalation {
  /** Whom it is put to now: a name out of the policy, which notifiers know. */
  readonly to?: string
  /** Whom it moves on to while nobody answers, and when (ms), in order. */
  readonly chain?: readonly Handover[]
  /** How often it has moved on; absent: not yet. */
  readonly step?: number
  /** The notifiers that have done what they could about this step. */
  readonly told?: readonly string[]
}

export interface Handover {
  readonly to: string
  readonly at: number
}

/** How a question asked at `at` is put. A step that would come at its deadline or later never comes. */
export function escalationOf(
  review: ReviewPolicy | undefined,
  at: number,
  deadline = Number.POSITIVE_INFINITY,
): Escalation {
  const { to, escalate = [] } = review ?? {}
  const chain = escalate
    .map(({ to, after }) => ({ to, at: at + after }))
    .filter(step => step.at < deadline)
  return { ...(to === undefined ? {} : { to }), ...(chain.length > 0 ? { chain } : {}) }
}

/** The step that comes next. */
export function nextStep({ chain = [], step = 0 }: Escalation): Handover | undefined {
  return chain[step]
}

/** The question after time has passed: moved on to the last step whose time has come; `undefined` if there is none. */
export function advanceEscalation<T extends Escalation>(asking: T, at: number): T | undefined {
  const { chain = [], step = 0 } = asking
  const reached = chain.findLastIndex(handover => handover.at <= at) + 1
  const { told: _, ...rest } = asking
  return reached > step
    ? ({ ...rest, to: chain[reached - 1]?.to, step: reached } as unknown as T)
    : undefined
}

/** The question once a notifier has done what it could about the step. */
export function markNotified<T extends Escalation>(asking: T, notifier: string, step: number): T {
  const { told = [] } = asking
  return step === (asking.step ?? 0) && !told.includes(notifier)
    ? { ...asking, told: [...told, notifier] }
    : asking
}
