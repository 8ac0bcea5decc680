/** A diagram with closed boxes: a closed box stands for all states inside, and for the arrows that cross its border. */
import type { Diagram, DiagramEdge, DiagramNode } from './diagram.ts'

/** Boxes beyond this number are too small to read, and slow to draw. */
const VISIBLE_MAX = 60

/** The diagram as it is drawn while these boxes are closed. */
export function folded(diagram: Diagram, closed: ReadonlySet<string>): Diagram {
  const parents = new Map(diagram.nodes.map(({ id, parent }) => [id, parent]))
  const shownFor = (id: string): string => {
    let shown = id
    for (let box = parents.get(id); box !== undefined; box = parents.get(box))
      if (closed.has(box)) shown = box
    return shown
  }
  const inside = Map.groupBy(
    diagram.nodes.filter(({ id, role, kind }) => shownFor(id) !== id && isLeaf({ role, kind })),
    ({ id }) => shownFor(id),
  )
  const nodes = diagram.nodes
    .filter(({ id }) => shownFor(id) === id)
    .map(node =>
      closed.has(node.id)
        ? { ...node, inside: (inside.get(node.id) ?? []).map(({ id }) => id) }
        : node,
    )
  const { edges, arrowFor } = crossing(diagram.edges, shownFor)
  return {
    nodes,
    edges,
    shownFor,
    arrowOf: (edge, from) => {
      const arrow = diagram.arrowOf(edge, from)
      return arrow === undefined ? undefined : arrowFor.get(arrow)
    },
  }
}

const isLeaf = ({ role, kind }: Pick<DiagramNode, 'role' | 'kind'>): boolean =>
  role !== 'group' && kind !== 'mark'

/** The arrows between boxes that are shown. Arrows with the same ends and text become one. */
function crossing(all: readonly DiagramEdge[], shownFor: (id: string) => string) {
  const merged = new Map<string, DiagramEdge>()
  const arrowFor = new Map<string, string>()
  for (const arrow of all) {
    const [source, target] = [shownFor(arrow.source), shownFor(arrow.target)]
    const isHidden = source === target && (source !== arrow.source || target !== arrow.target)
    if (isHidden) continue
    const isWhole = source === arrow.source && target === arrow.target
    const key = isWhole ? arrow.id : `${source} ${target} ${arrow.style} ${arrow.label}`
    const known = merged.get(key)
    arrowFor.set(arrow.id, known?.id ?? arrow.id)
    const edges = [...(known?.edges ?? []), ...arrow.edges]
    merged.set(key, { ...(known ?? arrow), source, target, edges })
  }
  return { edges: [...merged.values()], arrowFor }
}

/** The boxes that a large diagram starts with closed: as few as keep it readable. None of them holds `selected`. */
export function closedAtFirst(diagram: Diagram, selected: string | undefined): ReadonlySet<string> {
  const children = Map.groupBy(diagram.nodes, ({ parent }) => parent)
  const isBox = ({ id }: DiagramNode) => children.has(id)
  const outer = children.get(undefined) ?? []
  const closed = new Set(outer.filter(isBox).map(({ id }) => id))
  let visible = outer.length
  for (const id of closed) {
    const inner = children.get(id) ?? []
    if (visible + inner.length > VISIBLE_MAX) continue
    visible += inner.length
    closed.delete(id)
    // A set visits what is added during its walk.
    for (const box of inner.filter(isBox)) closed.add(box.id)
  }
  for (let box = selected; box !== undefined; box = parentIn(diagram, box)) closed.delete(box)
  return closed
}

const parentIn = ({ nodes }: Diagram, id: string): string | undefined =>
  nodes.find(node => node.id === id)?.parent
