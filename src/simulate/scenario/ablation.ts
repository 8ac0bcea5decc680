/** Policies that lack one part: an escape or a detector whose absence changes nothing is useless, or the oracle is blind to it. */
import { isMap, type Json } from '../../core/watch/data/json.ts'
import { mergePatch, notationOf, POLICY } from '../../core/watch/policy/policy.ts'

type Change = Readonly<Record<string, Json>>

/** `without_rethink`, `without_sequence`: changes of the policy under test. */
export function ablations(tested: Change): Readonly<Record<string, Change>> {
  const { escape, detect } = notationOf(POLICY)
  const own = isMap(tested.escape) ? tested.escape.ladder : undefined
  const ladder = (own ?? (isMap(escape) ? escape.ladder : [])) as readonly string[]
  // A run without `stop` could not end in order.
  const rungs = ladder
    .filter(rung => rung !== 'stop')
    .map(rung => [rung, { escape: { ladder: ladder.filter(other => other !== rung) } }] as const)
  const detectors = Object.entries(isMap(detect) ? detect : {})
    .filter(([name, of]) => isMap(of) && name !== 'tools' && name !== 'nodes')
    .map(([name]) => [name, { detect: { [name]: false } }] as const)
  return Object.fromEntries(
    [...rungs, ...detectors].map(([name, change]) => [
      `without_${name}`,
      mergePatch(tested, change) as Change,
    ]),
  )
}
