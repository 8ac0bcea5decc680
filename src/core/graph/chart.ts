/** A machine as plain data: what is drawn, linted, hashed, and shown in the inspector. */
import type { AnyStateMachine, AnyStateNode } from 'xstate'

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
  /** Of a compound state: the child it starts in. */
  readonly initial?: string
  /** The nearest region of a parallel state around it; `''` outside all of them. */
  readonly region: string
  readonly tags: readonly string[]
  /** What is done in the world on entry. */
  readonly effects: readonly { readonly type: string; readonly node: string }[]
}

/** `kind` says who takes the edge: the work's outcome, a failed outcome, or the watchdog. */
export interface ChartEdge {
  readonly id: string
  readonly source: string
  readonly event: string
  readonly target: string
  readonly kind: 'outcome' | 'failure' | 'escape'
  /** Taken when all inside its source has ended. */
  readonly whenDone?: true
  /** The route that takes an escape edge; absent where any may. */
  readonly rung?: string
  /** From where in its source an escape edge may be taken; absent: from everywhere; empty: the law has it, the policy takes it nowhere. */
  readonly from?: readonly Departure[]
}

/** A state a way out starts from. `on`: the only kind of finding that takes it there. */
export interface Departure {
  readonly state: string
  readonly on?: string
}

/** The actions that stand for work in the world. */
export const EFFECTS: ReadonlySet<string> = new Set(['invoke', 'wait', 'interrupt'])

export function chartOf(machine: AnyStateMachine): Chart {
  const nodes = descendants(machine.root)
  return {
    id: machine.id,
    initial: leafOf(machine.root).id,
    states: nodes.map(node => ({
      id: node.id,
      ...(node.parent && node.parent !== machine.root ? { parent: node.parent.id } : {}),
      kind:
        node.type === 'parallel' || node.type === 'compound' || node.type === 'final'
          ? node.type
          : 'atomic',
      ...initialOf(node),
      region: regionOf(node),
      tags: node.tags,
      effects: effectsOf(node),
    })),
    edges: [machine.root, ...nodes].flatMap(edgesOf),
  }
}

/** The region a state belongs to: its nearest ancestor, or itself, that lies directly in a parallel state. */
export function regionOf(node: AnyStateNode): string {
  for (let at: AnyStateNode | undefined = node; at; at = at.parent)
    if (at.parent?.type === 'parallel') return at.id
  return ''
}

/** The effects that may be pending in a state, as its entry actions name them. */
export function effectsOf(node: AnyStateNode): { type: string; node: string }[] {
  return node.entry.flatMap(action => {
    if (typeof action !== 'object' || !EFFECTS.has(action.type)) return []
    const { node: name = node.id } = (action.params ?? {}) as { node?: string }
    return [{ type: action.type, node: name }]
  })
}

function initialOf(node: AnyStateNode): Pick<ChartState, 'initial'> {
  const first = node.type === 'compound' ? node.initial.target[0] : undefined
  return first ? { initial: first.id } : {}
}

function edgesOf(node: AnyStateNode): ChartEdge[] {
  return [...node.transitions.values(), node.always ?? []]
    .flat()
    .flatMap(({ eventType: type, target, actions, guard, meta }) => {
      const whenDone = type.startsWith('xstate.done.state.')
      const eventType =
        type === ''
          ? 'always'
          : whenDone
            ? ((meta as { outcome?: string } | undefined)?.outcome ?? 'onDone')
            : type
      const id = actions
        .map(action =>
          typeof action === 'object' && action.type === 'edge'
            ? (action.params as { id: string }).id
            : '',
        )
        .find(Boolean)
      return (target ?? []).map(to => ({
        id: id ?? `${node.id}:${eventType}>${to.id}`,
        source: node.id,
        event: eventType,
        target: to.id,
        kind: kindOf(eventType),
        ...(whenDone ? { whenDone } : {}),
        ...(eventType === 'escape' ? routeOf(guard) : {}),
      }))
    })
}

/** The route a guard asks for, as its parameters name it; also where it stands inside an `and`. */
function routeOf(guard: unknown): Pick<ChartEdge, 'rung' | 'from'> {
  if (guard === null || (typeof guard !== 'object' && typeof guard !== 'function')) return {}
  if ('guards' in guard) return Object.assign({}, ...(guard.guards as unknown[]).map(routeOf))
  const { rung, from } = ((guard as { params?: unknown }).params ?? {}) as Pick<
    ChartEdge,
    'rung' | 'from'
  >
  return { ...(rung === undefined ? {} : { rung }), ...(from === undefined ? {} : { from }) }
}

function kindOf(event: string): ChartEdge['kind'] {
  if (event === 'escape') return 'escape'
  return /^(error|timeout|breaker|human\.expired)/.test(event) ? 'failure' : 'outcome'
}

export function descendants(node: AnyStateNode): AnyStateNode[] {
  return Object.values(node.states).flatMap(child => [child, ...descendants(child)])
}

function leafOf(node: AnyStateNode): AnyStateNode {
  const first = node.type === 'compound' ? node.initial.target[0] : undefined
  return first ? leafOf(first) : node
}
