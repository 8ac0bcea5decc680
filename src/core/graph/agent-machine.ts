/** An agent's machine: the law of its statechart, and what a graph knows beyond it (channels, labels, limits of its effects). */
import type { AnyStateMachine } from 'xstate'
import { createMachine } from 'xstate'
import type { Finding } from '../watch/finding.ts'
import type { Json } from '../watch/json.ts'
import { type Policy, POLICY } from '../watch/policy.ts'
import { canonical, hash } from '../watch/signature.ts'
import { type Channels, channelsOf, type Context, type View, type Writes } from './channels.ts'
import { compile } from './compile.ts'
import { targetsOf } from './edges.ts'
import { type Law, lawOf, type Snapshot } from './machine.ts'
import { type Settled, settlerOf } from './settle.ts'
import { pathOf, type Fault } from './spec/fault.ts'
import { policyOf } from './spec/to-policy.ts'
import { isFinal, type Spec } from './spec/spec.ts'
import { compileWhen } from './when.ts'

export type Outcome = 'success' | 'failure' | 'stopped' | 'cancelled'

export interface AgentMachine extends Law {
  readonly id: string
  /** Names the law: the spec's hash, or the chart's hash and the declared version. */
  readonly hash: string
  readonly policy: Policy
  /** What is wrong with the input of a thread. */
  checkInput(input: Json): readonly Fault[]
  /** What the output of a node writes, and the label it earns. */
  settle(node: string, context: Context, output: Json): Settled
  /** What a node is given. */
  inputOf(node: string, context: Context): View
  termsOf(node: string): EffectTerms
  /** Where the `alternative` rung may lead from a state, by the machine's own edges. */
  named(state: string, kind: Finding['kind']): readonly string[]
  hashOf(context: Context, ignored: readonly string[]): string
  /** The value of the declared progress. */
  measure(context: Context): number | undefined
  resultOf(context: Context): Json
  outcomeOf(snapshot: Snapshot): Outcome
}

/** `timeout` and `deadline` in ms. */
export interface EffectTerms {
  readonly timeout: number
  readonly question: string
  readonly deadline?: number
}

const NODE_TIMEOUT = 600_000

/** The machine of a graph spec; `statechart` is the one it names with `machine`, if it does. */
export function machineOfSpec(spec: Spec, statechart?: AnyStateMachine): AgentMachine {
  if (statechart) return { ...machineOf(statechart, { version: hash(canonical(spec)), policy: policyOf(spec) }), id: spec.id }
  const channels = channelsOf(spec.channels)
  const law = lawOf(createMachine(compile(spec, channels)) as AnyStateMachine)
  const policy = policyOf(spec)
  const settler = settlerOf(spec, channels)
  const progress = spec.progress === undefined ? undefined : compileWhen(spec.progress, Object.keys(spec.channels))
  const output = spec.output ?? Object.keys(spec.channels)
  return {
    ...law,
    id: spec.id,
    hash: hash(canonical(spec)),
    policy,
    checkInput: input => inputFaults(spec, channels, input),
    ...settler,
    termsOf: name => {
      const node = spec.nodes[name]
      if (!node || isFinal(node))
        return { timeout: NODE_TIMEOUT, question: 'The agent is stuck. How should it go on?', ...(policy.escape.review ? { deadline: policy.escape.review.deadline } : {}) }
      const deadline = node.use === 'human' ? ((node as { deadline?: number }).deadline ?? policy.escape.review?.deadline) : undefined
      return {
        timeout: node.timeout ?? NODE_TIMEOUT,
        question: node.use === 'human' ? (node as { question: string }).question : '',
        ...(deadline === undefined ? {} : { deadline }),
      }
    },
    named: (state, kind) => {
      const node = spec.nodes[state]
      const target = !node || isFinal(node) || kind === 'failure' || kind === 'circuit' ? undefined : targetsOf(node)[kind]
      return target === undefined ? [] : [target]
    },
    hashOf: channels.hash,
    measure: context => {
      try {
        const value = progress?.evaluate?.(name => channels.read(context, name))
        return typeof value === 'number' ? value : undefined
      } catch {
        // What cannot be measured yet (a channel nobody has written) is no progress.
        return undefined
      }
    },
    resultOf: context => Object.fromEntries(output.map(name => [name, channels.read(context, name)])),
    outcomeOf: ({ value }) => {
      if (value === 'stopped' || value === 'cancelled') return value
      const node = typeof value === 'string' ? spec.nodes[value] : undefined
      return node && isFinal(node) ? node.final : 'failure'
    },
  }
}

function inputFaults(spec: Spec, channels: Channels, input: Json): Fault[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return [{ path: 'input', message: `expected an object with ${spec.input.join(', ') || 'channels'}` }]
  const given = input as Writes
  const missing = spec.input.filter(name => !Object.hasOwn(given, name)).map(name => ({ path: `input.${name}`, message: 'is missing' }))
  return [...missing, ...channels.check(given).map(({ path, message }) => ({ path: pathOf(['input', path]), message }))]
}

/** What a statechart written by hand declares beside itself. */
export interface MachineOptions {
  /** Changed by hand whenever the meaning of stored threads changes. */
  readonly version: string
  readonly policy?: Policy
  /** Context keys that do not count when two states are compared. */
  readonly volatile?: readonly string[]
  readonly timeout?: number
}

/** The machine of a statechart written by hand. Its final states are a success unless tagged `failure`, `stopped` or `cancelled`. */
export function machineOf(source: AnyStateMachine, { version, policy = POLICY, volatile = [], timeout = NODE_TIMEOUT }: MachineOptions): AgentMachine {
  const law = lawOf(source)
  const finals = new Map(law.chart.states.filter(({ kind }) => kind === 'final').map(({ id, tags }) => [id, tags]))
  return {
    ...law,
    id: source.id,
    hash: hash(canonical({ chart: law.chart, version } as unknown)),
    policy,
    checkInput: () => [],
    settle: () => ({ writes: {}, faults: [] }),
    inputOf: (_, context) => context,
    termsOf: () => ({ timeout, question: 'The agent is stuck. How should it go on?', ...(policy.escape.review ? { deadline: policy.escape.review.deadline } : {}) }),
    named: () => [],
    hashOf: (context, ignored) => hash(canonical(Object.fromEntries(Object.entries(context).filter(([key]) => !volatile.includes(key) && !ignored.includes(key))))),
    measure: () => undefined,
    resultOf: context => context as Json,
    outcomeOf: snapshot => {
      const tags = [...law.active(snapshot)].flatMap(id => finals.get(id) ?? [])
      return (['failure', 'stopped', 'cancelled'] as const).find(tag => tags.includes(tag)) ?? 'success'
    },
  }
}
