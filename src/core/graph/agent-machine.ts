/** The machine of an agent: its statechart, and the channels, labels and effect limits of its graph. */
import { type AnyStateMachine, createMachine } from 'xstate'
import { type Json, defined, notJsonAt, canonical, hash } from '../watch/data/json.ts'
import { type Fault, pathOf } from '../watch/data/fault.ts'
import type { Finding } from '../watch/event/event.ts'
import { type WatchParts, BUILT_IN } from '../watch/parts.ts'
import { type Policy, POLICY } from '../watch/policy/policy.ts'
import type { AppliedOutput, Channels, Context, View, Writes } from './channels.ts'
import { channelsOf, hasher, labelerOf, outputApplier } from './channels.ts'
import { stateIdFaults } from './chart.ts'
import { compile } from './compile.ts'
import { learnSteps } from './learned-steps.ts'
import { type Machine, readMachine, type Snapshot, type Step } from './machine.ts'
import { identityOfSpec } from './spec/identity.ts'
import { isCustomUse } from './spec/name.ts'
import { NODE_TIMEOUT } from './spec/node.ts'
import { InvalidSpec } from './spec/read.ts'
import { continuationsIn, isFinal, namedIn, ofKind, workingNodes, policyOf } from './spec/spec.ts'
import { type Spec, modelsOf, rethinkNodes, smarterModel } from './spec/spec.ts'
import { type Budget, chargeTo, OverBudget } from './cel/cost.ts'
import { namesIn, type When, whenCompiler } from './cel/when.ts'

export type Outcome = 'success' | 'failure' | 'stopped' | 'cancelled'

/** A machine with its policy, and everything a run needs beside its statechart. */
export interface AgentMachine extends Machine {
  readonly id: string
  /** Identifies the machine: the identity of the spec, or the hash of the chart and the declared version. */
  readonly hash: string
  readonly policy: Policy
  readonly parts: WatchParts
  /** The keys of the context that hold a `Log`. */
  readonly logs: ReadonlySet<string>
  /** Starts another round: the initial states, with the input of the round applied to the context. Its copies are charged to `total`. */
  restart(context: Context, input: Json, total?: Budget): Step
  /** Its checks are charged to `total`. */
  checkInput(input: Json, total?: Budget): readonly Fault[]
  /** The faults of the channels with which a thread of another version continues here. */
  checkChannels(channels: Writes): readonly Fault[]
  /** The machines of the versions that a thread has left, oldest first: its rows of that time fold with them. */
  readonly left?: readonly AgentMachine[]
  /** The writes of a node's output, and its label. Its checks, copies and conditions are charged to `total`. */
  applyOutput(node: string, context: Context, output: Json, total?: Budget): AppliedOutput
  inputOf(node: string, context: Context): View
  /** The channels that a node which asks a person names with `in`: what the person judges. Without `in`, none. */
  judgedIn(node: string, context: Context): View
  termsOf(node: string): EffectOptions
  /** The targets of the `alternative` rung that the edges of a state name. */
  named(state: string, kind: Finding['kind']): readonly string[]
  /** The targets of the edges of a state that do not end the run. */
  continuations(state: string): readonly string[]
  /** Whether the node runs a custom function. */
  runsCode(node: string): boolean
  /** Whether a model works in the state, and a smarter one can replace it. */
  rethinks(state: string): boolean
  smarter(model: string): string | undefined
  /** The models that can answer in a state, the first one preferred. Empty if no model node works in it. */
  modelsIn(state: string): readonly string[]
  /** Identifies the channels that count when states are compared. What is hashed is charged to `total`. */
  hashOf(context: Context, ignored: readonly string[], total?: Budget): string
  readonly measured: boolean
  /** The value of the declared progress, which is charged to `total`; `null` while it cannot be measured. */
  measure(context: Context, total?: Budget): number | null
  resultOf(context: Context): Json
  outcomeOf(snapshot: Snapshot): Outcome
}

/** `timeout` and `deadline` in ms; a question without a deadline has that of the review policy. */
type EffectOptions = Readonly<{ timeout: number; question?: string; deadline?: number }>

