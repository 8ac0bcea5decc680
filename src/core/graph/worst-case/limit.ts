/** What a limit allows: the limit, what escapes that continue past it add, and what is known only afterwards. */
import type { Spent } from '../../watch/event/spent.ts'
import type { Limits } from '../../watch/policy/policy.ts'
import type { Spec } from '../spec/spec.ts'
import { type Figure, formatAmount, isUnknown, unknown } from './figure.ts'

export interface LimitTerms {
  readonly limits: Limits
  /** The limits that the spec itself names: all others are defaults. */
  readonly named: Spec['limits']
  /** How often escapes can continue past a limit; each time it grows by a quarter. */
  readonly renewals: number
  /** What may come on top before the limit is noticed. */
  readonly late: Figure
}

/** What is said of a limit that the spec does not name. */
export const DEFAULT = '(default)'

/** The smaller of the limits of the thread and of its rounds, with what comes on top. */
export function tightestLimit(unit: keyof Spent, terms: LimitTerms): Figure {
  const { limits, named, renewals, late } = terms
  const ofThread = limits[unit] ?? Number.POSITIVE_INFINITY
  const ofRound = limits.round?.[unit] ?? Number.POSITIVE_INFINITY
  const limit = Math.min(ofThread, ofRound)
  if (limit === Number.POSITIVE_INFINITY) return unknown(`set limits.${unit}`)
  const renewal = Math.max(limit / 4, unit === 'steps' ? 4 : 0)
  const most = limit + renewals * renewal
  const path = ofRound < ofThread ? `limits.round.${unit}` : `limits.${unit}`
  const origin = ofThread <= ofRound && named[unit] === undefined ? ` ${DEFAULT}` : ''
  const because = [
    `${path}: ${formatAmount(limit, unit)}${origin}`,
    ...(renewals === 0 ? [] : [renewalText(formatAmount(renewal, unit), renewals)]),
    ...(late.most === 0 ? [] : [late.because]),
  ].join(', and ')
  if (isUnknown(late)) return { ...unknown(because), stopsAt: most }
  const whole = unit !== 'usd' && unit !== 'duration'
  return { most: whole ? Math.floor(most + late.most) : most + late.most, because }
}

function renewalText(amount: string, times: number): string {
  return `${amount} more ${times === 1 ? 'when an escape continues' : `each of ${times} times an escape continues`} past it`
}
