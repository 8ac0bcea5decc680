/** A chart as plain text: for the terminal, for diffs, and for whoever wants to see at a glance how a cycle runs and how it is left. */
import type { Chart, ChartState } from '../chart.ts'
import { lapsOf } from './lap.ts'
import { type Arrow, type Box, type Outline, outlineOf } from './outline.ts'

const LINES: Readonly<Record<Arrow['style'], readonly [before: string, after: string]>> = {
  outcome: ['──', '──▶'],
  failure: ['··', '··▶'],
  escape: ['~~', '~~▶'],
}

/**
 * States stand inside their states, by indentation; then every cycle, and all ways out of it.
 *
 * `──done──▶` the work's outcome · `··error.transient··▶` a failure · `~~escape stop~~▶` the escape mechanism
 */
export function drawText(chart: Chart): string {
  const outline = outlineOf(chart)
  const states = outline.boxes.flatMap(box => boxLines(outline, box, 0))
  const own = arrowLines(outline, outline.root, 0)
  return [...header(outline), '', ...states, ...own, ...lapLines(outline), ''].join('\n')
}

function header({ id, initial, nameOf }: Outline): readonly string[] {
  return [initial === undefined ? `${id}: all at once` : `${id}: starts in ${nameOf(initial)}`]
}

function boxLines(outline: Outline, { state, inner }: Box, depth: number): readonly string[] {
  const remarks = remarksOf(outline, state)
  const arrows = outline.arrows.some(({ source }) => source === state.id)
  const head = inner.length > 0 || remarks.length > 0 || !arrows
  const below = head ? depth + 1 : depth
  return [
    ...(head
      ? [indented(depth, [outline.nameOf(state.id), remarks.join(', ')].filter(Boolean).join(': '))]
      : []),
    ...inner.flatMap(box => boxLines(outline, box, below)),
    ...arrowLines(outline, state.id, below),
  ]
}

function remarksOf(
  outline: Outline,
  { id, kind, initial, region, tags, effects }: ChartState,
): readonly string[] {
  return [
    ...(region === id ? ['region'] : []),
    ...(kind === 'final' ? ['final'] : kind === 'parallel' ? ['all at once'] : []),
    ...(initial === undefined ? [] : [`starts in ${outline.nameOf(initial)}`]),
    ...tags,
    ...effects.flatMap(({ type, node }) => {
      if (type === 'wait') return ['waits']
      if (type === 'interrupt') return ['asks a person']
      return node === id || node === outline.nameOf(id) ? [] : [`invokes ${node}`]
    }),
  ]
}

function arrowLines(outline: Outline, source: string, depth: number): readonly string[] {
  return outline.arrows
    .filter(arrow => arrow.source === source)
    .map(arrow => indented(depth, arrowText(outline, arrow)))
}

function arrowText({ nameOf }: Outline, { source, target, any, ...arrow }: Arrow): string {
  return `${nameOf(source)} ${line(arrow)} ${any ? 'any state of ' : ''}${nameOf(target)}`
}

function line({ label, style }: Pick<Arrow, 'label' | 'style'>): string {
  const [before, after] = LINES[style]
  return `${before}${label}${after}`
}

function lapLines(outline: Outline): readonly string[] {
  return lapsOf(outline).flatMap(({ ways, exits }) => [
    '',
    ...ways.map(
      (way, index) =>
        `${index === 0 ? 'cycle' : '     '} ${outline.nameOf(way[0]?.source ?? '')} ${way.map(step => `${line(step)} ${outline.nameOf(step.target)}`).join(' ')}`,
    ),
    ...(exits.length === 0
      ? [indented(1, 'is never left')]
      : [indented(1, 'is left by'), ...exits.map(exit => indented(2, arrowText(outline, exit)))]),
  ])
}

function indented(depth: number, text: string): string {
  return `${'  '.repeat(depth)}${text}`
}
