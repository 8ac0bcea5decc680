/** The limits of money in a policy or in a change of one. They need the price of a model: without one, no call costs anything. */
import { isMap } from '../data/json.ts'

/** Their paths. A change removes a limit with `null`. */
export function moneyLimits(limits: unknown): readonly string[] {
  if (!isMap(limits)) return []
  const { usd, round, scopes } = limits
  const below = isMap(scopes) ? Object.entries(scopes) : []
  const places: [string, unknown][] = [
    ['limits', { usd }],
    ['limits.round', round],
    ...below.map(([name, scope]): [string, unknown] => [`limits.scopes.${name}`, scope]),
  ]
  return places.flatMap(([path, of]) => (isMap(of) && of.usd != null ? [`${path}.usd`] : []))
}
