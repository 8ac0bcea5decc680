/** What is left of the limits: a model that knows it can end with an answer in time. */
import type { Run } from './run.ts'
import { allLimits, shareOf } from '../watch/budget/account.ts'
import { scopeLimits } from '../watch/budget/scope.ts'
import { type Spent, SPENDABLE } from '../watch/event/call-event.ts'

export interface Remaining {
  /** Each limited unit. Times are in ms. */
  readonly units: readonly UnitLeft[]
  /** Less than `limits.reserve` is left: the next answer is the last one. */
  readonly isLast: boolean
}

type UnitLeft = Readonly<{ unit: keyof Spent; left: number; limit: number }>

/** The steps that a lap and the end of an agent need. */
const STEPS_MIN = 4

/** Undefined without `limits.reserve`. */
export function remainingOf({ watch, policy, at }: Run): Remaining | undefined {
  const { account, scopes } = watch
  const { limits } = policy
  const { reserve } = limits
  if (reserve === undefined) return undefined
  const shared = scopeLimits(scopes, limits.scopes, at, account)
  const all = allLimits(account, limits, shared)
  const shares = shareOf(account, limits, { own: {}, shared, places: 1 })
  const units = SPENDABLE.flatMap((unit): UnitLeft[] => {
    const left = shares[unit]
    const [lowest] = all.filter(each => each.unit === unit).toSorted((a, b) => a.most - b.most)
    return left === undefined || !lowest ? [] : [{ unit, left, limit: lowest.limit }]
  })
  const isLast = units.some(({ unit, left, limit }) => {
    const lap = unit === 'steps' ? Math.min(STEPS_MIN, limit / 2) : 0
    return left <= Math.max(unit === 'modelCalls' ? 1 : lap, limit * reserve)
  })
  return { units, isLast }
}
