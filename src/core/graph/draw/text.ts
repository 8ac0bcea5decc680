/** A chart as plain text for terminals and diffs: every state, then every cycle with its exits. */
import type { Chart, ChartState } from '../chart.ts'
import { lapsOf } from './lap.ts'
import { type Arrow, type Box, indent, type Outline, outlineOf } from './outline.ts'

const LINES: Readonly<Record<Arrow['style'], readonly [before: string, after: string]>> = {
  outcome: ['──', '──▶'],
  failure: ['··', '··▶'],
  escape: ['~~', '~~▶'],
}

/**
 * States are nested by indentation; then follow all cycles and their exits.
 *
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
  const hasArrows = outline.arrows.some(({ source }) => source === state.id)
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
  return outline.arrows
    .filter(arrow => arrow.source === source)
    .map(arrow => indent(depth, arrowText(outline, arrow)))
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
