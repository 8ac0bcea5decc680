/** The machine as a drawing: states in their boxes, arrows with true counts, and loops. Nothing moves while a run goes on. */
import {
  Background,
  Controls,
  MarkerType,
  type NodeHandle,
  type NodeTypes,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from '@xyflow/react'
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useModel, useRun } from '../data/use-run.ts'
import type { Diagram } from '../layout/diagram.ts'
import { layOut } from '../layout/layout.ts'
import { directionIn } from '../layout/direction.ts'
import type { Placed, Rectangle, Route } from '../layout/place.ts'
import { type ArrowFlowEdge, ChartEdge } from './chart-edge.tsx'
import { setDiagram } from './edge-counts.ts'
import { LoopHull } from './loop-hull.tsx'
import { subjectsIn } from './subjects.ts'
import { GroupNode, MarkNode, StateNode, type StateFlowNode, statesOf } from './state-node.tsx'
import { useDiagram } from './use-diagram.ts'

const NODE_TYPES: NodeTypes = { state: StateNode, group: GroupNode, mark: MarkNode }
const EDGE_TYPES = { arrow: ChartEdge }

interface StatechartProps {
  readonly selected: string | undefined
  readonly onSelect: (state: string | undefined) => void
  readonly breakpoints: ReadonlySet<string>
}

export function Statechart(props: StatechartProps) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  )
}

function Drawing({ selected, onSelect, breakpoints }: StatechartProps) {
  const model = useModel()
  const flow = useReactFlow()
  const frame = useRef<HTMLDivElement>(null)
  const [placed, setPlaced] = useState<Placed>()
  const { spec, specHash } = model.graph
  const { diagram, toggle } = useDiagram(model.graph, selected)
  useEffect(() => {
    if (!diagram) return
    setDiagram(model, diagram)
    const { clientWidth: width = 0, clientHeight: height = 0 } = frame.current ?? {}
    const direction = directionIn({ width, height }, diagram)
    // The worker would take time from a journal that is loading.
    return layOut({ diagram, direction, key: specHash, after: model.loaded }, setPlaced)
  }, [model, diagram, specHash])
  useEffect(() => {
    if (!placed) return
    const frame = requestAnimationFrame(() => void flow.fitView(FIT))
    return () => cancelAnimationFrame(frame)
  }, [placed, flow])
  const subjects = useMemo(() => subjectsIn(spec), [spec])
  const nodes = useMemo(
    () => (diagram && placed ? nodesOf(diagram, placed, { subjects, breakpoints, toggle }) : []),
    [diagram, placed, subjects, breakpoints, toggle],
  )
  const edges = useMemo(
    () => (diagram && placed ? edgesOf(diagram, placed) : []),
    [diagram, placed],
  )
  const shown = useMemo(
    () => nodes.map(node => (node.id === selected ? { ...node, selected: true } : node)),
    [nodes, selected],
  )
  return (
    <Frame ref={frame} diagram={diagram} placed={placed}>
      <ReactFlow
        nodes={shown}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        elevateEdgesOnSelect={false}
        deleteKeyCode={null}
        minZoom={0.15}
        maxZoom={2}
        fitView
        fitViewOptions={FIT}
        onNodeClick={(_, { id }) => onSelect(id)}
        onPaneClick={() => onSelect(undefined)}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={22} size={1} />
        {placed && diagram && <LoopHull placed={placed} diagram={diagram} />}
        <LabelSize frame={frame} />
        <Controls showInteractive={false} fitViewOptions={FIT} />
      </ReactFlow>
    </Frame>
  )
}

/** Labels and marks shrink less than the drawing, as far as its layers leave room. */
const LABELS_MOST = 1.3

const labelSizeAt = (zoom: number): number =>
  Math.round(Math.min(LABELS_MOST, Math.max(1, 0.9 / zoom)) * 10) / 10

function LabelSize({ frame }: { readonly frame: RefObject<HTMLElement | null> }) {
  const size = useStore(({ transform: [, , zoom] }) => labelSizeAt(zoom))
  useEffect(() => frame.current?.style.setProperty('--label-size', String(size)), [frame, size])
  return null
}

interface FrameProps {
  readonly diagram: Diagram | undefined
  readonly placed: Placed | undefined
  readonly ref: Ref<HTMLDivElement>
  readonly children: ReactNode
}

