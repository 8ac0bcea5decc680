/** The cycles of a chart, and every arrow that leaves them: what a drawing of a graph is looked at for. */
import { cyclesIn, roundTrip } from '../spec/cycle.ts'
import type { Arrow, Box, Outline } from './outline.ts'

export interface Lap {
  /** The shortest ways round that together touch every state of the cycle, each arrow from where it is taken. */
  readonly ways: readonly (readonly Arrow[])[]
  readonly exits: readonly Arrow[]
}

/** A cycle is what goes round by itself: an arrow of the escape mechanism is a way out of it. */
export function lapsOf(outline: Outline): readonly Lap[] {
  const ends = new Set(finalsIn(outline.boxes))
  const steps = outline.arrows.flatMap(arrow =>
    arrow.style === 'escape' ? [] : stepsOf(outline, arrow, ends),
  )
  const pairs = steps.map(({ source, target }) => [source, target] as const)
  return cyclesIn(outline.leavesIn(outline.root), pairs).map(cycle => {
    const members = new Set(cycle)
    const inside = steps.filter(({ source, target }) => members.has(source) && members.has(target))
    return {
      ways: cyclesThrough(cycle, inside),
      exits: nearest(
        cycle,
        outline.arrows.filter(arrow => !arrow.whenDone && leaves(outline, arrow, members)),
      ),
    }
  })
}

function finalsIn(boxes: readonly Box[]): readonly string[] {
  return boxes.flatMap(({ state, inner }) =>
    state.kind === 'final' ? [state.id] : finalsIn(inner),
  )
}

/**
 * The arrow between states without children: from each it may be taken in, to each it enters. From an end nothing leads on,
 * whatever the states around it name, but what is taken when all has ended.
 */
function stepsOf(outline: Outline, arrow: Arrow, ends: ReadonlySet<string>): readonly Arrow[] {
  const targets = targetsOf(outline, arrow)
  const sources = outline.leavesIn(arrow.source).filter(leaf => ends.has(leaf) === arrow.whenDone)
  return sources.flatMap(source => targets.map(target => ({ ...arrow, source, target })))
}

function targetsOf({ leavesIn, entered }: Outline, { target, any }: Arrow): readonly string[] {
  return any ? leavesIn(target) : entered(target)
}

function cyclesThrough(
  cycle: readonly string[],
  steps: readonly Arrow[],
): readonly (readonly Arrow[])[] {
  const pairs = steps.map(({ source, target }) => [source, target] as const)
  const shown = new Set<string>()
  const rounds = cycle.flatMap(start => {
    const round = shown.has(start) ? [] : roundTrip(start, pairs)
    for (const name of round) shown.add(name)
    return round.length === 0 ? [] : [round]
  })
  const drawn = new Set(rounds.filter(({ length }) => length === 2).map(([first]) => first))
  const selves = cycle
    .filter(
      name =>
        !drawn.has(name) && pairs.some(([source, target]) => source === name && target === name),
    )
    .map(name => [name, name])
  return [...rounds, ...selves].map(round =>
    round.slice(1).map((target, index) => step(steps, round[index] ?? '', target)),
  )
}

function step(steps: readonly Arrow[], source: string, target: string): Arrow {
  const alike = steps.filter(arrow => arrow.source === source && arrow.target === target)
  return { ...(alike[0] as Arrow), label: alike.map(({ label }) => label).join(', ') }
}

function leaves(outline: Outline, arrow: Arrow, members: ReadonlySet<string>): boolean {
  return (
    outline.leavesIn(arrow.source).some(leaf => members.has(leaf)) &&
    !targetsOf(outline, arrow).some(leaf => members.has(leaf))
  )
}

/** First what the members themselves name, in their order; then what the states around them do. */
function nearest(cycle: readonly string[], exits: readonly Arrow[]): readonly Arrow[] {
  const place = ({ source }: Arrow) =>
    cycle.includes(source) ? cycle.indexOf(source) : cycle.length
  return exits.toSorted((a, b) => place(a) - place(b))
}
