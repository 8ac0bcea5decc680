/** A state of the drawing: its role, its name, how often it was entered, and whether it is active. */
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { memo } from 'react'
import { useQuery } from '../data/route.ts'
import { useRun } from '../data/use-run.ts'
import { Icon } from '../design/icon.tsx'
import type { DiagramNode } from '../layout/diagram.ts'
import { heatIn, heatOf, heatText, levelOf } from './heat.ts'
import { shownLoop } from './loop-window.ts'

export interface StateData extends Record<string, unknown> {
  readonly state: DiagramNode
  /** The tools and models of the state, whose breakers it shows. */
  readonly subjects: readonly string[]
  readonly hasBreakpoint: boolean
  /** Closes a box, or opens it. */
  readonly toggle: (box: string) => void
}

/** The states that a box stands for. */
export const statesOf = ({ id, inside }: DiagramNode): readonly string[] => inside ?? [id]

export type StateFlowNode = Node<StateData>

export const StateNode = memo(({ data, selected }: NodeProps<StateFlowNode>) => {
  const { state, subjects, hasBreakpoint, toggle } = data
  const states = statesOf(state)
  const heat = heatIn(useQuery('heat'))
  const visits = useRun(({ overlay }) => heatOf(overlay, 'visits', states))
  const value = useRun(({ overlay }) => heatOf(overlay, heat, states))
  const level = useRun(({ overlay }) => levelOf(overlay, heat, value))
  const isActive = useRun(({ overlay }) => overlay.active.has(state.id))
  const isInLoop = useRun(({ loops, at }) =>
    shownLoop(loops, at)?.finding.states.some(id => states.includes(id)),
  )
  const failure = useRun(model => lastFailureIn(model.rows, model.at, states))
  const breaker = useRun(({ overlay }) => {
    const open = subjects.find(name => (overlay.breakers.get(name)?.state ?? 'closed') !== 'closed')
    return open && `${open} ${overlay.breakers.get(open)?.state}`
  })
  const classes = [
    'state',
    `heat-${level}`,
    state.kind === 'final' && 'is-final',
    isActive && 'is-active',
    isInLoop && 'is-looping',
    selected && 'is-selected',
    visits === 0 && 'is-unvisited',
  ]
  return (
    <div className={classes.filter(Boolean).join(' ')}>
      <Ends />
      {state.initial && <span className="initial-mark" aria-hidden="true" />}
      {hasBreakpoint && <span className="breakpoint-mark" aria-hidden="true" />}
      {breaker && (
        <span className="breaker-mark" title={`breaker of ${breaker}`} aria-hidden="true" />
      )}
      {failure && (
        <span className="failure-mark" aria-hidden="true">
          {failure}
        </span>
      )}
      <Icon name={state.role} />
      <span className="state-name">{state.name}</span>
      {state.inside && <FoldButton state={state} toggle={toggle} />}
      {state.kind !== 'final' && <span className="state-visits">×{visits}</span>}
      {heat !== 'visits' && visits > 0 && (
        <span className="state-heat">{heatText(heat, value)}</span>
      )}
      {isActive && <span className="active-mark">ACTIVE</span>}
    </div>
  )
})

/** Opens a closed box, or closes an open one. */
const FoldButton = ({ state, toggle }: Pick<StateData, 'state' | 'toggle'>) => {
  const { id, name, inside } = state
  return (
    <button
      type="button"
      className="fold-button nodrag nopan"
      aria-expanded={!inside}
      aria-label={inside ? `Open ${name}, ${inside.length} states` : `Close ${name}`}
      onClick={event => {
        event.stopPropagation()
        toggle(id)
      }}
    >
      {inside ? `+${inside.length}` : '−'}
    </button>
  )
}

/** A state with states inside: a frame with a title. */
export const GroupNode = memo(({ data }: NodeProps<StateFlowNode>) => {
  const { state, toggle } = data
  const isActive = useRun(({ overlay }) => overlay.active.has(state.id))
  const kind = state.kind === 'parallel' ? 'parallel' : 'group'
  return (
    <div className={`frame is-${kind} ${isActive ? 'is-active' : ''}`}>
      <Ends />
      {state.initial && <span className="initial-mark" aria-hidden="true" />}
      <span className="frame-name">
        {state.name}
        {state.kind === 'parallel' && <small> parallel</small>}
        <FoldButton state={state} toggle={toggle} />
      </span>
    </div>
  )
})

export const MarkNode = memo(({ data }: NodeProps<StateFlowNode>) => (
  <div className="any-mark">
    <Ends />
    {data.state.name}
  </div>
))

/** React Flow draws edges only between handles. The routes come from the layout. */
const Ends = () => (
  <>
    <Handle type="target" position={Position.Top} isConnectable={false} />
    <Handle type="source" position={Position.Bottom} isConnectable={false} />
  </>
)

type Rows = Parameters<Parameters<typeof useRun>[0]>[0]['rows']

/** Events before the one that is looked at, among which a failure marks its state. */
const FAILURE_EVENTS = 6

/** The class of the last failure in one of the states, if it is recent. */
function lastFailureIn(rows: Rows, at: number, states: readonly string[]): string | undefined {
  for (let seq = at; seq > at - FAILURE_EVENTS && seq >= 0; seq--) {
    const event = rows[seq]?.event
    if (!event || !('failure' in event) || !('effect' in event)) continue
    if (!states.includes(event.effect.replace(/#\d+$/, ''))) continue
    return event.failure.class.toUpperCase()
  }
  return undefined
}
