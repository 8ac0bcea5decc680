/** The statechart of a machine as plain data, for drawings in the notation of other tools. */
import { and, not, or } from 'xstate'
import { defined, isMap } from '../../watch/data/json.ts'
import type { Config } from '../compile.ts'

/** A guard: a name with parameters, a test for active states, or a combination. */
export type GuardPart =
  | { readonly kind: 'named'; readonly type: string; readonly params?: unknown }
  | { readonly kind: 'in'; readonly state: unknown }
  | { readonly kind: 'and' | 'or' | 'not'; readonly guards: readonly GuardPart[] }

export type ActionPart = Readonly<{ type: string; params?: unknown }>

export interface EdgePart {
  readonly target?: string
  readonly guard?: GuardPart
  readonly actions: readonly ActionPart[]
  readonly reenter: boolean
}

export interface StatePart {
  readonly id: string
  readonly type?: 'parallel' | 'final' | 'history'
  readonly initial?: string
  readonly tags: readonly string[]
  readonly entry: readonly ActionPart[]
  readonly exit: readonly ActionPart[]
  readonly on: readonly (readonly [event: string, edges: readonly EdgePart[]])[]
  readonly always: readonly EdgePart[]
  readonly onDone: readonly EdgePart[]
  readonly states: readonly (readonly [key: string, state: StatePart])[]
}

type Raw = Readonly<Record<string, unknown>>

/** Reads the config of a machine. Functions become names: their code stays in the source of the statechart. */
export const partsOf = (config: Config): StatePart => stateOf(config as Raw)

function stateOf(config: Raw): StatePart {
  const { id, type, initial, tags, entry, exit, on, always, onDone, states } = config
  return {
    id: String(id),
    ...defined({ type: type as StatePart['type'], initial: initial as string | undefined }),
    tags: listOf(tags).map(String),
    entry: actionsOf(entry),
    exit: actionsOf(exit),
    on: Object.entries((on ?? {}) as Raw).map(([event, edges]) => [event, edgesOf(edges)]),
    always: edgesOf(always),
    onDone: edgesOf(onDone),
    states: Object.entries((states ?? {}) as Raw).map(([key, state]) => [
      key,
      stateOf(state as Raw),
    ]),
  }
}

const edgesOf = (edges: unknown): readonly EdgePart[] =>
  listOf(edges).map(edge => {
    const { target, guard, actions, reenter } = (isMap(edge) ? edge : { target: edge }) as Raw
    return {
      ...defined({
        target: target === undefined ? undefined : String(target),
        guard: guard === undefined ? undefined : guardOf(guard),
      }),
      actions: actionsOf(actions),
      reenter: reenter === true,
    }
  })

/** Without the actions that report entered states and edges, and without the place that an effect carries for the runtime. */
const actionsOf = (actions: unknown): readonly ActionPart[] =>
  listOf(actions).flatMap(action => {
    const { type, params } = named(action)
    if (type === 'enter' || type === 'edge') return []
    if (!isMap(params)) return [{ type, ...defined({ params }) }]
    const { state: _, region: __, ...own } = params as Raw
    return [{ type, params: type === 'write' ? params : own }]
  })

/** XState combines guards in functions that carry their parts. */
type Combined = {
  readonly check?: unknown
  readonly guards?: unknown[]
  readonly stateValue?: unknown
}
const CHECKS = new Map<unknown, 'and' | 'or' | 'not'>([
  [(and([]) as Combined).check, 'and'],
  [(or([]) as Combined).check, 'or'],
  [(not('') as Combined).check, 'not'],
])

function guardOf(guard: unknown): GuardPart {
  const { check, guards, stateValue } = guard as Combined
  const kind = CHECKS.get(check)
  if (kind && guards) return { kind, guards: guards.map(guardOf) }
  if (stateValue !== undefined) return { kind: 'in', state: stateValue }
  const { type, params } = named(guard)
  if (type !== 'route') return { kind: 'named', type, ...defined({ params }) }
  // Where the policy takes the route is for our own drawings: the guard does not test it.
  const { from: _, ...tested } = params as Raw
  return { kind: 'named', type, params: tested }
}

/** A name, a name with parameters, or a function. */
function named(part: unknown): ActionPart {
  if (typeof part === 'string') return { type: part }
  if (typeof part === 'function') return { type: part.name || 'inline' }
  const { type, params } = part as ActionPart
  return { type, ...defined({ params }) }
}

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]
