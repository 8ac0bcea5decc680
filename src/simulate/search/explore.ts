/** A bounded model check: every tape with at most k faults among the first m calls. */
import type { CallName, Tape } from '../inject/call.ts'
import type { Trial } from '../monte/monte.ts'
import type { SimulatedOutcome } from '../oracle/outcome.ts'
import type { SimulatedRun } from '../run/simulate.ts'
import { type Effect, EFFECTS_OF, kindOfEffect } from '../scenario/effect.ts'
import { fingerprintOf, isFailure } from './fingerprint.ts'

/** The options of `explore`. */
export interface ExploreOptions {
  readonly policy: string
  readonly seed: number
  /** The most faults in one run. */
  readonly faults: number
  /** The number of first calls among which faults occur. */
  readonly calls: number
  /** The effects to try at each call, as far as they are possible there. */
  readonly effects: readonly Effect[]
  /** Makes runs, in any order. */
  readonly run: (trials: readonly Trial[]) => Promise<readonly SimulatedRun[]>
  readonly onLevel?: (faults: number, runs: number) => void
}

/** A failure and the first tape that shows it, with the fewest faults. */
export interface ExploredFailure {
  readonly fingerprint: string
  readonly because: string
  readonly tape: Tape
  /** The number of tapes with this failure. */
  readonly times: number
}

/** What an exploration covered, and what it found. */
export interface Exploration {
  readonly faults: number
  readonly calls: number
  readonly effects: readonly string[]
  readonly runs: number
  /** Tapes whose continuations another tape has: equal journals and facts. */
  readonly pruned: number
  readonly outcomes: Readonly<Partial<Record<SimulatedOutcome, number>>>
  readonly failures: readonly ExploredFailure[]
}

/** Five ways to fail at each call: two errors and silence, and two that are hard to notice. */
export const EFFECTS: readonly Effect[] = [
  { error: { class: 'transient' } },
  { error: { class: 'persistent' } },
  { hang: true },
  { lostAck: true },
  { empty: true },
  { repeat: true },
  { earlyStop: true },
]

/** A tape, and the position of its last fault among the calls. */
type Node = Readonly<{ tape: Tape; last: number }>

/**
 * Runs every tape with at most `faults` faults among the first `calls` calls. A fault changes only later calls, so each tape is
 * built from the calls of a shorter one.
 */
export async function explore(options: ExploreOptions): Promise<Exploration> {
  const { policy, seed, faults, calls, effects, run, onLevel } = options
  const outcomes: Partial<Record<SimulatedOutcome, number>> = {}
  const failures = new Map<string, ExploredFailure>()
  const seen = new Map<string, number>()
  let [runs, pruned] = [0, 0]
  let level: readonly Node[] = [{ tape: [], last: -1 }]
  for (let depth = 0; depth <= faults && level.length > 0; depth++) {
    const results = await run(level.map(({ tape }) => ({ policy, seed, tape })))
    runs += results.length
    onLevel?.(depth, runs)
    const next: Node[] = []
    for (const [index, result] of results.entries()) {
      const node = level[index] as Node
      outcomes[result.outcome] = (outcomes[result.outcome] ?? 0) + 1
      if (isFailure(result)) note(failures, result, node.tape)
      // The same run with an earlier last fault, and no more faults, has all continuations of this one.
      const known = seen.get(result.hash) ?? Number.POSITIVE_INFINITY
      if (known <= node.last) pruned++
      else if (depth < faults) next.push(...longer(node, result.calls.slice(0, calls), effects))
      seen.set(result.hash, Math.min(known, node.last))
    }
    level = next
  }
  const names = effects.map(nameOf)
  return { faults, calls, effects: names, runs, pruned, outcomes, failures: [...failures.values()] }
}

const nameOf = (effect: Effect): string =>
  effect.error ? `error ${effect.error.class}` : kindOfEffect(effect)

/** The tapes with one more fault, after the last one. */
function longer({ tape, last }: Node, calls: readonly CallName[], effects: readonly Effect[]) {
  return calls.flatMap((call, position): readonly Node[] => {
    if (position <= last) return []
    const kind = call.target.startsWith('model:') ? 'model' : 'tool'
    const possible = effects.filter(effect => EFFECTS_OF[kind].includes(kindOfEffect(effect)))
    return possible.map(effect => ({
      tape: [...tape, { ...call, at: 0, node: '', fault: `fault-${tape.length + 1}`, effect }],
      last: position,
    }))
  })
}

function note(failures: Map<string, ExploredFailure>, run: SimulatedRun, tape: Tape): void {
  const fingerprint = fingerprintOf(run)
  const {
    because,
    tape: first,
    times,
  } = failures.get(fingerprint) ?? {
    because: run.because,
    tape,
    times: 0,
  }
  failures.set(fingerprint, { fingerprint, because, tape: first, times: times + 1 })
}
