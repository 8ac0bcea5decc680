/** Walks: how much a walk through a graph can gather on its way, and which lap gathers the most. */

export interface WeightedGraph {
  /** Where each place leads. */
  readonly next: ReadonlyMap<string, readonly string[]>
  /** What each place gives every time it is passed. */
  readonly gives: (place: string) => number
  /** The steps a place takes; places without any are only ways to others. */
  readonly steps: (place: string) => number
}

export interface MaxRatio {
  /** The most a step gives in the long run; 0 where no lap gives anything. */
  readonly rate: number
  /** The lap that gives it; empty if there is none. */
  readonly lap: readonly string[]
  /** The most a walk that begins at a place gives beyond its steps at that rate. */
  readonly beyond: (place: string) => number
}

/** Shares of a unit that are the same for a computer. */
const NEARLY = 1e-9

/**
 * Intuition: whoever wants much goes round the lap that gives most a step; all other laps only hold up. What a walk gives is
 * that rate for each of its steps, and no more than a fixed sum on top for where it begins and ends.
 *
 * Starts at a rate of 0 and, as long as some lap gives more than the rate, takes the rate of that lap (the parametric way to a
 * maximum ratio cycle). Each round is a Bellman-Ford of cost places × edges, and every rate is that of another lap: it ends.
 */
export function maxRatioCycle(ground: WeightedGraph): MaxRatio {
  let rate = 0
  let lap: readonly string[] = []
  for (;;) {
    const { best, walk } = longestWalk(ground, rate)
    const better = walk && betterCycle(ground, walk, rate)
    if (!better) return { rate, lap, beyond: place => best.get(place) ?? 0 }
    rate = rateOf(ground, better)
    lap = better
  }
}

interface LongestWalk {
  readonly best: ReadonlyMap<string, number>
  /** A walk of more places than there are that still gains: it goes round a lap which gives more than the rate. */
  readonly walk?: readonly string[]
}

/** The most that walks from each place give, each step costing `rate`. Places go by their numbers: this is the innermost loop of the bound. */
function longestWalk({ next, gives, steps }: WeightedGraph, rate: number): LongestWalk {
  const places = [...next.keys()]
  const number = new Map(places.map((place, index) => [place, index]))
  const onward = targetsOf(next, number)
  const worth = Float64Array.from(places, place => gives(place) - rate * steps(place))
  let best = worth.slice()
  const rounds: Int32Array[] = []
  for (let length = 1; length <= places.length; length++) {
    const longer = best.slice()
    const ways = new Int32Array(places.length).fill(NOWHERE)
    const dearest = onward.lists.map(targets => bestTarget(targets, best))
    let gained = false
    onward.of.forEach((list, place) => {
      const target = dearest[list] ?? NOWHERE
      if (target === NOWHERE) return
      const sum = (worth[place] ?? 0) + Math.max(0, best[target] ?? 0)
      if (sum <= (best[place] ?? 0) + NEARLY * (1 + Math.abs(sum))) return
      longer[place] = sum
      ways[place] = target
      gained = true
    })
    rounds.push(ways)
    best = longer
    if (!gained) return { best: new Map(places.map((place, index) => [place, best[index] ?? 0])) }
  }
  return {
    best: new Map(places.map((place, index) => [place, best[index] ?? 0])),
    walk: traceWalk(rounds).map(index => places[index] ?? ''),
  }
}

const NOWHERE = -1

interface Targets {
  /** Lists of targets; where all places lead to the same ones, there is one list. */
  readonly lists: readonly (readonly number[])[]
  /** The list of each place. */
  readonly of: readonly number[]
}

function targetsOf(next: WeightedGraph['next'], number: ReadonlyMap<string, number>): Targets {
  const distinct = [...new Set(next.values())]
  const place = new Map(distinct.map((targets, index) => [targets, index]))
  return {
    lists: distinct.map(targets => targets.map(name => number.get(name) ?? NOWHERE)),
    of: [...next.values()].map(targets => place.get(targets) ?? NOWHERE),
  }
}

function bestTarget(targets: readonly number[], best: Float64Array): number {
  let most = NOWHERE
  for (const target of targets)
    if (most === NOWHERE || (best[target] ?? 0) > (best[most] ?? 0)) most = target
  return most
}

/** The walk along the choices, the last round's first: where a place leads was settled in an earlier round than its own gain. */
function traceWalk(rounds: readonly Int32Array[]): readonly number[] {
  let at = rounds.at(-1)?.findIndex(target => target !== NOWHERE) ?? NOWHERE
  const walk = [at]
  for (const ways of rounds.toReversed()) {
    const target = ways[at] ?? NOWHERE
    if (target === NOWHERE) continue
    walk.push(target)
    at = target
  }
  return walk
}

/** Of the laps within a walk, the one that gives most, if it gives more than the rate. */
function betterCycle(
  ground: WeightedGraph,
  walk: readonly string[],
  rate: number,
): readonly string[] | undefined {
  const laps: (readonly string[])[] = []
  const path: string[] = []
  for (const place of walk) {
    const at = path.indexOf(place)
    if (at >= 0) laps.push(path.splice(at))
    path.push(place)
  }
  const [lap] = laps
    .filter(each => rateOf(ground, each) > rate + NEARLY * (1 + rate))
    .toSorted((a, b) => rateOf(ground, b) - rateOf(ground, a))
  return lap
}

function rateOf({ gives, steps }: WeightedGraph, lap: readonly string[]): number {
  const sum = (of: (place: string) => number) => lap.reduce((total, place) => total + of(place), 0)
  return sum(gives) / sum(steps)
}