/** Names the drawing by its active states. A seek renders this, and not the drawing inside it. */
function Frame({ diagram, placed, ref, children }: FrameProps) {
  const summary = useRun(({ overlay }) => activeText(overlay.active, diagram))
  return (
    <section
      className="statechart"
      ref={ref}
      aria-label={`Drawing. ${summary}`}
      data-layout={placed && (placed.routes.size > 0 ? 'refined' : 'quick')}
    >
      {children}
    </section>
  )
}

const FIT = { padding: 0.08, maxZoom: 1.15 }

/** What the drawing shows, for those who do not see it. The outline has the rest. */
function activeText(active: ReadonlySet<string>, diagram: Diagram | undefined): string {
  const names = diagram?.nodes.filter(
    ({ id, role, inside }) => active.has(id) && (role !== 'group' || inside),
  )
  const list = names?.map(({ name }) => name).join(', ')
  return list ? `Active: ${list}.` : 'No state is active.'
}

interface NodeMarks {
  readonly subjects: ReadonlyMap<string, readonly string[]>
  readonly breakpoints: ReadonlySet<string>
  /** Closes a box, or opens it. */
  readonly toggle: (box: string) => void
}

/** Parents precede their children, as React Flow requires. */
function nodesOf({ nodes }: Diagram, { boxes }: Placed, marks: NodeMarks): StateFlowNode[] {
  return nodes.flatMap(state => {
    const box = boxes.get(state.id)
    if (!box) return []
    const outer = state.parent === undefined ? undefined : boxes.get(state.parent)
    const isFrame = state.role === 'group' && !state.inside
    const type = state.kind === 'mark' ? 'mark' : isFrame ? 'group' : 'state'
    return {
      id: state.id,
      type,
      position: { x: box.x - (outer?.x ?? 0), y: box.y - (outer?.y ?? 0) },
      width: box.width,
      height: box.height,
      // The layout knows all sizes. Until it is told, React Flow leaves a box out of the fit.
      measured: { width: box.width, height: box.height },
      handles: handlesOf(box),
      ...(state.parent !== undefined && { parentId: state.parent }),
      selectable: type === 'state',
      focusable: type === 'state',
      ariaLabel: state.name,
      data: {
        state,
        subjects: statesOf(state).flatMap(id => marks.subjects.get(id) ?? []),
        hasBreakpoint: statesOf(state).some(id => marks.breakpoints.has(id)),
        toggle: marks.toggle,
      },
    }
  })
}

/** Given here, so that arrows are drawn before the browser has measured anything, as in a tab in the background. */
const handlesOf = ({ width, height }: Rectangle): NodeHandle[] => [
  { type: 'target', position: Position.Top, x: width / 2, y: 0, width: 1, height: 1 },
  { type: 'source', position: Position.Bottom, x: width / 2, y: height, width: 1, height: 1 },
]

function edgesOf({ edges }: Diagram, { boxes, routes }: Placed): ArrowFlowEdge[] {
  return edges.flatMap(arrow => {
    const { id, source, target } = arrow
    const [from, to] = [boxes.get(source), boxes.get(target)]
    if (!from || !to) return []
    const route = routes.get(id) ?? straightRoute(from, to)
    const marker = {
      type: MarkerType.ArrowClosed,
      width: 14,
      height: 14,
      markerUnits: 'userSpaceOnUse',
    }
    return { id, source, target, type: 'arrow', markerEnd: marker, data: { arrow, route } }
  })
}

/** From border to border, on the line between the centers. */
function straightRoute(from: Rectangle, to: Rectangle): Route {
  const [a, b] = [centerOf(from), centerOf(to)]
  const points = [borderPoint(from, b), borderPoint(to, a)]
  return { points, label: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } }
}

const centerOf = ({ x, y, width, height }: Rectangle) => ({ x: x + width / 2, y: y + height / 2 })

function borderPoint(box: Rectangle, other: { readonly x: number; readonly y: number }) {
  const center = centerOf(box)
  const [dx, dy] = [other.x - center.x, other.y - center.y]
  const part = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : box.width / 2 / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : box.height / 2 / Math.abs(dy),
  )
  if (!Number.isFinite(part)) return center
  return { x: center.x + dx * part, y: center.y + dy * part }
}
