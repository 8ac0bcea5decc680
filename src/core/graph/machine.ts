/** A statechart, stepped by XState itself. */
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode, StateValue } from 'xstate'
import { type ActionFunction, assign, createActor, createMachine, and } from 'xstate'
import { type Json, notJsonSince, defined } from '../watch/data/json.ts'
import { factsOf, type Redact } from '../watch/failure/failure.ts'
import { type Chart, chartOf, EFFECTS, descendants, doneEvent, regionOf } from './chart.ts'
import type { Budget } from './cel/cost.ts'
import type { Config } from './compile.ts'

/** The state of a thread: value and context of its machine, as JSON. */
export interface Snapshot {
  readonly value: Json
  readonly context: Readonly<Record<string, Json>>
  readonly status: 'active' | 'done' | 'error'
  /** The error of a guard or an assignment, with its place. */
  readonly error?: string
}

/** An event for the machine. `region` is the region of the effect an outcome belongs to; only its guards accept the event. */
export interface MachineEvent {
  readonly type: string
  readonly region: string
  readonly output?: Json
  /** The new values of written channels, checked before. */
  readonly writes?: Readonly<Record<string, Json>>
  readonly rung?: string
  readonly to?: string
}

/** An effect the machine requests on entering `state`. */
export interface RequestedEffect {
  readonly type: 'invoke' | 'wait' | 'interrupt'
  readonly state: string
  readonly region: string
  readonly params: Readonly<Record<string, Json>>
}

export interface Step {
  readonly snapshot: Snapshot
  readonly asked: readonly RequestedEffect[]
  readonly entered: readonly EnteredState[]
  readonly edges: readonly string[]
}

export type EnteredState = Readonly<{ state: string; region: string; phase: boolean }>

export interface Machine {
  readonly chart: Chart
  /** The statechart in XState's notation, with ids, effects and guards as the runtime steps it. */
  readonly config: Config
  /** The copies of its reducers are charged to `total`. */
  start(input: Json, total?: Budget): Step
  /** Starts again with this context in place of the initial one. */
  again(context: Snapshot['context']): Step
  step(snapshot: Snapshot, event: MachineEvent): Step
  can(snapshot: Snapshot, event: MachineEvent): boolean
  active(snapshot: Snapshot): ReadonlySet<string>
}

/** `checked`: everything that enters the context is known to be plain data. `redact` removes secrets from errors of custom code. */
type ReadOptions = Readonly<{ checked?: boolean; redact?: Redact }>

/** Reads any XState machine. */
export function readMachine(source: AnyStateMachine, options: ReadOptions = {}): Machine {
  const config = instrument(source)
  const machine = instantiate(config, source)
  const stepper = stepperOf(machine)
  const live = liveSnapshots(machine)
  let restarted: Stepper | undefined
  return {
    chart: chartOf(machine),
    config,
    start: input => safely(NOWHERE, options, () => live.stepOf(...stepper.start(input))),
    again: context =>
      safely({ ...NOWHERE, context }, options, () => {
        restarted ??= stepperOf(
          instantiate({ ...config, context: ({ input }: { input: never }) => input }, source),
        )
        const [next, actions] = restarted.start(context)
        // XState's object belongs to the second machine: the first one must not find it.
        return { snapshot: snapshotOf(next), ...sortActions(actions) }
      }),
    step: (snapshot, event) =>
      safely(snapshot, options, () => live.stepOf(...stepper.step(live.revive(snapshot), event))),
    can: (snapshot, event) => {
      try {
        return snapshot.status === 'active' && live.revive(snapshot).can(event as never)
      } catch {
        return true // `step` reports the guard that throws.
      }
    },
    active: snapshot => new Set(live.revive(snapshot)._nodes.map(({ id }: AnyStateNode) => id)),
  }
}

const NOWHERE: Snapshot = { value: null, context: {}, status: 'active' }

/** Caches XState's object for a JSON snapshot, which is expensive to build at every step. */
function liveSnapshots(machine: AnyStateMachine) {
  const live = new WeakMap<Snapshot, AnyMachineSnapshot>()
  return {
    revive(snapshot: Snapshot): AnyMachineSnapshot {
      const known = live.get(snapshot)
      if (known) return known
      const revived = machine.resolveState({
        value: snapshot.value as StateValue,
        context: snapshot.context as never,
        status: snapshot.status,
      })
      live.set(snapshot, revived)
      return revived
    },
    stepOf(next: AnyMachineSnapshot, actions: readonly Action[]): Step {
      const snapshot = snapshotOf(next)
      live.set(snapshot, next)
      return { snapshot, ...sortActions(actions) }
    },
  }
}

function snapshotOf({ value, context, status, error }: AnyMachineSnapshot): Snapshot {
  return {
    value: value as Json,
    context: context as Snapshot['context'],
    status: status === 'stopped' ? 'done' : status,
    ...(status === 'error' && { error: String((error as Error | undefined)?.message ?? error) }),
  }
}

type Action = Readonly<{ type: string; params?: unknown }>

/** The next snapshot, and the actions that XState would execute, in order. */
type Transition = readonly [next: AnyMachineSnapshot, actions: readonly Action[]]
type Stepper = ReturnType<typeof stepperOf>
type Scope = Parameters<AnyStateMachine['transition']>[2]

