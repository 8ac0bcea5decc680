/** A machine as plain data: drawn, linted, hashed, and shown in the inspector. */
import type { AnyStateMachine, AnyStateNode } from 'xstate'
import { defined } from '../watch/data/json.ts'
import { type Fault, pathOf } from '../watch/data/fault.ts'

export interface Chart {
  readonly id: string
  readonly states: readonly ChartState[]
  readonly edges: readonly ChartEdge[]
  readonly initial: string
}

export interface ChartState {
  readonly id: string
  readonly parent?: string
  readonly kind: 'atomic' | 'compound' | 'parallel' | 'final'
  /** Of a compound state: its initial child. */
  readonly initial?: string
  /** The nearest region of a parallel state around it; `''` outside all of them. */
  readonly region: string
  readonly tags: readonly string[]
  /** The effects requested on entry. */
  readonly effects: readonly { readonly type: string; readonly node: string }[]
}

/** `kind` is the cause of the edge: an outcome, a failed outcome, or the watchdog. */
export interface ChartEdge {
  readonly id: string
  readonly source: string
  readonly event: string
  readonly target: string
  readonly kind: 'outcome' | 'failure' | 'escape'
  /** Taken when everything inside its source has ended. */
  readonly whenDone?: true
  /** The rung that takes an escape edge; absent: any rung. */
  readonly rung?: string
  /** The states inside its source where an escape edge may be taken; absent: all; empty: the policy never takes it. */
  readonly from?: readonly Departure[]
}

/** A state where an escape starts. `on`: the only kind of finding that takes it there. */
export type Departure = Readonly<{ state: string; on?: string }>

/** The actions that request work in external systems. */
export const EFFECTS: ReadonlySet<string> = new Set(['invoke', 'wait', 'interrupt'])

/** The ids of states are parts of the names of child threads, `THREAD/STATE#N/N`. */
const UNFIT = /[/\p{Cc}]/u

/** The states whose ids cannot be parts of names of threads. */
export function stateIdFaults({ root }: AnyStateMachine): readonly Fault[] {
  const isUnfit = (node: AnyStateNode | undefined) => node !== undefined && UNFIT.test(node.id)
  return [root, ...descendants(root)]
    .filter(node => isUnfit(node) && !isUnfit(node.parent))
    .map(({ id, path }) => ({
      path: pathOf([...path.flatMap(key => ['states', key]), 'id']),
      message: `${JSON.stringify(id)} has a character that an id of a state must not have; expected an id without '/' and control characters`,
    }))
}

export function chartOf(machine: AnyStateMachine): Chart {
  const nodes = descendants(machine.root)
  return {
    id: machine.id,
    initial: leafOf(machine.root).id,
    states: nodes.map(node => ({
      id: node.id,
      ...(node.parent && node.parent !== machine.root ? { parent: node.parent.id } : {}),
      kind: node.type === 'history' ? 'atomic' : node.type,
      ...defined({ initial: initialOf(node)?.id }),
      region: regionOf(node),
      tags: node.tags,
      effects: effectsOf(node),
    })),
    edges: [machine.root, ...nodes].flatMap(edgesOf),
  }
}

/** The region of a state: its nearest ancestor, or itself, directly inside a parallel state. */
export function regionOf(node: AnyStateNode): string {
  for (let at: AnyStateNode | undefined = node; at; at = at.parent)
    if (at.parent?.type === 'parallel') return at.id
  return ''
}

function effectsOf(node: AnyStateNode): ChartState['effects'] {
  return node.entry.flatMap(action => {
    if (typeof action !== 'object' || !EFFECTS.has(action.type)) return []
    const { node: name = node.id } = (action.params ?? {}) as { node?: string }
    return [{ type: action.type, node: name }]
  })
}

const initialOf = (node: AnyStateNode): AnyStateNode | undefined =>
  node.type === 'compound' ? node.initial.target[0] : undefined

function edgesOf(node: AnyStateNode): ChartEdge[] {
  return [...node.transitions.values(), node.always ?? []]
    .flat()
    .flatMap(({ eventType: type, target, actions, guard, meta }) => {
      const whenDone = type.startsWith('xstate.done.state.')
      const event = whenDone ? doneEvent(meta) : type || 'always'
      const [id] = actions.flatMap(action => {
        const { type, params } = action as { type?: string; params?: { id: string } }
        return type === 'edge' && params ? [params.id] : []
      })
      return (target ?? []).map(to => ({
        id: id ?? `${node.id}:${event}>${to.id}`,
        source: node.id,
        event,
        target: to.id,
        kind: kindOf(event),
        ...(whenDone ? { whenDone } : {}),
        ...(event === 'escape' ? routeOf(guard) : {}),
      }))
    })
}

/** The event of an edge that is taken when everything inside has ended; a compiled graph distinguishes `done.failed` and `done`. */
export const doneEvent = (meta: unknown): string =>
  (meta as { outcome?: string } | undefined)?.outcome ?? 'onDone'

/** The route in the parameters of a guard, also inside an `and`. */
function routeOf(guard: unknown): Pick<ChartEdge, 'rung' | 'from'> {
  if (guard === null || (typeof guard !== 'object' && typeof guard !== 'function')) return {}
  if ('guards' in guard) return Object.assign({}, ...(guard.guards as unknown[]).map(routeOf))
  const { params = {} } = guard as { params?: Partial<Pick<ChartEdge, 'rung' | 'from'>> }
  return defined({ rung: params.rung, from: params.from }) as Pick<ChartEdge, 'rung' | 'from'>
}

function kindOf(event: string): ChartEdge['kind'] {
  if (event === 'escape') return 'escape'
  return /^(error|timeout|breaker|human\.expired)/.test(event) ? 'failure' : 'outcome'
}

export const descendants = (node: AnyStateNode): AnyStateNode[] =>
  Object.values(node.states).flatMap(child => [child, ...descendants(child)])

function leafOf(node: AnyStateNode): AnyStateNode {
  const first = initialOf(node)
  return first ? leafOf(first) : node
}