/**
 * The machine of a graph spec. `statechart` and `parts` are the values that its keys `machine` and `parts` name.
 * @example const { chart } = machineOfSpec(parseSpec(value))
 */
export function machineOfSpec(
  spec: Spec,
  statechart?: AnyStateMachine,
  parts: WatchParts = BUILT_IN,
): AgentMachine {
  if (statechart) return handWrittenMachine(spec, statechart, parts)
  const channels = channelsOf(spec.channels)
  const { logs, read } = channels
  const chart = createMachine(compile(spec, channels)) as AnyStateMachine
  const machine = learnSteps(readMachine(chart, { checked: true }), channels.initial)
  const rethinking = new Set(rethinkNodes(spec))
  const output = spec.output ?? Object.keys(spec.channels).filter(name => !logs.has(name))
  return {
    ...machine,
    ...settingsOf(spec, read),
    hash: identityOfSpec(spec),
    policy: policyOf(spec),
    parts,
    logs,
    restart: (context, input, total) =>
      machine.again(channels.apply(context, input as Writes, total)),
    checkInput: (input, total) => inputFaults(spec, input, channels, { total }),
    checkChannels: writes => inputFaults(spec, writes, channels, { root: 'channels' }),
    ...outputApplier(spec, channels),
    named: namedIn(spec),
    continuations: continuationsIn(spec),
    rethinks: state => rethinking.has(state),
    hashOf: channels.hash,
    resultOf: context => Object.fromEntries(output.map(name => [name, read(context, name)])),
    outcomeOf: ({ value }) => {
      if (value === 'stopped' || value === 'cancelled') return value
      const node = typeof value === 'string' ? spec.nodes[value] : undefined
      return node && isFinal(node) ? node.final : 'failure'
    },
  }
}

/** A hand-written statechart with the settings of a spec. */
function handWrittenMachine(
  spec: Spec,
  statechart: AnyStateMachine,
  parts: WatchParts,
): AgentMachine {
  const [version, policy] = [identityOfSpec(spec), policyOf(spec)]
  const machine = machineOf(statechart, { version, policy, parts })
  const { output } = spec
  const labelOf = labelerOf(spec)
  const rethinking = new Set(rethinkNodes(spec))
  const states = machine.chart.states.filter(state =>
    state.effects.some(({ node }) => rethinking.has(node)),
  )
  const read = (context: Context, name: string) => context[name] ?? null
  return {
    ...machine,
    ...settingsOf(spec, read),
    checkInput: input => inputFaults(spec, input),
    applyOutput: (node, context, output, total) => ({
      writes: {},
      ...labelOf(node, name => (name === 'output' ? output : read(context, name)), total),
    }),
    rethinks: state => states.some(({ id }) => id === state),
    modelsIn: machine.modelsIn,
    resultOf: output
      ? context => Object.fromEntries(output.map(name => [name, read(context, name)]))
      : machine.resultOf,
  }
}

/** The settings that a spec defines for compiled and hand-written statecharts alike. */
function settingsOf(spec: Spec, read: Channels['read']) {
  const nodes = new Map(workingNodes(spec))
  const progress = spec.progress && whenCompiler(namesIn(spec))(spec.progress)
  return {
    id: spec.id,
    smarter: (model: string) => smarterModel(spec, model),
    modelsIn: (state: string) => modelsOf(spec, nodes.get(state)),
    runsCode: (name: string): boolean => isCustomUse(nodes.get(name)?.use ?? ''),
    termsOf: (name: string): EffectOptions => {
      const node = nodes.get(name)
      const { question, deadline } = ofKind(node, 'human') ?? {}
      return { timeout: node?.timeout ?? NODE_TIMEOUT, ...defined({ question, deadline }) }
    },
    measured: spec.progress !== undefined,
    measure: measureOf(progress || undefined, read),
  }
}

