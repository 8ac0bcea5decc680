/** What every machine is given at load: each effect knows its state, each edge tells its id, each guard its region. */
import { type AnyStateMachine, type AnyStateNode, and } from 'xstate'
import type { Config } from './compile.ts'
import { descendants, regionOf } from './chart.ts'

export type Instrumented = Config

type Transition = {
  readonly guard?: unknown
  readonly target?: unknown
  readonly actions?: unknown
}
type Raw = Record<string, unknown>

/** XState stops a chart that goes round by itself, without an event, after this many steps. */
const MICROSTEPS_MAX = 1_000

const OUTCOME =
  /^(done|error|timeout|breaker|human|cancelled|escape|loop|stall|budget|noToolCall)\b/

export function instrument(machine: AnyStateMachine): Instrumented {
  const nodes = new Map(descendants(machine.root).map(node => [node.path.join('/'), node]))
  const parallel =
    [...nodes.values()].some(({ type }) => type === 'parallel') || machine.root.type === 'parallel'
  const config = stateConfig(machine.config as Raw, [], { nodes, parallel, root: machine.root })
  return { ...config, options: { maxIterations: MICROSTEPS_MAX } } as unknown as Instrumented
}

interface Scope {
  readonly nodes: ReadonlyMap<string, AnyStateNode>
  readonly parallel: boolean
  readonly root: AnyStateNode
}

function stateConfig(config: Raw, path: readonly string[], scope: Scope): Raw {
  const node = scope.nodes.get(path.join('/')) ?? scope.root
  const region = regionOf(node)
  const states = config.states as Record<string, Raw> | undefined
  const leaf = node.type === 'atomic'
  return {
    ...config,
    id: node.id,
    ...(config.on
      ? {
          on: mapValues(config.on as Raw, (value, event) =>
            listOf(value).map((edge, index) =>
              edgeConfig(edge, { node, event, index, region, scope }),
            ),
          ),
        }
      : {}),
    ...(config.onDone
      ? {
          onDone: listOf(config.onDone).map((edge, index) =>
            edgeConfig(edge, { node, event: outcomeOf(edge), index, region: '', scope }),
          ),
        }
      : {}),
    ...(config.always
      ? {
          always: listOf(config.always).map((edge, index) =>
            edgeConfig(edge, { node, event: 'always', index, region: '', scope }),
          ),
        }
      : {}),
    ...(leaf || config.entry
      ? {
          entry: [
            ...(leaf
              ? [
                  {
                    type: 'enter',
                    params: { state: node.id, region, phase: node.tags.includes('phase') },
                  },
                ]
              : []),
            ...listOf(config.entry).map(action => actionConfig(action, node, region)),
          ],
        }
      : {}),
    ...(states
      ? {
          states: mapValues(states, (inner, key) =>
            stateConfig(inner as Raw, [...path, key], scope),
          ),
        }
      : {}),
  }
}

interface EdgeAt {
  readonly node: AnyStateNode
  readonly event: string
  readonly index: number
  readonly region: string
  readonly scope: Scope
}

function edgeConfig(edge: unknown, { node, event, index, region, scope }: EdgeAt): Transition {
  const plain = (typeof edge === 'string' ? { target: edge } : edge) as Transition
  const target = typeof plain.target === 'string' ? plain.target.replace(/^[#.]/, '') : ''
  const mine =
    scope.parallel && region !== '' && OUTCOME.test(event)
      ? { type: 'mine', params: { region } }
      : undefined
  const guard =
    mine && plain.guard !== undefined
      ? and([mine as never, plain.guard as never])
      : (mine ?? plain.guard)
  const id = `${node.id}:${event}>${target}${index > 0 && target === '' ? `/${index}` : ''}`
  return {
    ...plain,
    ...(guard === undefined ? {} : { guard }),
    actions: [...listOf(plain.actions), { type: 'edge', params: { id } }],
  }
}

/** What the edge is called that leads on when all inside has ended; a compiled graph tells `done.failed` from `done`. */
function outcomeOf(edge: unknown): string {
  const { meta } = (typeof edge === 'object' ? edge : {}) as { meta?: { outcome?: string } }
  return meta?.outcome ?? 'onDone'
}

function actionConfig(action: unknown, node: AnyStateNode, region: string): unknown {
  const named =
    typeof action === 'string' ? { type: action } : (action as { type?: unknown; params?: unknown })
  if (named.type !== 'invoke' && named.type !== 'wait' && named.type !== 'interrupt') return action
  return {
    type: named.type,
    params: { node: node.id, ...(named.params as object | undefined), state: node.id, region },
  }
}

function listOf(value: unknown): readonly unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}

function mapValues(of: Raw, change: (value: unknown, key: string) => unknown): Raw {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value, key)]))
}
