/** The boxes and arrows of a chart, with the sizes of their texts. Layouts place them; nothing here knows React. */
import {
  type Box,
  type Connection,
  connectionsOf,
  outlineOf,
} from '../../../src/core/graph/draw/outline.ts'
import type { Chart, ChartState } from '../../../src/core/graph/chart.ts'

/** The role of a state, by which its icon is chosen. */
export type Role =
  | 'model'
  | 'tools'
  | 'person'
  | 'wait'
  | 'check'
  | 'graph'
  | 'end'
  | 'group'
  | 'any'

export interface DiagramNode {
  readonly id: string
  readonly name: string
  readonly kind: ChartState['kind'] | 'mark'
  readonly role: Role
  /** Regions of a parallel state are drawn side by side. */
  readonly parent?: string
  readonly initial: boolean
  readonly width: number
  readonly height: number
  /** The states inside a closed box, which it stands for. */
  readonly inside?: readonly string[]
}

export interface DiagramEdge {
  readonly id: string
  readonly source: string
  readonly target: string
  readonly label: string
  readonly style: Connection['style']
  readonly whenDone: boolean
  /** The ids of the chart edges that it stands for. */
  readonly edges: readonly string[]
  readonly labelWidth: number
}

export interface Diagram {
  readonly nodes: readonly DiagramNode[]
  readonly edges: readonly DiagramEdge[]
  /** Finds the arrow that stands for a taken edge, by the edge and the state it left. */
  readonly arrowOf: (edge: string, from: string) => string | undefined
  /** The box that shows a state: itself, or the closed box around it. */
  readonly shownFor: (state: string) => string
}

/** The width of a text in CSS pixels. */
export type Measure = (text: string, font: 'name' | 'label') => number

export const NODE_HEIGHT = 52
const NODE_MIN = 118
/** Icon, gaps and count beside the name. */
const NODE_EXTRA = 76
const LABEL_HEIGHT = 18
const LABEL_MAX = 150

export function diagramOf(
  chart: Chart,
  measure: Measure,
  roles: ReadonlyMap<string, Role>,
): Diagram {
  const outline = outlineOf(chart)
  const { connections, looseBoxes } = connectionsOf(outline)
  const initials = new Set([
    ...(outline.initial === undefined ? [] : outline.entered(outline.root)),
    ...chart.states.flatMap(({ initial }) => initial ?? []),
  ])
  const nodes: DiagramNode[] = []
  const place = ({ state, inner }: Box, parent: string | undefined) => {
    const { id, kind } = state
    const name = outline.nameOf(id)
    const role = inner.length > 0 ? 'group' : (roles.get(id) ?? roleOf(state))
    const width = Math.max(NODE_MIN, Math.ceil(measure(name, 'name')) + NODE_EXTRA)
    const size = { width, height: NODE_HEIGHT }
    const base = { id, name, kind, role, initial: initials.has(id), ...size }
    nodes.push({ ...base, ...(parent !== undefined && { parent }) })
    for (const each of inner) place(each, id)
    if (looseBoxes.includes(id)) nodes.push(anyMark(id, measure))
  }
  for (const box of outline.boxes) place(box, undefined)
  if (looseBoxes.includes(outline.root)) nodes.push(anyMark(undefined, measure))
  const edges = connections.map((connection, index) =>
    edgeOf(connection, index, outline.root, measure),
  )
  return { nodes, edges, arrowOf: arrowFinder(edges, outline.leavesIn), shownFor: id => id }
}

/** The mark from which arrows start that leave any state of a box. */
function anyMark(box: string | undefined, measure: Measure): DiagramNode {
  const name = 'any state'
  const width = Math.ceil(measure(name, 'label')) + 20
  return {
    ...{ id: anyOf(box), name, kind: 'mark', role: 'any', initial: false, width, height: 22 },
    ...(box !== undefined && { parent: box }),
  }
}

const anyOf = (box: string | undefined): string => `any ${box ?? ''}`

function edgeOf(of: Connection, index: number, root: string, measure: Measure): DiagramEdge {
  const { source, target, label, style, whenDone, edges, loose } = of
  const box = source === root ? undefined : source
  // The dashes of the arrow say that it is an escape.
  const name = label.replace(/^escape (?=.)/, '')
  const text = name.length > 28 ? `${name.slice(0, 27)}…` : name
  return {
    ...{ id: `${index} ${source} ${target}`, source: loose ? anyOf(box) : source, target },
    ...{ label: text, style, whenDone, edges },
    labelWidth: Math.min(LABEL_MAX, Math.ceil(measure(text, 'label')) + 26),
  }
}

/** Of several arrows for one edge, the one whose source is the state, or holds it. */
function arrowFinder(
  edges: readonly DiagramEdge[],
  leavesIn: (state: string) => readonly string[],
): Diagram['arrowOf'] {
  const byEdge = new Map<string, DiagramEdge[]>()
  for (const arrow of edges)
    for (const id of arrow.edges) byEdge.set(id, [...(byEdge.get(id) ?? []), arrow])
  return (edge, from) => {
    const arrows = byEdge.get(edge) ?? []
    const exact = arrows.find(({ source }) => source === from)
    const around = arrows.find(({ source }) => leavesIn(source).includes(from))
    return (exact ?? around ?? arrows[0])?.id
  }
}

function roleOf({ kind, effects }: ChartState): Role {
  if (kind === 'final') return 'end'
  const [effect] = effects
  if (effect?.type === 'interrupt') return 'person'
  if (effect?.type === 'wait') return 'wait'
  return 'check'
}

/** The roles of the nodes of a spec, by how each node works. */
export function rolesIn(spec: unknown): ReadonlyMap<string, Role> {
  const { nodes = {} } = (spec ?? {}) as { nodes?: Record<string, { use?: unknown }> }
  const entries = Object.entries(nodes).flatMap(([name, { use }]) => {
    const role = typeof use === 'string' ? ROLE_OF_USE[use] : undefined
    return role ? [[name, role] as const] : []
  })
  return new Map(entries)
}

const ROLE_OF_USE: Readonly<Record<string, Role>> = {
  model: 'model',
  tools: 'tools',
  tool: 'tools',
  human: 'person',
  review: 'person',
  wait: 'wait',
  graph: 'graph',
  map: 'graph',
  pass: 'check',
}

export const LABEL_SIZE = { height: LABEL_HEIGHT }
