/** A chart as plain text for terminals and diffs: every state, then every cycle with its exits. */
import type { Chart, ChartState } from '../chart.ts'
import { cyclesIn, type Pair, roundTrip } from '../spec/cycle.ts'
import { type Arrow, type Box, idsIn, indent, type Outline, outlineOf } from './outline.ts'

const LINES: Readonly<Record<Arrow['style'], readonly [before: string, after: string]>> = {
  outcome: ['──', '──▶'],
  failure: ['··', '··▶'],
  escape: ['~~', '~~▶'],
}

/**
 * States are nested by indentation; then follow all cycles and their exits.
 * `──done──▶` an outcome · `··error.transient··▶` a failure · `~~escape stop~~▶` an escape
 */
export function drawText(chart: Chart): string {
  const outline = outlineOf(chart)
  const { id, initial, nameOf, boxes, root } = outline
  return [
    initial === undefined ? `${id}: all at once` : `${id}: starts in ${nameOf(initial)}`,
    '',
    ...boxes.flatMap(box => boxLines(outline, box, 0)),
    ...arrowLines(outline, root, 0),
    ...lapLines(outline),
    '',
  ].join('\n')
}

function boxLines(outline: Outline, { state, inner }: Box, depth: number): readonly string[] {
  const remarks = remarksOf(outline, state)
  const hasArrows = outline.arrowsFrom(state.id).length > 0
  const hasHead = inner.length > 0 || remarks.length > 0 || !hasArrows
  const head = [outline.nameOf(state.id), remarks.join(', ')].filter(Boolean).join(': ')
  const below = hasHead ? depth + 1 : depth
  return [
    ...(hasHead ? [indent(depth, head)] : []),
    ...inner.flatMap(box => boxLines(outline, box, below)),
    ...arrowLines(outline, state.id, below),
  ]
}

function remarksOf({ nameOf }: Outline, state: ChartState): readonly string[] {
  const { id, kind, initial, region, tags, effects } = state
  return [
    ...(region === id ? ['region'] : []),
    ...(kind === 'final' ? ['final'] : []),
    ...(kind === 'parallel' ? ['all at once'] : []),
    ...(initial === undefined ? [] : [`starts in ${nameOf(initial)}`]),
    ...tags,
    ...effects.flatMap(({ type, node }) => {
      if (type === 'wait') return ['waits']
      if (type === 'interrupt') return ['asks a person']
      return node === id || node === nameOf(id) ? [] : [`invokes ${node}`]
    }),
  ]
}

function arrowLines(outline: Outline, source: string, depth: number): readonly string[] {
  return outline.arrowsFrom(source).map(arrow => indent(depth, arrowText(outline, arrow)))
}

function arrowText({ nameOf }: Outline, arrow: Arrow): string {
  const { source, target, any } = arrow
  return `${nameOf(source)} ${lineOf(arrow)} ${any ? 'any state of ' : ''}${nameOf(target)}`
}

function lineOf({ label, style }: Arrow): string {
  const [before, after] = LINES[style]
  return `${before}${label}${after}`
}

function lapLines(outline: Outline): readonly string[] {
  const { nameOf } = outline
  return lapsOf(outline).flatMap(({ rounds, exits }) => [
    '',
    ...rounds.map((round, index) => {
      const steps = round.map(arrow => `${lineOf(arrow)} ${nameOf(arrow.target)}`).join(' ')
      return `${index === 0 ? 'cycle' : '     '} ${nameOf(round[0]?.source ?? '')} ${steps}`
    }),
    indent(1, exits.length === 0 ? 'is never left' : 'is left by'),
    ...exits.map(exit => indent(2, arrowText(outline, exit))),
  ])
}

export interface Lap {
  /** Short round trips that together visit every state of the cycle. Each arrow starts at the state that takes it. */
  readonly rounds: readonly (readonly Arrow[])[]
  readonly exits: readonly Arrow[]
}

/** The cycles without escapes: an escape is an exit. */
export function lapsOf(outline: Outline): readonly Lap[] {
  const ends = new Set(idsIn(outline.boxes, 'final'))
  const steps = outline.arrows
    .filter(({ style }) => style !== 'escape')
    .flatMap(arrow => stepsOf(outline, arrow, ends))
  return cyclesIn(outline.leavesIn(outline.root), steps.map(pairOf)).map(cycle => {
    const members = new Set(cycle)
    const inside = steps.filter(({ source, target }) => members.has(source) && members.has(target))
    // First those that the members name, in their order; then those of the states around them.
    const place = ({ source }: Arrow) =>
      members.has(source) ? cycle.indexOf(source) : cycle.length
    const exits = outline.arrows
      .filter(arrow => !arrow.whenDone && isLeaving(outline, arrow, members))
      .toSorted((a, b) => place(a) - place(b))
    return { rounds: roundsThrough(cycle, inside), exits }
  })
}

const pairOf = ({ source, target }: Arrow): Pair => [source, target]

/** An arrow between states without children. Only an arrow that is taken when everything has ended starts at an end. */
function stepsOf(outline: Outline, arrow: Arrow, ends: ReadonlySet<string>): readonly Arrow[] {
  const targets = targetsOf(outline, arrow)
  const sources = outline.leavesIn(arrow.source).filter(leaf => ends.has(leaf) === arrow.whenDone)
  return sources.flatMap(source => targets.map(target => ({ ...arrow, source, target })))
}

const targetsOf = ({ leavesIn, entered }: Outline, { target, any }: Arrow): readonly string[] =>
  any ? leavesIn(target) : entered(target)

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
  const looping = new Set(pairs.flatMap(([from, to]) => (from === to ? [from] : [])))
  const others = cycle.filter(name => looping.has(name) && !loops.has(name))
  const bySource = Map.groupBy(steps, ({ source }) => source)
  const stepsFrom = (source = '') => bySource.get(source) ?? []
  return [...rounds, ...others.map(name => [name, name])].map(round =>
    round.slice(1).map((target, index) => stepTo(target, stepsFrom(round[index]))),
  )
}

/** The steps from one state to this one, as one. */
function stepTo(target: string, steps: readonly Arrow[]): Arrow {
  const alike = steps.filter(arrow => arrow.target === target)
  return { ...(alike[0] as Arrow), label: alike.map(({ label }) => label).join(', ') }
}

function isLeaving(outline: Outline, arrow: Arrow, members: ReadonlySet<string>): boolean {
  const startsInside = outline.leavesIn(arrow.source).some(leaf => members.has(leaf))
  return startsInside && !targetsOf(outline, arrow).some(leaf => members.has(leaf))
}
