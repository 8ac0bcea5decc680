/** A diagram in the terms of ELK, and its answer in ours. */
import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js'
import { type Diagram, type DiagramEdge, type DiagramNode, LABEL_SIZE } from './diagram.ts'
import { quickLayout, wrappedLayers } from './quick.ts'
import { type Direction, PADDING, type Placed, type Rectangle, type Route, TITLE } from './place.ts'

/** The layers of the quick layout stay: it ignores escapes, which would put every way out behind the work it leaves, in one long line. */
const LAYERS = {
  'elk.layered.cycleBreaking.strategy': 'INTERACTIVE',
  'elk.layered.layering.strategy': 'INTERACTIVE',
}

/** A chain of many layers continues on the next line. */
const WRAPPED = {
  'elk.layered.cycleBreaking.strategy': 'DEPTH_FIRST',
  'elk.layered.layering.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.wrapping.strategy': 'MULTI_EDGE',
  'elk.layered.wrapping.additionalEdgeSpacing': '20',
}

/** Width to height of a box whose layers are wrapped. */
const RATIO = { right: '1.8', down: '0.7' }

const OPTIONS = {
  ...LAYERS,
  'elk.algorithm': 'layered',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.json.edgeCoords': 'ROOT',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.layered.spacing.nodeNodeBetweenLayers': '30',
  'elk.layered.spacing.edgeNodeBetweenLayers': '14',
  'elk.spacing.nodeNode': '36',
  'elk.spacing.edgeNode': '20',
  'elk.spacing.edgeEdge': '14',
  'elk.spacing.edgeLabel': '4',
  'elk.edgeLabels.inline': 'true',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
}

export function elkGraphOf(diagram: Diagram, direction: Direction): ElkNode {
  const { nodes, edges } = diagram
  const children = Map.groupBy(nodes, ({ parent }) => parent)
  const wrapped = wrappedLayers(diagram)
  const quick = quickLayout(diagram, direction)
  const placeOf = ({ id, parent }: DiagramNode) => {
    const [box, outer] = [quick.boxes.get(id), quick.boxes.get(parent ?? '')]
    return { x: (box?.x ?? 0) - (outer?.x ?? 0), y: (box?.y ?? 0) - (outer?.y ?? 0) }
  }
  const linesIn = (box: string | undefined) =>
    wrapped.has(box) ? { ...WRAPPED, 'elk.aspectRatio': RATIO[direction] } : {}
  const nodeOf = (node: DiagramNode): ElkNode => {
    const inner = children.get(node.id)
    if (!inner) return { id: node.id, ...placeOf(node), width: node.width, height: node.height }
    const padding = `[top=${TITLE},left=${PADDING},bottom=${PADDING},right=${PADDING}]`
    return {
      id: node.id,
      ...placeOf(node),
      layoutOptions: {
        ...LAYERS,
        ...linesIn(node.id),
        'elk.padding': padding,
        'elk.nodeSize.constraints': 'MINIMUM_SIZE',
        'elk.nodeSize.minimum': `(${node.width},${node.height})`,
      },
      children: inner.map(nodeOf),
    }
  }
  return {
    id: 'root',
    layoutOptions: {
      ...OPTIONS,
      ...linesIn(undefined),
      'elk.direction': direction === 'down' ? 'DOWN' : 'RIGHT',
    },
    children: (children.get(undefined) ?? []).map(nodeOf),
    edges: edges.map(edge => {
      const { id, source, target, label, labelWidth } = edge
      const labels = [{ text: label, width: labelWidth, ...LABEL_SIZE }]
      // ELK loses the route of a labeled arrow that leads back between lines. Its label stands in the middle of the route.
      const isBack = [...wrapped.values()].some(layers => leadsBack(edge, layers))
      return { id, sources: [source], targets: [target], ...(!isBack && { labels }) }
    }),
  }
}

function leadsBack({ source, target }: DiagramEdge, layers: ReadonlyMap<string, number>): boolean {
  const [from, to] = [layers.get(source), layers.get(target)]
  return from !== undefined && to !== undefined && to <= from
}

export function placedIn(root: ElkNode): Placed {
  const boxes = new Map<string, Rectangle>()
  const put = (node: ElkNode, left: number, top: number) => {
    const { id, x = 0, y = 0, width = 0, height = 0, children = [] } = node
    if (id !== 'root') boxes.set(id, { x: left + x, y: top + y, width, height })
    for (const child of children) put(child, left + x, top + y)
  }
  put(root, 0, 0)
  const routes = new Map<string, Route>()
  for (const edge of root.edges ?? []) {
    const route = routeOf(edge)
    if (route) routes.set(edge.id, route)
  }
  return { boxes, routes, width: root.width ?? 0, height: root.height ?? 0 }
}

function routeOf({ sections, labels }: ElkExtendedEdge): Route | undefined {
  const [section] = sections ?? []
  if (!section) return undefined
  const { startPoint, bendPoints = [], endPoint } = section
  const points = [startPoint, ...bendPoints, endPoint]
  const [label] = labels ?? []
  const middle = points[Math.floor(points.length / 2)] ?? startPoint
  const center =
    label?.x === undefined || label.y === undefined
      ? middle
      : { x: label.x + (label.width ?? 0) / 2, y: label.y + (label.height ?? 0) / 2 }
  return { points, label: center }
}
