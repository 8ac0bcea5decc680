/**
 * A seeded bandit chooses the order of exchangeable rungs from how earlier threads ended: Thompson sampling with a uniform prior.
 *
 * For each rung, the part of the threads in which it is enough is drawn from what is known of it, and the highest draw comes first. A
 * rung that was never first has the widest range, so it is tried now and then. Always taking the rung with the best mean instead would
 * never try the other one again after bad luck.
 *
 * W. R. Thompson, Biometrika 25 (1933), 285–294; O. Chapelle and L. Li, An Empirical Evaluation of Thompson Sampling, NIPS 2011.
 */
import { ORDERS_MAX } from '../policy/policy-keys.ts'
import { exchangeableIn, type Problem, type RungOrder } from './order.ts'

/** How one thread ended that met a problem and took `rung` first against it. */
export interface Trial extends Problem {
  readonly rung: string
  /** The thread reached its goal, and took no further escape. */
  readonly sufficed: boolean
}

/** A number in [0, 1), the same for the same purpose. */
export type Chance = (...purpose: readonly (string | number)[]) => number

/** The threads that must have met a problem before its order may change. */
const TRIALS_MIN = 10

/** The orders that differ from the ladder, for the most frequent problems. The same trials and chance give the same orders. */
export function ordersFrom(
  trials: readonly Trial[],
  ladder: readonly string[],
  chance: Chance,
): readonly RungOrder[] {
  const rungs = exchangeableIn(ladder)
  if (rungs.length === 0) return []
  const groups = Map.groupBy(trials, ({ subject, problem }) => JSON.stringify([subject, problem]))
  return [...groups.values()]
    .filter(met => met.length >= TRIALS_MIN)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, ORDERS_MAX)
    .flatMap(met => {
      const order = orderFrom(met, rungs, chance)
      return order && order.rungs.join() !== rungs.join() ? [order] : []
    })
}

function orderFrom(met: readonly Trial[], rungs: readonly string[], chance: Chance) {
  const [first] = met
  if (!first) return undefined
  const { subject, problem } = first
  const drawn = rungs.map(rung => {
    const own = met.filter(trial => trial.rung === rung)
    const won = own.filter(({ sufficed }) => sufficed).length
    const value = beta(won + 1, own.length - won + 1, index =>
      chance(subject, problem, rung, index),
    )
    return { rung, value }
  })
  const sorted = drawn.toSorted((a, b) => b.value - a.value)
  return { subject, problem, rungs: sorted.map(({ rung }) => rung) }
}

/** A number with a beta distribution of whole `a` and `b`: the `a`th smallest of `a + b - 1` uniform ones. */
function beta(a: number, b: number, uniform: (index: number) => number): number {
  const numbers = Array.from({ length: a + b - 1 }, (_, index) => uniform(index))
  return numbers.toSorted((one, other) => one - other)[a - 1] ?? 0
}
