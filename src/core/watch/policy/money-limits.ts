/** The limits of money that one thread can reach. They need the price of a model: without one, no call costs anything. */
import type { PolicyNotation } from './policy-keys.ts'

/** Their paths. The limit of a scope counts what other graphs spend, too. */
export function moneyLimits({ usd, round }: NonNullable<PolicyNotation['limits']> = {}): string[] {
  return [
    ...(usd === undefined ? [] : ['limits.usd']),
    ...(round?.usd === undefined ? [] : ['limits.round.usd']),
  ]
}
