/** Random graph specs, small and always valid: every edge has a target. */
import fc from 'fast-check'
import { type AgentMachine, machineOfSpec } from '../../src/core/graph/agent-machine.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import type { Spec } from '../../src/core/graph/spec/spec.ts'

export interface RandomSpec {
  readonly spec: Spec
  readonly machine: AgentMachine
}

const NAMES = ['A', 'B', 'C', 'D']
const NAMED = ['read', 'write', 'put']
const TOOLS = {
  read: { use: 'flaky', substitutes: ['read2'] },
  read2: { use: 'flaky' },
  write: { use: 'flaky', effects: 'write', substitutes: ['write2'] },
  write2: { use: 'flaky', effects: 'write' },
  put: { use: 'flaky', effects: 'write', idempotent: true, substitutes: ['put2', 'put3'] },
  put2: { use: 'flaky', effects: 'write', idempotent: true },
  put3: { use: 'flaky', effects: 'write' },
}
const EDGES = [
  'done.x',
  'error.transient',
  'error.persistent',
  'error.business',
  'error',
  'timeout',
  'breaker.open',
  'loop',
  'stall',
  'budget',
  'noToolCall',
  'human.rejected',
  'human.expired',
] as const

const target = fc.constantFrom(...NAMES, ...NAMES, ...NAMES, 'end', 'fail')

const node = fc.record({
  use: fc.constantFrom('pass', 'pass', 'tool', 'tool', 'model', 'human'),
  tool: fc.constantFrom(...NAMED),
  done: target,
  others: fc.dictionary(fc.constantFrom(...EDGES), target, { maxKeys: 3 }),
  phase: fc.boolean(),
  timeout: fc.constantFrom('10s', '1m'),
  tuned: fc.constantFrom(undefined, { sequence: false }, { repetition: { times: 2 } }),
})

type NodeDrawn = typeof node extends fc.Arbitrary<infer T> ? T : never

function written({ use, tool, done, others, phase, timeout, tuned }: NodeDrawn): object {
  const on = { done, 'human.approved': done, ...others }
  const common = {
    out: ['n', 'log', 'most'],
    on,
    ...(phase ? { phase } : {}),
    ...(tuned ? { detect: tuned } : {}),
  }
  if (use === 'tool') return { use, tool, timeout, ...common }
  if (use === 'model') return { use, model: 'fast', command: 'required', timeout, ...common }
  if (use === 'human') return { use, question: 'Well?', deadline: '1h', ...common }
  return { use: 'pass', ...common }
}

const LADDER = ['retry', 'rethink', 'substitute', 'alternative', 'rollback', 'review', 'stop']
const counted = fc.record({ perLoop: fc.nat(3), total: fc.nat(6) })

const escape = fc.record(
  {
    ladder: fc.oneof(fc.constant(LADDER), fc.shuffledSubarray(LADDER)),
    alternatives: fc.dictionary(
      fc.constantFrom(...NAMES),
      fc.uniqueArray(target, { minLength: 1, maxLength: 3 }),
      { minKeys: 1, maxKeys: 4 },
    ),
    budget: fc.record({
      alternative: counted,
      rethink: counted,
      rollback: counted,
      review: fc.record({ perLoop: fc.nat(2), total: fc.nat(3) }),
    }),
    rollback: fc.record({ accept: fc.subarray(['write', 'put']) }),
    review: fc.record(
      {
        deadline: fc.constant('30m'),
        otherwise: fc.constantFrom('stop', 'continue'),
        to: fc.constant('team'),
        escalate: fc.constant([
          { to: 'lead', after: '5m' },
          { to: 'boss', after: '20m' },
        ]),
      },
      { requiredKeys: ['deadline', 'otherwise'] },
    ),
    restarts: fc.nat(3),
  },
  { requiredKeys: ['alternatives'] },
)

/** Small numbers, so that random runs meet them. */
const limits = fc.record(
  {
    steps: fc.integer({ min: 1, max: 14 }),
    toolCalls: fc.integer({ min: 1, max: 12 }),
    modelCalls: fc.integer({ min: 1, max: 8 }),
    tokens: fc.constant(2_000),
    usd: fc.constant(0.5),
    duration: fc.constant('2h'),
    round: fc.record(
      { steps: fc.integer({ min: 1, max: 8 }), toolCalls: fc.integer({ min: 1, max: 8 }) },
      { requiredKeys: [] },
    ),
    scopes: fc.constantFrom(
      { job: { toolCalls: 6, usd: 0.3, loops: 2, per: '1h' } },
      { job: { loops: 3 }, team: { steps: 8, duration: '1h', per: '20m' } },
    ),
  },
  { requiredKeys: ['steps'] },
)

const detect = fc.record(
  {
    sequence: fc.constantFrom(false as const, { repeats: 2 }, { repeats: 3, periodMax: 1 }),
    visits: fc.constantFrom(3, 6),
    stale: fc.constantFrom(false as const, { times: 2 }),
    ignore: fc.constant(['n']),
  },
  { requiredKeys: [] },
)

