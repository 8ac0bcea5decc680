/** The cost of expressions in CEL, in steps. It depends on the expression and its values alone, never on the time. */

/** A condition blocks its process. So much takes about half a second. */
export const COST_MAX = 5_000_000
/** An error that `exists`, `||` and the like catch: most of it is its stack. */
const CAUGHT_ERROR = 200
/** Parts that are evaluated between two looks at the clock. */
const PARTS_PER_LOOK = 128

/** How long evaluations may take, whatever they have cost: several times what their steps take. */
const TIME_MAX = 2_000

/** What several evaluations may use together. */
export interface Budget {
  left: number
  readonly isOver?: () => boolean
}

/** Earlier work has used up a budget. It ends a whole replay: it is not the fault of an evaluation or of a value. */
export class OverBudget extends Error {}

/** Charges `total`, which may become negative. @throws OverBudget if it is already */
export function charge(total: Budget | undefined, cost: number): void {
  if (!total) return
  if (total.left < 0) throw new OverBudget()
  total.left -= cost
}

/**
 * A budget whose evaluations also end after a time, in case an operation takes longer than its steps say. `now` is in ms. The result
 * depends on the time then: use it only where nothing is replayed from the result.
 */
export function timedBudget(now: () => number, left: number = COST_MAX): Budget {
  const end = now() + TIME_MAX
  return { left, isOver: () => now() > end }
}

/** Evaluates with the limit of one evaluation, and charges its cost to `total`, which may become negative. @throws OverBudget if it is already */
export function chargeTo<T>(total: Budget | undefined, evaluate: (budget: Budget) => T): T {
  charge(total, 0)
  const budget = { left: COST_MAX }
  try {
    return evaluate(budget)
  } finally {
    if (total) total.left -= COST_MAX - Math.max(0, budget.left)
  }
}

export interface Meter {
  /** Starts an evaluation. By default, it may cost the limit of the meter. */
  start(budget?: Budget): void
  /** @throws Error if the evaluation costs too much */
  charge(cost: number): void
  /** Charges for what an evaluation does once for a key. @throws Error if the evaluation costs too much */
  chargeOnce(key: string, cost: () => number): void
  /** Charges for the evaluation of a part. @throws Error if the evaluation costs or takes too much */
  chargePart(cost: number): void
  /** Charges for an error that an operator is about to catch. @throws the error that has ended the evaluation, which no operator catches */
  chargeError(): void
}

export function costMeter(max: number): Meter {
  let budget: Budget = { left: max }
  let parts = 0
  let ended: Error | undefined
  const charged = new Set<string>()
  const end = (message: string): never => {
    ended = new Error(message)
    throw ended
  }
  const charge = (cost: number) => {
    budget.left -= cost
    // Also for a cost that is not a number.
    if (!(budget.left >= 0)) end(`costs more than ${max} steps`)
  }
  return {
    charge,
    start: (shared = { left: max }) => {
      budget = shared
      ended = undefined
      charged.clear()
      charge(0)
    },
    chargeOnce: (key, cost) => {
      if (charged.size < charged.add(key).size) charge(cost())
    },
    chargePart: cost => {
      charge(cost)
      parts++
      if (parts % PARTS_PER_LOOK === 0 && budget.isOver?.()) end('takes too long')
    },
    chargeError: () => {
      if (ended) throw ended
      charge(CAUGHT_ERROR)
    },
  }
}