/** Most steps change none of the channels that the progress reads: the latest value is kept for them. */
function measureOf(progress: When | undefined, read: Channels['read']): AgentMachine['measure'] {
  const { evaluate, names = [] } = progress ?? {}
  let latest: { readonly of: readonly unknown[]; readonly value: number | null } | undefined
  const measure = (context: Context, total: Budget | undefined) => {
    try {
      const value = chargeTo(total, left => evaluate?.(name => read(context, name), left))
      return typeof value === 'number' ? value : null
    } catch (error) {
      if (error instanceof OverBudget) throw error
      return null // A channel that is not written yet cannot be measured.
    }
  }
  return (context, total) => {
    const of = names.map(name => context[name])
    if (!latest?.of.every((value, index) => value === of[index]))
      latest = { of, value: measure(context, total) }
    return latest.value
  }
}

function inputFaults(
  spec: Spec,
  input: Json,
  channels?: Channels,
  { root = 'input', total }: { readonly root?: string; readonly total?: Budget | undefined } = {},
): readonly Fault[] {
  const foreign = foreignFaults(input, root)
  if (foreign.length > 0) return foreign
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    const message = `expected an object with ${spec.input.join(', ') || 'channels'}`
    return [{ path: root, message }]
  }
  const missing = spec.input.filter(name => !Object.hasOwn(input, name))
  const wrong = channels?.check(input as Context, total) ?? []
  const faults = [...missing.map(path => ({ path, message: 'is missing' })), ...wrong]
  return faults.map(({ path, message }) => ({ path: pathOf([root, path]), message }))
}

function foreignFaults(input: Json, root = 'input'): readonly Fault[] {
  const foreign = notJsonAt(input)
  return foreign ? [{ path: root, message: `is not JSON: ${foreign}` }] : []
}

/** The settings of a hand-written statechart. */
interface MachineOptions {
  /** Change it whenever the meaning of stored threads changes. */
  readonly version: string
  readonly policy?: Policy
  readonly parts?: WatchParts
  /** Context keys to exclude when two states are compared, beside those of the chart: `meta: { volatile: […] }` at its root. */
  readonly volatile?: readonly string[]
  readonly timeout?: number
}

/**
 * The machine of a hand-written statechart. Its final states are a success unless tagged `failure`, `stopped` or `cancelled`.
 * @throws InvalidSpec if the id of a state has a `/`
 * @example const machine = machineOf(courier, { version: '1' })
 */
export function machineOf(source: AnyStateMachine, options: MachineOptions): AgentMachine {
  const { version, policy = POLICY, parts = BUILT_IN, timeout = NODE_TIMEOUT } = options
  const faults = stateIdFaults(source)
  if (faults.length > 0)
    throw new InvalidSpec(faults.map(fault => ({ ...fault, code: 'unsound' as const })))
  const machine = readMachine(source, { redact: parts.redact })
  const finals = machine.chart.states.filter(({ kind }) => kind === 'final')
  const meta = (source.config.meta ?? {}) as { volatile?: readonly string[] }
  const volatile = new Set([...(options.volatile ?? []), ...(meta.volatile ?? [])])
  const hashOf = hasher()
  return {
    ...machine,
    id: source.id,
    hash: hash(canonical({ chart: machine.chart, version } as unknown)),
    policy,
    parts,
    logs: new Set(),
    restart: (context, input) => machine.again({ ...context, ...(input as Writes) }),
    checkInput: input => foreignFaults(input),
    checkChannels: () => [{ path: 'machine', message: 'is a hand-written statechart' }],
    applyOutput: () => ({ writes: {}, faults: [] }),
    inputOf: (_, context) => context,
    judgedIn: () => ({}),
    termsOf: () => ({ timeout }),
    named: () => [],
    continuations: () => [],
    runsCode: () => true,
    rethinks: () => false,
    modelsIn: () => [],
    smarter: () => undefined,
    hashOf(context, ignored) {
      const left = new Set(ignored)
      return Object.keys(context)
        .filter(key => !volatile.has(key) && !left.has(key))
        .toSorted()
        .map(key => `${key}:${hashOf(key, context[key] ?? null)}`)
        .join('.')
    },
    measured: false,
    measure: () => null,
    resultOf: context => context as Json,
    outcomeOf: snapshot => {
      const active = machine.active(snapshot)
      const tags = finals.flatMap(state => (active.has(state.id) ? state.tags : []))
      const outcomes = ['failure', 'stopped', 'cancelled'] as const
      return outcomes.find(tag => tags.includes(tag)) ?? 'success'
    },
  }
}