type Written = Readonly<Record<string, { readonly on?: Readonly<Record<string, string>> }>>

const ENDS = { end: { final: 'success' }, fail: { final: 'failure' } }

/** Where the nodes of a graph with regions stand. */
const AREAS: readonly (readonly string[])[] = [
  ['A', 'both', 'end', 'fail'],
  ['B', 'approved', 'rejected'],
  ['C', 'D', 'over'],
]

/** The same graph with B in one region and C and D in another: what led elsewhere leads to something nearer. */
function setApart(nodes: Written): object {
  const near = (name: string) => ({
    ...nodes[name],
    on: mapValues(withoutThread(name, nodes[name]?.on ?? {}), to => inArea(name, to)),
  })
  const { A: _, B: __, C: ___, D: ____, ...ends } = nodes
  return {
    A: near('A'),
    both: {
      regions: {
        left: {
          start: 'B',
          nodes: { B: near('B'), approved: { final: 'success' }, rejected: { final: 'failure' } },
        },
        right: { start: 'C', nodes: { C: near('C'), D: near('D'), over: { final: 'success' } } },
      },
      on: { done: 'A', 'done.failed': 'end', budget: 'end' },
    },
    ...ends,
  }
}

/** A limit concerns the whole thread: no edge of a region is named for it. */
function withoutThread(
  name: string,
  on: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return name === 'A'
    ? on
    : Object.fromEntries(Object.entries(on).filter(([outcome]) => outcome !== 'budget'))
}

function inArea(from: string, to: string): string {
  const area = AREAS.find(names => names.includes(from)) ?? []
  return area.includes(to) ? to : (area[to === 'end' ? area.length - 1 : 1] ?? to)
}

function mapValues<T, U>(
  of: Readonly<Record<string, T>>,
  change: (value: T, key: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value, key)]))
}

export const randomSpec: fc.Arbitrary<RandomSpec> = fc
  .record({
    nodes: fc.tuple(node, node, node, node),
    volatile: fc.boolean(),
    progress: fc.constantFrom(undefined, 'most', 'n + 1'),
    escape,
    limits,
    detect,
    mode: fc.constantFrom('act', 'act', 'act', 'observe'),
    rounds: fc.record({ busy: fc.constantFrom('reject', 'queue', 'interrupt', 'rollback') }),
    retry: fc.record({ attempts: fc.integer({ min: 1, max: 3 }) }),
    breaker: fc.record({
      threshold: fc.integer({ min: 1, max: 3 }),
      reset: fc.constantFrom('2s', '1m'),
    }),
    confirm: fc.constantFrom({}, {}, {}, { write: 'write' }, { 're*': 'always', '*': 'write' }),
    apart: fc.boolean(),
  })
  .map(({ nodes: drawnNodes, volatile, progress, apart, escape, ...policy }) => {
    const nodes = {
      ...Object.fromEntries(drawnNodes.map((each, index) => [NAMES[index], written(each)])),
      ...ENDS,
    }
    const { alternatives, ...ways } = escape
    const read = readSpec({
      escapement: 1,
      id: 'drawn',
      start: 'A',
      channels: {
        n: { type: 'integer', volatile },
        log: { reducer: 'append' },
        most: { type: 'integer', reducer: 'max', default: 0 },
      },
      nodes: apart ? setApart(nodes) : nodes,
      escape: {
        ...ways,
        alternatives: apart
          ? mapValues(alternatives, (targets, from) => [
              ...new Set(targets.map(to => inArea(from, to))),
            ])
          : alternatives,
      },
      tools: TOOLS,
      models: {
        fast: { id: 'any', timeout: '20s', smarter: 'smart' },
        smart: { id: 'other', timeout: '20s' },
      },
      ...policy,
      ...(progress === undefined ? {} : { progress }),
    })
    if (read.faults)
      throw new Error(`the generator drew an invalid spec: ${JSON.stringify(read.faults)}`)
    return { spec: read.spec, machine: machineOfSpec(read.spec) }
  })

/** Two alternating writes with sensitive breakers and substitutes. */
export const writing: fc.Arbitrary<RandomSpec> = fc
  .record({
    attempts: fc.integer({ min: 1, max: 3 }),
    threshold: fc.integer({ min: 1, max: 2 }),
    reset: fc.constantFrom('2s', '1m'),
  })
  .map(({ attempts, threshold, reset }) => {
    const turn = (tool: string, next: string) => ({
      use: 'tool',
      tool,
      timeout: '1h',
      on: { done: next, error: next },
    })
    const { spec } = readSpec({
      escapement: 1,
      id: 'writing',
      start: 'A',
      nodes: { A: turn('put', 'B'), B: turn('write', 'A'), end: { final: 'success' } },
      tools: TOOLS,
      limits: { steps: 6 },
      retry: { attempts },
      breaker: { threshold, reset },
    })
    return { spec: spec as Spec, machine: machineOfSpec(spec as Spec) }
  })
