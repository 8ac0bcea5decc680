/** An agent's machine: the law of its statechart, and what a graph knows beyond it (channels, labels, limits of its effects). */
import type { AnyStateMachine } from 'xstate'
import { createMachine } from 'xstate'
import type { Finding } from '../watch/event/finding.ts'
import { type Json, notJsonAt } from '../watch/data/json.ts'
import { BUILT_IN, type WatchParts } from '../watch/parts.ts'
import { type Policy, POLICY } from '../watch/policy/policy.ts'
import { canonical, hash } from '../watch/data/signature.ts'
import { type Channels, channelsOf, type Context, type View, type Writes } from './channels.ts'
import { compile } from './compile.ts'
import { isFinal, namedIn, workingNodes } from './spec/nodes.ts'
import { hasher } from './hasher.ts'
import { type Machine, readMachine, type Snapshot, type Step } from './machine.ts'
import { labellerOf, type AppliedOutput, outputApplier } from './apply-output.ts'
import { type Fault, pathOf } from '../watch/data/fault.ts'
import { policyOf, rethinkNodes, smarterModel, type Spec } from './spec/spec.ts'
import { NODE_TIMEOUT, type WorkingNode } from './spec/node.ts'
import { namesIn, whenCompiler } from './spec/when.ts'

export type Outcome = 'success' | 'failure' | 'stopped' | 'cancelled'

/** A machine with its policy, and all that is asked of it beside its law. */
export interface AgentMachine extends Machine {
  readonly id: string
  /** Names the law: the spec's hash, or the chart's hash and the declared version. */
  readonly hash: string
  readonly policy: Policy
  /** What its runs are watched with: what ships, and one's own. */
  readonly parts: WatchParts
  /** The keys of the context that hold a `Log`. */
  readonly logs: ReadonlySet<string>
  /** Begins another round: the initial states, the context as it is, and in it the input of the round. */
  restart(context: Context, input: Json): Step
  /** What is wrong with the input of a thread, or of a round. */
  checkInput(input: Json): readonly Fault[]
  /** What the output of a node writes, and the label it earns. */
  settle(node: string, context: Context, output: Json): AppliedOutput
  /** What a node is given. */
  inputOf(node: string, context: Context): View
  termsOf(node: string): EffectTerms
  /** Where the `alternative` rung may lead from a state, by the machine's own edges. */
  named(state: string, kind: Finding['kind']): readonly string[]
  /** Whether a model works in the state for which a smarter one can think. */
  rethinks(state: string): boolean
  /** The model that thinks again in the place of another. */
  smarter(model: string): string | undefined
  hashOf(context: Context, ignored: readonly string[]): string
  /** The graph declares what progress is. */
  readonly measured: boolean
  /** The value of the declared progress; `null` while it cannot be measured. */
  measure(context: Context): number | null
  resultOf(context: Context): Json
  outcomeOf(snapshot: Snapshot): Outcome
}

/** `timeout` and `deadline` in ms; without a deadline of its own, a question has that of the review policy. */
export interface EffectTerms {
  readonly timeout: number
  readonly question?: string
  readonly deadline?: number
}

/**
 * The machine of a graph spec; `statechart` is the one it names with `machine`, `parts` those it names with `parts`, if it does.
 *
 * @example const { chart } = machineOfSpec(parseSpec(value))
 */
export function machineOfSpec(
  spec: Spec,
  statechart?: AnyStateMachine,
  parts: WatchParts = BUILT_IN,
): AgentMachine {
  if (statechart) return { ...besideSpec(spec, statechart), parts }
  const channels = channelsOf(spec.channels)
  const machine = readMachine(createMachine(compile(spec, channels)) as AnyStateMachine, {
    checked: true,
  })
  const policy = policyOf(spec)
  const thinking = new Set(rethinkNodes(spec))
  const output = spec.output ?? Object.keys(spec.channels).filter(name => !channels.logs.has(name))
  return {
    ...machine,
    id: spec.id,
    hash: hash(canonical(spec)),
    policy,
    parts,
    logs: channels.logs,
    restart: (context, input) => machine.again(channels.apply(context, input as Writes)),
    checkInput: input => inputFaults(spec, input, channels),
    ...outputApplier(spec, channels),
    termsOf: termsIn(spec),
    named: namedIn(spec),
    rethinks: state => thinking.has(state),
    smarter: model => smarterModel(spec, model),
    hashOf: channels.hash,
    measured: spec.progress !== undefined,
    measure: measureOf(spec, channels.read),
    resultOf: context =>
      Object.fromEntries(output.map(name => [name, channels.read(context, name)])),
    outcomeOf: ({ value }) => {
      if (value === 'stopped' || value === 'cancelled') return value
      const node = typeof value === 'string' ? spec.nodes[value] : undefined
      return node && isFinal(node) ? node.final : 'failure'
    },
  }
}

