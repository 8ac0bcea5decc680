/** A chart in Graphviz' DOT: states inside clusters, failures dashed, escapes dotted. */
import type { Chart } from '../chart.ts'
import { type Arrow, type Box, type Outline, outlineOf } from './outline.ts'
import { looseEnds, type Connection, connectionsOf } from './connection.ts'

const STYLES: Readonly<Record<Arrow['style'], string>> = {
  outcome: 'style=solid',
  failure: 'style=dashed, color="#b3261e", fontcolor="#b3261e"',
  escape: 'style=dotted, color="#6a3fb5", fontcolor="#6a3fb5", penwidth=1.5',
}

/**
 * @example
 * escapement draw graphs/ring.yaml --as dot | dot -Tsvg > ring.svg
 */
export function drawDot(chart: Chart): string {
  const outline = outlineOf(chart)
  const wires = connectionsOf(outline)
  const loose = looseEnds(wires)
  return [
    `digraph ${quoted(chart.id)} {`,
    '  rankdir=LR; compound=true; fontname="sans-serif"',
    '  node [shape=box, style=rounded, fontname="sans-serif"]; edge [fontname="sans-serif", fontsize=10]',
    ...outline.boxes.flatMap(box => boxLines(outline, loose, box, 1)),
    ...anyLines(loose, outline.root, 1),
    ...startLines(outline),
    ...wires.map(wire => `  ${wireText(outline, wire)}`),
    '}',
    '',
  ].join('\n')
}

function boxLines(
  outline: Outline,
  loose: readonly string[],
  { state, inner }: Box,
  depth: number,
): readonly string[] {
  const name = outline.nameOf(state.id)
  if (inner.length === 0)
    return [
      indented(
        depth,
        `${quoted(state.id)} [label=${quoted(name)}${state.kind === 'final' ? ', peripheries=2' : ''}]`,
      ),
    ]
  const isRegion = state.region === state.id
  return [
    indented(depth, `subgraph ${quoted(clusterOf(state.id))} {`),
    indented(
      depth + 1,
      `label=${quoted(name)}; style=${quoted(isRegion ? 'rounded,dashed' : 'rounded')}`,
    ),
    ...inner.flatMap(box => boxLines(outline, loose, box, depth + 1)),
    ...anyLines(loose, state.id, depth + 1),
    indented(depth, '}'),
  ]
}

function anyLines(loose: readonly string[], box: string, depth: number): readonly string[] {
  return loose.includes(box)
    ? [indented(depth, `${quoted(anyOf(box))} [label="from any state", shape=plaintext]`)]
    : []
}

function startLines({ entered, id, root }: Outline): readonly string[] {
  const start = quoted(`start of ${id}`)
  return [
    `  ${start} [shape=point, label=""]`,
    ...entered(root).map(leaf => `  ${start} -> ${quoted(leaf)}`),
  ]
}

function wireText(
  outline: Outline,
  { source, target, loose, label, style, any }: Connection,
): string {
  const tail = loose ? anyOf(source) : (outline.leavesIn(source)[0] ?? source)
  const head = outline.entered(target)[0] ?? target
  const clusters = [
    ...(loose || tail === source ? [] : [`ltail=${quoted(clusterOf(source))}`]),
    ...(head === target ? [] : [`lhead=${quoted(clusterOf(target))}`]),
  ]
  return `${quoted(tail)} -> ${quoted(head)} [${[`label=${quoted(any ? `${label} (any)` : label)}`, STYLES[style], ...clusters].join(', ')}]`
}

function clusterOf(box: string): string {
  return `cluster_${box}`
}

function anyOf(box: string): string {
  return `any of ${box}`
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}

function indented(depth: number, text: string): string {
  return `${'  '.repeat(depth)}${text}`
}
