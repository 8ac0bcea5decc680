/** Instruments a machine at load: each effect carries its state, each edge its id, each guard its region. */
import { type AnyStateMachine, type AnyStateNode, and } from 'xstate'
import { defined } from '../watch/data/json.ts'
import { descendants, doneEvent, regionOf } from './chart.ts'
import type { Config } from './compile.ts'

type Raw = Readonly<Record<string, unknown>>

/** XState stops a chart that cycles without an event after this many steps. */
const MICROSTEPS_MAX = 1_000

const OUTCOME =
  /^(done|error|timeout|breaker|human|cancelled|escape|loop|stall|budget|noToolCall)\b/

type Scope = Readonly<{ nodes: ReadonlyMap<string, AnyStateNode>; hasRegions: boolean }>

export function instrument({ root, config }: AnyStateMachine): Config {
  const nodes = new Map([root, ...descendants(root)].map(node => [node.path.join('/'), node]))
  const hasRegions = [...nodes.values()].some(({ type }) => type === 'parallel')
  const instrumented = stateConfig(config as Raw, [], { nodes, hasRegions })
  return { ...instrumented, options: { maxIterations: MICROSTEPS_MAX } } as unknown as Config
}

function stateConfig(config: Raw, path: readonly string[], scope: Scope): Raw {
  const node = scope.nodes.get(path.join('/')) as AnyStateNode
  const region = regionOf(node)
  const isLeaf = node.type === 'atomic'
  const enter = { state: node.id, region, phase: node.tags.includes('phase') }
  const edges = (value: unknown, region: string, eventOf: (edge: unknown) => string) =>
    listOf(value).map((edge, index) =>
      edgeConfig(edge, { node, event: eventOf(edge), index, region }),
    )
  const { on, onDone, always, entry, states } = config
  return {
    ...config,
    id: node.id,
    on: mapValues(on, (value, event) => {
      const guarded = scope.hasRegions && OUTCOME.test(event) ? region : ''
      return edges(value, guarded, () => event)
    }),
    onDone: edges(onDone, '', edge => doneEvent((edge as Raw).meta)),
    always: edges(always, '', () => 'always'),
    entry: [
      ...(isLeaf ? [{ type: 'enter', params: enter }] : []),
      ...listOf(entry).map(action => actionConfig(action, node, region)),
    ],
    states: mapValues(states, (inner, key) => stateConfig(inner as Raw, [...path, key], scope)),
  }
}

interface EdgePlace {
  readonly node: AnyStateNode
  readonly event: string
  readonly index: number
  /** The region whose events the edge accepts; `''`: those of all regions. */
  readonly region: string
}

function edgeConfig(edge: unknown, { node, event, index, region }: EdgePlace): Raw {
  const plain = (typeof edge === 'string' ? { target: edge } : edge) as Raw
  const target = typeof plain.target === 'string' ? plain.target.replace(/^[#.]/, '') : ''
  const mine = region === '' ? undefined : { type: 'mine', params: { region } }
  const isBoth = mine && plain.guard !== undefined
  const guard = isBoth ? and([mine as never, plain.guard as never]) : (mine ?? plain.guard)
  const id = `${node.id}:${event}>${target}${index > 0 && target === '' ? `/${index}` : ''}`
  const actions = [...listOf(plain.actions), { type: 'edge', params: { id } }]
  return { ...plain, ...defined({ guard }), actions }
}

function actionConfig(action: unknown, node: AnyStateNode, region: string): unknown {
  const { type, params } = (typeof action === 'string' ? { type: action } : action) as Raw
  if (type !== 'invoke' && type !== 'wait' && type !== 'interrupt') return action
  return { type, params: { node: node.id, ...(params as object), state: node.id, region } }
}

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]

function mapValues(of: unknown, change: (value: unknown, key: string) => unknown): Raw {
  const entries = Object.entries(of ?? {})
  return Object.fromEntries(entries.map(([key, value]) => [key, change(value, key)]))
}