/** A statechart written by hand, with what a spec says beside it. */
function besideSpec(spec: Spec, statechart: AnyStateMachine): AgentMachine {
  const policy = policyOf(spec)
  const machine = machineOf(statechart, { version: hash(canonical(spec)), policy })
  const { output } = spec
  const labelled = labellerOf(spec)
  const thinking = new Set(rethinkNodes(spec))
  const states = new Set(
    machine.chart.states.flatMap(({ id, effects }) =>
      effects.some(({ node }) => thinking.has(node)) ? [id] : [],
    ),
  )
  const read = (context: Context, name: string) => context[name] ?? null
  return {
    ...machine,
    id: spec.id,
    checkInput: input => inputFaults(spec, input),
    settle: (node, context, output) => ({
      writes: {},
      ...labelled(node, name => (name === 'output' ? output : read(context, name))),
    }),
    termsOf: termsIn(spec),
    rethinks: state => states.has(state),
    smarter: model => smarterModel(spec, model),
    measured: spec.progress !== undefined,
    measure: measureOf(spec, read),
    resultOf: output
      ? context => Object.fromEntries(output.map(name => [name, read(context, name)]))
      : machine.resultOf,
  }
}

function inputFaults(spec: Spec, input: Json, channels?: Channels): readonly Fault[] {
  const foreign = notJsonAt(input)
  if (foreign) return [{ path: 'input', message: `is not JSON: ${foreign}` }]
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return [
      { path: 'input', message: `expected an object with ${spec.input.join(', ') || 'channels'}` },
    ]
  const missing = spec.input
    .filter(name => !Object.hasOwn(input, name))
    .map(name => ({ path: `input.${name}`, message: 'is missing' }))
  const wrong = channels?.check(input as Context) ?? []
  return [
    ...missing,
    ...wrong.map(({ path, message }) => ({ path: pathOf(['input', path]), message })),
  ]
}

function termsIn(spec: Spec): AgentMachine['termsOf'] {
  const nodes = new Map(workingNodes(spec))
  return name => {
    const node = nodes.get(name)
    if (!node) return unnamedTerms()
    const { question, deadline } =
      node.use === 'human' ? (node as Extract<WorkingNode, { use: 'human' }>) : {}
    return {
      timeout: node.timeout ?? NODE_TIMEOUT,
      ...(question === undefined ? {} : { question }),
      ...(deadline === undefined ? {} : { deadline }),
    }
  }
}

function unnamedTerms(timeout = NODE_TIMEOUT): EffectTerms {
  return { timeout }
}

function measureOf(
  spec: Spec,
  read: (context: Context, name: string) => Json,
): AgentMachine['measure'] {
  const progress =
    spec.progress === undefined ? undefined : whenCompiler(namesIn(spec))(spec.progress)
  return context => {
    try {
      const value = progress?.evaluate?.(name => read(context, name))
      return typeof value === 'number' ? value : null
    } catch {
      // What cannot be measured yet (a channel nobody has written) is no progress.
      return null
    }
  }
}

/** What a statechart written by hand declares beside itself. */
export interface MachineOptions {
  /** Changed by hand whenever the meaning of stored threads changes. */
  readonly version: string
  readonly policy?: Policy
  readonly parts?: WatchParts
  /** Context keys that do not count when two states are compared, beside those the chart names itself: `meta: { volatile: […] }` at its root. */
  readonly volatile?: readonly string[]
  readonly timeout?: number
}

/**
 * The machine of a statechart written by hand. Its final states are a success unless tagged `failure`, `stopped` or `cancelled`.
 *
 * @example const machine = machineOf(courier, { version: '1' })
 */
export function machineOf(
  source: AnyStateMachine,
  {
    version,
    policy = POLICY,
    parts = BUILT_IN,
    volatile = [],
    timeout = NODE_TIMEOUT,
  }: MachineOptions,
): AgentMachine {
  const machine = readMachine(source)
  const finals = new Map(
    machine.chart.states.filter(({ kind }) => kind === 'final').map(({ id, tags }) => [id, tags]),
  )
  const { volatile: own = [] } = (source.config.meta ?? {}) as { volatile?: readonly string[] }
  const passing = new Set([...volatile, ...own])
  const hashOf = hasher()
  return {
    ...machine,
    id: source.id,
    hash: hash(canonical({ chart: machine.chart, version } as unknown)),
    policy,
    parts,
    logs: new Set(),
    restart: (context, input) => machine.again({ ...context, ...(input as Writes) }),
    checkInput: input => {
      const foreign = notJsonAt(input)
      return foreign ? [{ path: 'input', message: `is not JSON: ${foreign}` }] : []
    },
    settle: () => ({ writes: {}, faults: [] }),
    inputOf: (_, context) => context,
    termsOf: () => unnamedTerms(timeout),
    named: () => [],
    rethinks: () => false,
    smarter: () => undefined,
    hashOf: (context, ignored) => {
      const counting = Object.keys(context).filter(
        key => !passing.has(key) && !ignored.includes(key),
      )
      return counting
        .toSorted()
        .map(key => `${key}:${hashOf(key, context[key] ?? null)}`)
        .join('.')
    },
    measured: false,
    measure: () => null,
    resultOf: context => context as Json,
    outcomeOf: snapshot => {
      const tags = [...machine.active(snapshot)].flatMap(id => finals.get(id) ?? [])
      return (
        (['failure', 'stopped', 'cancelled'] as const).find(tag => tags.includes(tag)) ?? 'success'
      )
    },
  }
}
