/** Processes that depend on the calls of the agent: a quota, and a service that fails under load. */

/** Whether a call at this time is refused. Each call counts. */
export type Demand = (at: number) => boolean

/** A token bucket. A refused call can block all calls for the time of the penalty. */
export function quota(of: { limit: number; per: number; penalty: number }): Demand {
  let tokens = of.limit
  let last = 0
  let blockedUntil = 0
  return at => {
    tokens = Math.min(of.limit, tokens + ((at - last) * of.limit) / of.per)
    last = at
    if (at < blockedUntil) return true
    if (tokens >= 1) {
      tokens -= 1
      return false
    }
    blockedUntil = at + of.penalty
    return true
  }
}

/** Above the knee, the part of the calls that the service cannot answer fails. */
export function overload(of: {
  knee: number
  per: number
}): (at: number, chance: number) => boolean {
  let recent: readonly number[] = []
  return (at, chance) => {
    recent = [...recent.filter(time => time > at - of.per), at]
    return chance >= of.knee / recent.length
  }
}
