/** The cycles of a chart, and every arrow that leaves them. */
import { cyclesIn, type Pair, roundTrip } from '../spec/cycle.ts'
import type { Arrow, Box, Outline } from './outline.ts'

export interface Lap {
  /** Short round trips that together visit every state of the cycle. Each arrow starts at the state that takes it. */
  readonly rounds: readonly (readonly Arrow[])[]
  readonly exits: readonly Arrow[]
}

/** The cycles without escapes: an escape is an exit. */
export function lapsOf(outline: Outline): readonly Lap[] {
  const ends = new Set(finalsIn(outline.boxes))
  const steps = outline.arrows
    .filter(({ style }) => style !== 'escape')
    .flatMap(arrow => stepsOf(outline, arrow, ends))
  return cyclesIn(outline.leavesIn(outline.root), steps.map(pairOf)).map(cycle => {
    const members = new Set(cycle)
    const inside = steps.filter(({ source, target }) => members.has(source) && members.has(target))
    const exits = outline.arrows.filter(
      arrow => !arrow.whenDone && isLeaving(outline, arrow, members),
    )
    // First those that the members name, in their order; then those of the states around them.
    const place = ({ source }: Arrow) =>
      members.has(source) ? cycle.indexOf(source) : cycle.length
    return {
      rounds: roundsThrough(cycle, inside),
      exits: exits.toSorted((a, b) => place(a) - place(b)),
    }
  })
}

function pairOf({ source, target }: Arrow): Pair {
  return [source, target]
}

function finalsIn(boxes: readonly Box[]): readonly string[] {
  return boxes.flatMap(({ state, inner }) =>
    state.kind === 'final' ? [state.id] : finalsIn(inner),
  )
}

/** An arrow between states without children. Only an arrow that is taken when everything has ended starts at an end. */
function stepsOf(outline: Outline, arrow: Arrow, ends: ReadonlySet<string>): readonly Arrow[] {
  const targets = targetsOf(outline, arrow)
  const sources = outline.leavesIn(arrow.source).filter(leaf => ends.has(leaf) === arrow.whenDone)
  return sources.flatMap(source => targets.map(target => ({ ...arrow, source, target })))
}

function targetsOf({ leavesIn, entered }: Outline, { target, any }: Arrow): readonly string[] {
  return any ? leavesIn(target) : entered(target)
}

function roundsThrough(cycle: readonly string[], steps: readonly Arrow[]): Lap['rounds'] {
  const pairs = steps.map(pairOf)
  const shown = new Set<string>()
  const rounds: (readonly string[])[] = []
  for (const start of cycle) {
    if (shown.has(start)) continue
    const round = roundTrip(start, pairs)
    for (const name of round) shown.add(name)
    if (round.length > 0) rounds.push(round)
  }
  const loops = new Set(rounds.filter(({ length }) => length === 2).map(([name]) => name))
  const looping = new Set(
    pairs.filter(([source, target]) => source === target).map(([name]) => name),
  )
  const others = cycle.filter(name => looping.has(name) && !loops.has(name))
  return [...rounds, ...others.map(name => [name, name])].map(round =>
    round.slice(1).map((target, index) => stepBetween(steps, round[index] ?? '', target)),
  )
}

function stepBetween(steps: readonly Arrow[], source: string, target: string): Arrow {
  const alike = steps.filter(arrow => arrow.source === source && arrow.target === target)
  return { ...(alike[0] as Arrow), label: alike.map(({ label }) => label).join(', ') }
}

function isLeaving(outline: Outline, arrow: Arrow, members: ReadonlySet<string>): boolean {
  return (
    outline.leavesIn(arrow.source).some(leaf => members.has(leaf)) &&
    !targetsOf(outline, arrow).some(leaf => members.has(leaf))
  )
}
