/** The policy of a new thread, with the orders of rungs that earlier threads have taught. The journal records it. */
import { draw } from '../../core/watch/data/json.ts'
import { ordersFrom } from '../../core/watch/escape/bandit.ts'
import type { Policy } from '../../core/watch/policy/policy.ts'
import { ORDERS_MAX } from '../../core/watch/policy/policy-keys.ts'
import type { ThreadInit } from '../call/context.ts'
import type { Ports } from '../ports.ts'
import { latestTrials } from '../store/trials.ts'

type Start = Pick<ThreadInit, 'seed' | 'orders'>

/** Whether a new thread has other orders than those of its policy. */
export const learnsOrders = ({ escape }: Policy, { orders }: Start): boolean =>
  orders !== undefined || escape.learn === true

/** Orders of the policy itself come before those that the store teaches. Orders of a recorded run replace both. */
export async function withLearnedOrders(
  policy: Policy,
  { graph, store, clock }: Ports,
  { seed, orders: recorded }: Start,
): Promise<Policy> {
  const { escape } = policy
  const { ladder, orders: own = [] } = escape
  const learned = async () => {
    const isVirtual = clock.virtual === true
    const trials = await latestTrials(store, { graph: graph.machine.id, isVirtual })
    return ordersFrom(trials, ladder, (...purpose) => draw(seed, 'order', ...purpose))
  }
  const orders = recorded ?? [...own, ...(await learned())].slice(0, ORDERS_MAX)
  return orders.length === 0 ? policy : { ...policy, escape: { ...escape, orders } }
}
