/** A chart in Graphviz' DOT: states inside clusters, failures dashed, escapes dotted. */
import type { Chart } from '../chart.ts'
import type { Arrow, Box, Connection } from './outline.ts'
import { connectionsOf, indent, outlineOf } from './outline.ts'

const STYLES: Readonly<Record<Arrow['style'], string>> = {
  outcome: 'style=solid',
  failure: 'style=dashed, color="#b3261e", fontcolor="#b3261e"',
  escape: 'style=dotted, color="#6a3fb5", fontcolor="#6a3fb5", penwidth=1.5',
}

/**
 * @example escapement draw graphs/ring.yaml --as dot | dot -Tsvg > ring.svg
 */
export function drawDot(chart: Chart): string {
  const outline = outlineOf(chart)
  const { boxes, root, entered, leavesIn, nameOf } = outline
  const { connections, looseBoxes } = connectionsOf(outline)
  const start = quoted(`start of ${outline.id}`)
  return [
    `digraph ${quoted(chart.id)} {`,
    '  rankdir=LR; compound=true; fontname="sans-serif"',
    '  node [shape=box, style=rounded, fontname="sans-serif"]; edge [fontname="sans-serif", fontsize=10]',
    ...boxes.flatMap(box => boxLines(box, 1)),
    ...anyLines(root, 1),
    `  ${start} [shape=point, label=""]`,
    ...entered(root).map(leaf => `  ${start} -> ${quoted(leaf)}`),
    ...connections.map(connection => `  ${connectionText(connection)}`),
    '}',
    '',
  ].join('\n')

  function boxLines({ state, inner }: Box, depth: number): readonly string[] {
    const label = `label=${quoted(nameOf(state.id))}`
    if (inner.length === 0) {
      const end = state.kind === 'final' ? ', peripheries=2' : ''
      return [indent(depth, `${quoted(state.id)} [${label}${end}]`)]
    }
    const style = state.region === state.id ? 'rounded,dashed' : 'rounded'
    return [
      indent(depth, `subgraph ${clusterOf(state.id)} {`),
      indent(depth + 1, `${label}; style=${quoted(style)}`),
      ...inner.flatMap(box => boxLines(box, depth + 1)),
      ...anyLines(state.id, depth + 1),
      indent(depth, '}'),
    ]
  }

  function anyLines(box: string, depth: number): readonly string[] {
    if (!looseBoxes.includes(box)) return []
    return [indent(depth, `${quoted(anyOf(box))} [label="from any state", shape=plaintext]`)]
  }

  function connectionText({ source, target, loose, label, style, any }: Connection): string {
    const tail = loose ? anyOf(source) : (leavesIn(source)[0] ?? source)
    const head = entered(target)[0] ?? target
    const settings = [
      `label=${quoted(any ? `${label} (any)` : label)}`,
      STYLES[style],
      ...(loose || tail === source ? [] : [`ltail=${clusterOf(source)}`]),
      ...(head === target ? [] : [`lhead=${clusterOf(target)}`]),
    ]
    return `${quoted(tail)} -> ${quoted(head)} [${settings.join(', ')}]`
  }
}

const clusterOf = (box: string) => quoted(`cluster_${box}`)
const anyOf = (box: string) => `any of ${box}`
const quoted = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`