/** Steps a machine. XState's `transition` creates an actor scope at each step; without actors one scope is enough. */
function stepperOf(machine: AnyStateMachine) {
  let actions: Action[] = []
  let scope: Scope | undefined
  const collect = (next: (scope: Scope) => unknown): Transition => {
    actions = []
    scope ??= inertScope(machine, action => actions.push(action))
    return [next(scope) as AnyMachineSnapshot, actions]
  }
  return {
    start: (input: unknown) => collect(scope => machine.getInitialSnapshot(scope, input as never)),
    step: (snapshot: AnyMachineSnapshot, event: unknown) =>
      collect(scope => machine.transition(snapshot as never, event as never, scope)),
  }
}

function inertScope(machine: AnyStateMachine, actionExecutor: (action: Action) => void): Scope {
  const self = createActor(machine)
  const nothing = () => {}
  const inert = { logger: nothing, defer: nothing, stopChild: nothing, emit: nothing }
  const scope = { self, system: self.system, id: '', sessionId: '', ...inert, actionExecutor }
  return scope as unknown as Scope
}

/** XState rethrows errors of guards and assignments: the thread then ends in its last state. */
function safely(before: Snapshot, { checked, redact }: ReadOptions, take: () => Step): Step {
  try {
    const step = take()
    const { context } = step.snapshot
    const fault = checked ? undefined : notJsonSince(before.context, context, 'context')
    if (fault === undefined) return step
    throw new TypeError(`a context is plain data, and ${fault}`)
  } catch (error) {
    // Secrets are removed first: one of several lines is recognized only as a whole.
    return failedStep(before, factsOf(error, redact).message.split('\n')[0] ?? '')
  }
}

function failedStep(before: Snapshot, error: string): Step {
  return { snapshot: { ...before, status: 'error', error }, asked: [], entered: [], edges: [] }
}

function instantiate(config: Config, { implementations }: AnyStateMachine): AnyStateMachine {
  return (createMachine(config) as AnyStateMachine).provide({
    ...implementations,
    guards: { ...GUARDS, ...implementations.guards },
    actions: { ...ACTIONS, ...implementations.actions },
  } as never)
}

function sortActions(actions: readonly Action[]): Omit<Step, 'snapshot'> {
  const asked: RequestedEffect[] = []
  const entered: EnteredState[] = []
  const edges: string[] = []
  for (const { type, params } of actions) {
    if (type === 'edge') edges.push((params as { id: string }).id)
    else if (type === 'enter') entered.push(params as EnteredState)
    else if (EFFECTS.has(type)) {
      const { state, region, ...rest } = params as { state: string; region: string }
      asked.push({ type: type as RequestedEffect['type'], state, region, params: rest })
    }
  }
  return { asked, entered, edges }
}

type Guarded = Readonly<{ event: MachineEvent }>

/** Guards of every machine. `to` and `route` test an escape, `mine` the region of an event. */
const GUARDS = {
  mine: ({ event }: Guarded, { region }: { region: string }) =>
    event.region === '' || event.region === region,
  to: ({ event }: Guarded, { to }: { to: string }) => event.to === to,
  route: ({ event }: Guarded, route: { rung: string; to?: string; region?: string }) =>
    event.rung === route.rung &&
    (route.to === undefined || event.to === route.to) &&
    (route.region === undefined || event.region === route.region),
}

type AnyAction = ActionFunction<never, never, never, never, never, never, never, never, never>

const NOTHING = (() => {}) as unknown as AnyAction

const ACTIONS = {
  ...{ invoke: NOTHING, wait: NOTHING, interrupt: NOTHING, edge: NOTHING, enter: NOTHING },
  write: assign(({ event }) => (event as unknown as MachineEvent).writes ?? {}),
}

type Raw = Readonly<Record<string, unknown>>

/** XState stops a chart that cycles without an event after this many steps. */
const MICROSTEPS_MAX = 1_000

const OUTCOME =
  /^(done|error|timeout|breaker|human|cancelled|escape|loop|stall|budget|noToolCall|deadlock)\b/

type Places = Readonly<{ nodes: ReadonlyMap<string, AnyStateNode>; hasRegions: boolean }>

export function instrument({ root, config }: AnyStateMachine): Config {
  const nodes = new Map([root, ...descendants(root)].map(node => [node.path.join('/'), node]))
  const hasRegions = [...nodes.values()].some(({ type }) => type === 'parallel')
  const instrumented = stateConfig(config as Raw, [], { nodes, hasRegions })
  return { ...instrumented, options: { maxIterations: MICROSTEPS_MAX } } as unknown as Config
}

function stateConfig(config: Raw, path: readonly string[], places: Places): Raw {
  const node = places.nodes.get(path.join('/')) as AnyStateNode
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
      const guarded = places.hasRegions && OUTCOME.test(event) ? region : ''
      return edges(value, guarded, () => event)
    }),
    onDone: edges(onDone, '', edge => doneEvent((edge as Raw).meta)),
    always: edges(always, '', () => 'always'),
    entry: [
      ...(isLeaf ? [{ type: 'enter', params: enter }] : []),
      ...listOf(entry).map(action => actionConfig(action, node, region)),
    ],
    states: mapValues(states, (inner, key) => stateConfig(inner as Raw, [...path, key], places)),
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
