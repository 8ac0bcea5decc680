/** The machine as a tree: the equal of the drawing, for keyboards, screen readers and small screens. */
import { Fragment, type ReactNode, useRef } from 'react'
import { useQuery } from '../data/route.ts'
import { useModel, useRun } from '../data/use-run.ts'
import { Icon } from '../design/icon.tsx'
import { type Diagram, diagramOf, type DiagramNode, rolesIn } from '../layout/diagram.ts'
import { edgeCounts, setDiagram } from './edge-counts.ts'
import { heatIn, heatOf, heatText } from './heat.ts'
import { shownLoop } from './loop-window.ts'
import { canvasMeasure } from './measure.ts'

interface OutlineProps {
  readonly selected: string | undefined
  readonly onSelect: (state: string | undefined) => void
}

export function Outline({ selected, onSelect }: OutlineProps) {
  const model = useModel()
  const { chart, spec } = model.graph
  const known = useRef<Diagram>(undefined)
  if (chart && !known.current) {
    known.current = diagramOf(chart, canvasMeasure(), rolesIn(spec))
    setDiagram(model, known.current)
  }
  const diagram = known.current
  if (!diagram) return null
  const states = diagram.nodes.filter(({ kind }) => kind !== 'mark')
  const children = Map.groupBy(states, ({ parent }) => parent)
  const order = inOrder(children, undefined)
  const current = selected ?? order[0]?.id
  const move = (event: React.KeyboardEvent, id: string) => {
    const place = order.findIndex(state => state.id === id)
    const next = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: order.length - 1 }[
      event.key
    ]
    if (event.key === 'Enter' || event.key === ' ') onSelect(id)
    else if (next === undefined || !order[next]) return
    else onSelect(order[next].id)
    event.preventDefault()
    const id2 = next === undefined ? id : order[next]?.id
    document.getElementById(`outline ${id2}`)?.focus()
  }
  const branch = (parent: string | undefined, level: number): ReactNode =>
    (children.get(parent) ?? []).map(state => (
      <Fragment key={state.id}>
        <OutlineItem
          {...{ state, level, diagram, selected: state.id === current }}
          onKeyDown={event => move(event, state.id)}
          onSelect={() => onSelect(state.id)}
        />
        {branch(state.id, level + 1)}
      </Fragment>
    ))
  return (
    <div className="outline" role="tree" aria-label="The states of the machine">
      {branch(undefined, 1)}
    </div>
  )
}

function inOrder(
  children: ReadonlyMap<string | undefined, readonly DiagramNode[]>,
  parent: string | undefined,
): readonly DiagramNode[] {
  return (children.get(parent) ?? []).flatMap(state => [state, ...inOrder(children, state.id)])
}

interface ItemProps {
  readonly state: DiagramNode
  readonly level: number
  readonly diagram: Diagram
  readonly selected: boolean
  readonly onKeyDown: (event: React.KeyboardEvent) => void
  readonly onSelect: () => void
}

function OutlineItem({ state, level, diagram, selected, onKeyDown, onSelect }: ItemProps) {
  const visits = useRun(({ overlay }) => overlay.visits.get(state.id) ?? 0)
  const heat = heatIn(useQuery('heat'))
  const value = useRun(({ overlay }) => heatOf(overlay, heat, [state.id]))
  const isActive = useRun(({ overlay }) => overlay.active.has(state.id))
  const isLooping = useRun(({ loops, at }) =>
    shownLoop(loops, at)?.finding.states.includes(state.id),
  )
  const leaving = useRun(model => leavingText(diagram, state.id, edgeCounts(model).counts))
  return (
    <div
      id={`outline ${state.id}`}
      className={`outline-item level-${Math.min(level, 5)} ${isActive ? 'is-active' : ''}`}
      role="treeitem"
      aria-level={level}
      aria-selected={selected}
      tabIndex={selected ? 0 : -1}
      onKeyDown={onKeyDown}
      onClick={onSelect}
    >
      <Icon name={state.role} />
      <span className="state-name">{state.name}</span>
      {isActive && <span className="tag is-active">active</span>}
      {isLooping && <span className="tag is-loop">in a loop</span>}
      {state.role !== 'group' && state.kind !== 'final' && (
        <span className="visits muted">
          {heatText('visits', visits)}
          {heat !== 'visits' && ` · ${heatText(heat, value)}`}
        </span>
      )}
      <span className="outline-edges">{leaving}</span>
    </div>
  )
}

const LINES = new WeakMap<ReadonlyMap<string, number>, Map<string, string>>()

/** The arrows out of a state with their counts, as one line. The same text while the counts stay. */
function leavingText(diagram: Diagram, state: string, counts: ReadonlyMap<string, number>): string {
  const lines = LINES.get(counts) ?? new Map<string, string>()
  LINES.set(counts, lines)
  const known = lines.get(state)
  if (known !== undefined) return known
  const names = new Map(diagram.nodes.map(({ id, name }) => [id, name]))
  const text = diagram.edges
    .filter(({ source }) => source === state)
    .map(({ id, target, label }) => {
      const count = counts.get(id) ?? 0
      return `${label} → ${names.get(target) ?? target}${count > 0 ? ` ×${count}` : ''}`
    })
    .join(' · ')
  lines.set(state, text)
  return text
}
