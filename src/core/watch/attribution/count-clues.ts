/** Clues in counters: a write that took effect twice counts twice. */
import type { Attribution } from './fault.ts'
import { answersIn, clue } from './clues.ts'
import { type Answered, fieldsOf, type Step } from './step.ts'

/** A counter in the answers of a write that advances by two at once: the reply to the first delivery counts one. */
export function countClues(steps: readonly Step[]): readonly Attribution[] {
  // A call that failed may have counted, too.
  if (steps.some(({ step }) => step === 'failed' || step === 'restarted')) return []
  const answers = answersIn(steps)
  const neighbors = new Map<Answered, Neighbors>()
  for (const group of Map.groupBy(answers, ({ subject }) => subject).values())
    for (const [of, found] of neighborsIn(group)) neighbors.set(of, found)
  return answers.flatMap(of => {
    if (!of.writes) return []
    const { before, next } = neighbors.get(of) ?? {}
    return countsTwice(of, before, next) ? [clue('duplicate', before ?? of, 0.7)] : []
  })
}

function countsTwice(
  of: Answered,
  before: Answered | undefined,
  next: Answered | undefined,
): boolean {
  const starts = before && fieldsOf(before.value)
  const afters = next && fieldsOf(next.value)
  return [...fieldsOf(of.value)].some(([path, count]) => {
    const start = starts ? starts.get(path) : 0
    if (typeof start !== 'number' || count !== start + 2) return false
    // A single wrong number does not carry on.
    const isCarriedOn = !afters || afters.get(path) === count + 1
    return isCarriedOn && /count|change|version|orders|total|number/i.test(path)
  })
}

/** Beside one answer of a tool: the second to last answer to a call that was not made later, and the first to one that was. */
interface Neighbors {
  readonly before?: Answered
  readonly next?: Answered
}

interface Placed {
  readonly place: number
  readonly of: Answered
}

/** Answers arrive in any order: those of calls in parallel may overtake each other. */
function neighborsIn(group: readonly Answered[]): ReadonlyMap<Answered, Neighbors> {
  const calls = group
    .map((of, place): Placed => ({ place, of }))
    .sort((one, other) => one.of.seq - other.of.seq)
  const nexts = firstBehind(calls)
  const neighbors = new Map<Answered, Neighbors>()
  let latest: readonly Placed[] = []
  let at = 0
  while (at < calls.length) {
    const start = at
    const seq = calls[at]?.of.seq
    for (; at < calls.length && calls[at]?.of.seq === seq; at++)
      latest = latestTwo(latest, calls[at] as Placed)
    const [before] = latest.length === 2 ? latest : []
    const next = nexts[at]
    for (const { of } of calls.slice(start, at))
      neighbors.set(of, { ...(before && { before: before.of }), ...(next && { next: next.of }) })
  }
  return neighbors
}

const latestTwo = (latest: readonly Placed[], call: Placed): readonly Placed[] =>
  [...latest, call].sort((one, other) => one.place - other.place).slice(-2)

/** For each place in the order of the calls: which of the answers from there on arrived first. */
function firstBehind(calls: readonly Placed[]): readonly (Placed | undefined)[] {
  const firsts: (Placed | undefined)[] = new Array(calls.length + 1).fill(undefined)
  for (let at = calls.length - 1; at >= 0; at--) {
    const [call, behind] = [calls[at] as Placed, firsts[at + 1]]
    firsts[at] = behind && behind.place < call.place ? behind : call
  }
  return firsts
}
