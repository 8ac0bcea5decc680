/** A diagram in the terms of ELK, and its answer in ours. */
import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js'
import { type Diagram, type DiagramNode, LABEL_SIZE } from './diagram.ts'
import { type Direction, PADDING, type Placed, type Rectangle, type Route, TITLE } from './place.ts'

/** Options that every box needs for its own layers. The order of a walk is the order in which people read a cycle. */
const LAYERS = { 'elk.layered.cycleBreaking.strategy': 'DEPTH_FIRST' }

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

export function elkGraphOf({ nodes, edges }: Diagram, direction: Direction): ElkNode {
  const children = Map.groupBy(nodes, ({ parent }) => parent)
  const nodeOf = (node: DiagramNode): ElkNode => {
    const inner = children.get(node.id)
    if (!inner) return { id: node.id, width: node.width, height: node.height }
    const padding = `[top=${TITLE},left=${PADDING},bottom=${PADDING},right=${PADDING}]`
    return {
      id: node.id,
      layoutOptions: {
        ...LAYERS,
        'elk.padding': padding,
        'elk.nodeSize.constraints': 'MINIMUM_SIZE',
        'elk.nodeSize.minimum': `(${node.width},${node.height})`,
      },
      children: inner.map(nodeOf),
    }
  }
  return {
    id: 'root',
    layoutOptions: { ...OPTIONS, 'elk.direction': direction === 'down' ? 'DOWN' : 'RIGHT' },
    children: (children.get(undefined) ?? []).map(nodeOf),
    edges: edges.map(({ id, source, target, label, labelWidth }) => ({
      id,
      sources: [source],
      targets: [target],
      labels: [{ text: label, width: labelWidth, ...LABEL_SIZE }],
    })),
  }
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
