/** The law of a thread: a statechart, stepped by XState itself. Nothing is interpreted here. */
import {
  type ActionFunction,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  assign,
  createMachine,
  type StateValue,
} from 'xstate'
import { type Json, notJsonSince } from '../watch/data/json.ts'
import { type Chart, chartOf, EFFECTS } from './chart.ts'
import { type Action, type Stepper, stepperOf } from './stepper.ts'
import { instrument, type Instrumented } from './instrument.ts'

/** Where a thread is: value and context of its machine, as JSON. */
export interface Snapshot {
  readonly value: Json
  readonly context: Readonly<Record<string, Json>>
  readonly status: 'active' | 'done' | 'error'
  /** What went wrong inside a guard or an assignment, and where. */
  readonly error?: string
}

/** What the machine is told. Outcomes carry the effect they belong to; `region` says whose guards may listen. */
export interface MachineEvent {
  readonly type: string
  readonly region: string
  readonly output?: Json
  /** The new values of written channels, checked before. */
  readonly writes?: Readonly<Record<string, Json>>
  /** Of an escape. */
  readonly rung?: string
  readonly to?: string
}

/** An effect the machine asks for: what must be done in the world on entering `state`. */
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
  /** The ids of the edges taken, in order. */
  readonly edges: readonly string[]
}

export interface EnteredState {
  readonly state: string
  readonly region: string
  readonly phase: boolean
}

export interface Machine {
  readonly chart: Chart
  start(input: Json): Step
  /** Begins again with this context in place of the initial one. */
  again(context: Snapshot['context']): Step
  step(snapshot: Snapshot, event: MachineEvent): Step
  can(snapshot: Snapshot, event: MachineEvent): boolean
  /** The ids of all states the snapshot is in. */
  active(snapshot: Snapshot): ReadonlySet<string>
}

export interface ReadOptions {
  /** Everything that enters the context has been checked to be plain data. */
  readonly checked?: boolean
}

/** Takes any XState machine: compiled from a spec, or written by hand with `setup().createMachine()`. */
export function readMachine(
  source: AnyStateMachine,
  { checked = false }: ReadOptions = {},
): Machine {
  const config = instrument(source)
  const machine = instantiate(config, source)
  const stepper = stepperOf(machine)
  const live = liveSnapshots(machine)
  let restarted: Stepper | undefined
  return {
    chart: chartOf(machine),
    start: input => safely(NOWHERE, checked, () => live.stepOf(...stepper.begin(input))),
    again: context =>
      safely({ ...NOWHERE, context }, checked, () => {
        restarted ??= stepperOf(
          instantiate({ ...config, context: ({ input }: { input: never }) => input }, source),
        )
        const [next, actions] = restarted.begin(context)
        // XState's own object belongs to the second machine: the first one must not find it.
        return { snapshot: snapshotOf(next), ...sortActions(actions) }
      }),
    step: (snapshot, event) =>
      safely(snapshot, checked, () => live.stepOf(...stepper.step(live.revive(snapshot), event))),
    can: (snapshot, event) => {
      try {
        return snapshot.status === 'active' && live.revive(snapshot).can(event as never)
      } catch {
        return true // A throwing guard is met again by `step`, which reports it.
      }
    },
    active: snapshot => new Set(live.revive(snapshot)._nodes.map(({ id }: AnyStateNode) => id)),
  }
}

const NOWHERE: Snapshot = { value: null, context: {}, status: 'active' }

/** A snapshot is plain JSON outside. XState's own object for it is found again, which is quicker than building it at every step. */
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
    ...(status === 'error'
      ? { error: String((error as Error | undefined)?.message ?? error) }
      : {}),
  }
}

/** XState throws what a guard or an assignment threw: the thread ends where it was. */
function safely(before: Snapshot, checked: boolean, take: () => Step): Step {
  try {
    const step = take()
    const fault = checked
      ? undefined
      : notJsonSince(before.context, step.snapshot.context, 'context')
    return fault === undefined ? step : failedStep(before, `a context is plain data, and ${fault}`)
  } catch (error) {
    return failedStep(before, (error as Error).message.split('\n')[0] ?? '')
  }
}

function instantiate(config: Instrumented, { implementations }: AnyStateMachine): AnyStateMachine {
  return (createMachine(config) as AnyStateMachine).provide({
    ...implementations,
    guards: { ...GUARDS, ...implementations.guards },
    actions: { ...ACTIONS, ...implementations.actions },
  } as never)
}

/** The thread ends where it was, with the place, and nothing is lost. */
function failedStep(before: Snapshot, error: string): Step {
  return { snapshot: { ...before, status: 'error', error }, asked: [], entered: [], edges: [] }
}

function sortActions(actions: readonly Action[]): Omit<Step, 'snapshot'> {
  const asked: RequestedEffect[] = []
  const entered: EnteredState[] = []
  const edges: string[] = []
  for (const { type, params } of actions) {
    if (type === 'edge') edges.push((params as { id: string }).id)
    else if (type === 'enter') entered.push(params as EnteredState)
    else if (EFFECTS.has(type)) {
      const { state, region, ...own } = params as { state: string; region: string }
      asked.push({ type: type as RequestedEffect['type'], state, region, params: own })
    }
  }
  return { asked, entered, edges }
}

/** What every machine may use without declaring it. `to` and `route` test an escape, `mine` the region of an event. */
const GUARDS = {
  mine: ({ event }: { event: MachineEvent }, { region }: { region: string }) =>
    event.region === '' || event.region === region,
  to: ({ event }: { event: MachineEvent }, { to }: { to: string }) => event.to === to,
  route: (
    { event }: { event: MachineEvent },
    { rung, to, region }: { rung: string; to?: string; region?: string },
  ) =>
    event.rung === rung &&
    (to === undefined || event.to === to) &&
    (region === undefined || event.region === region),
}

const NOTHING = (() => {}) as unknown as ActionFunction<
  never,
  never,
  never,
  never,
  never,
  never,
  never,
  never,
  never
>

const ACTIONS = {
  invoke: NOTHING,
  wait: NOTHING,
  interrupt: NOTHING,
  edge: NOTHING,
  enter: NOTHING,
  write: assign(({ event }) => (event as unknown as MachineEvent).writes ?? {}),
}
