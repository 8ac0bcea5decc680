/**
 * A layered layout in one pass, for the first paint: boxes of a compound state in layers along its forward arrows, without routes.
 * The layout of ELK replaces it before a run is followed.
 */
import type { Diagram, DiagramNode } from './diagram.ts'
import { type Direction, PADDING, type Placed, type Rectangle, TITLE } from './place.ts'

/** Labels stand in the gaps: beside each other, they need more room. */
const GAP_ALONG = { down: 64, right: 130 }
const GAP_ACROSS = 36
const GAP_LINES = 72

/** More layers than this do not fit a screen at a size that can be read. */
const LAYERS_MAX = 9

const isLong = (layers: number): boolean => layers > LAYERS_MAX

interface Sized {
  readonly node: DiagramNode
  readonly width: number
  readonly height: number
  readonly inner: readonly Offset[]
}

type Offset = Readonly<{ of: Sized; x: number; y: number }>

export function quickLayout(diagram: Diagram, direction: Direction): Placed {
  const children = Map.groupBy(diagram.nodes, ({ parent }) => parent)
  const whole = layers(undefined, { diagram, children, direction })
  const boxes = new Map<string, Rectangle>()
  const put = ({ of, x, y }: Offset, left: number, top: number) => {
    const { width, height } = of
    boxes.set(of.node.id, { x: left + x, y: top + y, width, height })
    for (const inner of of.inner) put(inner, left + x, top + y)
  }
  for (const offset of whole.inner) put(offset, 0, 0)
  return { boxes, routes: new Map(), width: whole.width, height: whole.height }
}

interface Place {
  readonly diagram: Diagram
  readonly children: ReadonlyMap<string | undefined, readonly DiagramNode[]>
  readonly direction: Direction
}

function sizeOf(node: DiagramNode, place: Place): Sized {
  const inner = place.children.get(node.id)
  if (!inner) return { node, width: node.width, height: node.height, inner: [] }
  const { width, height, inner: offsets } = layers(node.id, place)
  const moved = offsets.map(({ of, x, y }) => ({ of, x: x + PADDING, y: y + TITLE }))
  return {
    node,
    width: Math.max(node.width, width + 2 * PADDING),
    height: height + TITLE + PADDING,
    inner: moved,
  }
}

/** Places the boxes inside a box: each in the layer after the last of those that lead to it. */
function layers(parent: string | undefined, place: Place) {
  const nodes = place.children.get(parent) ?? []
  const sized = nodes.map(node => sizeOf(node, place))
  const layerOf = layersOf(nodes, place)
  const columns = Map.groupBy(sized, ({ node }) => layerOf.get(node.id) ?? 0)
  const isDown = place.direction === 'down'
  const along = (of: Sized) => (isDown ? of.height : of.width)
  const across = (of: Sized) => (isDown ? of.width : of.height)
  const ordered = [...columns].toSorted(([a], [b]) => a - b).map(([, column]) => column)
  const breadth = (column: readonly Sized[]) =>
    column.reduce((sum, of) => sum + across(of), 0) + GAP_ACROSS * (column.length - 1)
  const inner: Offset[] = []
  let [length, top] = [0, 0]
  for (const line of linesOf(ordered)) {
    const widest = Math.max(0, ...line.map(breadth))
    let start = 0
    for (const column of line) {
      let side = top + (widest - breadth(column)) / 2
      for (const of of column) {
        inner.push(isDown ? { of, x: side, y: start } : { of, x: start, y: side })
        side += across(of) + GAP_ACROSS
      }
      start += Math.max(...column.map(along)) + GAP_ALONG[place.direction]
    }
    length = Math.max(length, start - GAP_ALONG[place.direction])
    top += widest + GAP_LINES
  }
  const breadths = Math.max(0, top - GAP_LINES)
  return isDown
    ? { width: breadths, height: length, inner }
    : { width: length, height: breadths, inner }
}

/** The layers of a box in lines, as the words of a paragraph: a long chain would be an unreadable strip. */
function linesOf<T>(layers: readonly T[]): readonly (readonly T[])[] {
  if (!isLong(layers.length)) return [layers]
  const length = Math.ceil(Math.sqrt(layers.length))
  return Array.from({ length: Math.ceil(layers.length / length) }, (_, line) =>
    layers.slice(line * length, (line + 1) * length),
  )
}

/** The layer of each state in the boxes whose layers are wrapped: `undefined` is the whole diagram. */
export function wrappedLayers(
  diagram: Diagram,
): ReadonlyMap<string | undefined, ReadonlyMap<string, number>> {
  const children = Map.groupBy(diagram.nodes, ({ parent }) => parent)
  const all = [...children].map(
    ([box, nodes]) => [box, layersOf(nodes, { diagram, children })] as const,
  )
  return new Map(all.filter(([, layers]) => isLong(new Set(layers.values()).size)))
}

function layersOf(
  nodes: readonly DiagramNode[],
  { diagram, children }: Pick<Place, 'diagram' | 'children'>,
) {
  const owner = new Map<string, string>()
  const claim = (id: string, top: string) => {
    owner.set(id, top)
    for (const child of children.get(id) ?? []) claim(child.id, top)
  }
  for (const { id } of nodes) claim(id, id)
  const next = new Map<string, Set<string>>(nodes.map(({ id }) => [id, new Set()]))
  for (const { source, target, style } of diagram.edges) {
    const [from, to] = [owner.get(source), owner.get(target)]
    if (from === undefined || to === undefined || from === to || style === 'escape') continue
    next.get(from)?.add(to)
  }
  const layer = new Map<string, number>()
  const path = new Set<string>()
  // An arrow to a box on the current path leads back: it does not push the box to a later layer.
  const visit = (id: string, depth: number) => {
    if (path.has(id) || (layer.get(id) ?? -1) >= depth) return
    layer.set(id, depth)
    path.add(id)
    for (const target of next.get(id) ?? []) visit(target, depth + 1)
    path.delete(id)
  }
  const starts = nodes.toSorted((a, b) => Number(b.initial) - Number(a.initial))
  for (const { id, initial } of starts) if (initial || !layer.has(id)) visit(id, 0)
  return layer
}
