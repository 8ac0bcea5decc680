/** The layout of ELK, in a worker that is loaded when it is needed. https://eclipse.dev/elk */
import ELK, { type ElkExtendedEdge, type ElkNode } from 'elkjs/lib/elk-api.js'
import workerUrl from 'elkjs/lib/elk-worker.min.js?url'
import { type Diagram, type DiagramNode, LABEL_SIZE } from './diagram.ts'
import { type Direction, PADDING, type Placed, type Rectangle, type Route, TITLE } from './place.ts'

/** After this time the quick layout stays. Layouts of dense graphs can take minutes. */
const TIMEOUT_MS = 3_000

/** Options that every box needs for its own layers. */
const LAYERS = {
  // The order of the states in the spec is the order in which people read them.
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
  'elk.layered.considerModelOrder.strategy': 'PREFER_NODES',
  'elk.layered.feedbackEdges': 'true',
}

const OPTIONS = {
  ...LAYERS,
  'elk.algorithm': 'layered',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.json.edgeCoords': 'ROOT',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.layered.spacing.nodeNodeBetweenLayers': '56',
  'elk.layered.spacing.edgeNodeBetweenLayers': '24',
  'elk.spacing.nodeNode': '36',
  'elk.spacing.edgeNode': '20',
  'elk.spacing.edgeEdge': '14',
  'elk.spacing.edgeLabel': '4',
  'elk.edgeLabels.inline': 'true',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
}

/** @throws Error if ELK fails or takes too long */
export async function elkLayout(diagram: Diagram, direction: Direction): Promise<Placed> {
  const elk = new ELK({ workerFactory: () => new Worker(workerUrl) })
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error('layout timeout')), TIMEOUT_MS)
  try {
    const graph = graphOf(diagram, direction)
    return placedIn(await Promise.race([elk.layout(graph), timeout.promise]))
  } finally {
    clearTimeout(timer)
    elk.terminateWorker()
  }
}

function graphOf({ nodes, edges }: Diagram, direction: Direction): ElkNode {
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

function placedIn(root: ElkNode): Placed {
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
