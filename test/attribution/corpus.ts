/** Journals with one injected fault each, and the truth about it. The attribution sees only the journal. */
import type { Row } from '../../src/core/run/run.ts'
import { draw } from '../../src/core/watch/data/json.ts'
import { loadScenario } from '../../src/host/simulation/load-scenario.ts'
import { faultsOfTape } from '../../src/simulate/inject/decide.ts'
import type { CallName } from '../../src/simulate/inject/call.ts'
import type { Effect } from '../../src/simulate/scenario/effect.ts'
import { parseScenario } from '../../src/simulate/scenario/scenario.ts'
import { simulate, type Subject } from '../../src/simulate/run/simulate.ts'
import { graphOf, type Mode } from '../grid/ours.ts'
import { TASKS, type Task } from '../grid/task.ts'
import { READER } from './reader.ts'

/** The injected effects, by the kind that the attribution should name. */
export const INJECTED: Readonly<Record<string, readonly Effect[]>> = {
  error: [
    { error: { class: 'transient' } },
    { error: { class: 'persistent', status: 401 } },
    { error: { class: 'unknown', message: 'something went wrong' } },
  ],
  timeout: [{ timeout: 5_000 }, { hang: true }],
  slow: [{ latency: 4_000 }, { late: 4_000 }],
  'lost-reply': [{ lostAck: true }],
  duplicate: [{ duplicate: true }],
  'no-effect': [{ noop: true }],
  empty: [{ empty: true }],
  truncated: [{ truncate: 3 }, { truncate: 40 }],
  wrong: [
    { wrong: 'plausible' },
    {
      flipFlop: [
        { price: 1, level: 1 },
        { price: 2, level: 2 },
      ],
    },
  ],
  repeats: [{ repeat: true }, { reword: true }],
  'malformed-call': [{ malformedCall: true }],
  'unknown-tool': [{ unknownTool: true }],
  'early-stop': [{ earlyStop: true }],
  crash: [{ crash: 'after' }, { crash: 'before' }],
} as Readonly<Record<string, readonly Effect[]>>

const ON_MODEL: ReadonlySet<string> = new Set([
  'repeats',
  'malformed-call',
  'unknown-tool',
  'early-stop',
])

export interface Injected {
  readonly kind: string
  readonly agent: string
  /** Whether the graph verifies its result. */
  readonly isGated: boolean
  readonly rows: readonly Row[]
  /** The call that the fault hit, counted among all calls of tools and models; for a crash, the calls before it. */
  readonly call: number
}

interface Agent {
  readonly name: string
  readonly isGated: boolean
  readonly subject: (seed: number) => Promise<Subject>
}

function agentOf(task: Task, mode: Mode): Agent {
  const [{ goal, name }] = task.workers
  const scenario = parseScenario({ scenario: 1, name, graph: './x.yaml', input: { goal } })
  const cell = { signal: 'explicit', span: 'transient', task, scenario } as const
  return {
    name,
    isGated: mode === 'gate',
    subject: async seed => ({
      scenario,
      policy: 'default',
      graph: graphOf(cell, mode, seed),
      system: () => {
        const { tools, correct, progress } = task.world(seed)
        return { tools: tools as never, correct, progress }
      },
    }),
  }
}

const CALM = parseScenario({ scenario: 1, name: 'calm', graph: './calm.yaml' })

const shop: Agent = {
  name: 'shop',
  isGated: false,
  subject: async () => {
    const { subjects, scenario } = await loadScenario('scenarios/dead-key.scenario.yaml')
    const [subject] = Object.values(subjects) as [Subject]
    return { ...subject, scenario: { ...CALM, people: scenario.people, input: scenario.input } }
  },
}

const SINGLE = [...TASKS.filter(({ workers }) => workers.length === 1), READER]

export const AGENTS: readonly Agent[] = [
  ...SINGLE.flatMap(task => [agentOf(task, 'ladder'), agentOf(task, 'gate')]),
  shop,
]

/** Journals without a fault, by agent. */
export async function healthyJournals(
  seeds: readonly number[],
): Promise<readonly (readonly Row[])[]> {
  const all: (readonly Row[])[] = []
  for (const agent of AGENTS)
    for (const seed of seeds)
      all.push((await simulate(await agent.subject(seed), { seed, decide: () => [] })).journal)
  return all
}

/** One journal for each agent, kind and seed; none if the fault changes nothing. */
export async function injectedJournals(seeds: readonly number[]): Promise<readonly Injected[]> {
  const all: Injected[] = []
  for (const agent of AGENTS)
    for (const seed of seeds) {
      const subject = await agent.subject(seed)
      const healthy = await simulate(subject, { seed, decide: () => [] })
      for (const kind of Object.keys(INJECTED)) {
        const made = await inject(await agent.subject(seed), { kind, seed, healthy })
        if (made) all.push({ kind, agent: agent.name, isGated: agent.isGated, ...made })
      }
    }
  return all
}

interface Injecting {
  readonly kind: string
  readonly seed: number
  readonly healthy: {
    readonly hash: string
    readonly calls: readonly CallName[]
    readonly rows: number
  }
}

async function inject(subject: Subject, { kind, seed, healthy }: Injecting) {
  const pick = <T>(items: readonly T[], purpose: string) =>
    items[Math.floor(draw(seed, kind, purpose) * items.length)] as T
  const effect = pick(INJECTED[kind] ?? [], 'effect')
  const isCrash = kind === 'crash'
  const prefix = ON_MODEL.has(kind) ? 'model:' : 'tool:'
  const at = isCrash
    ? { target: 'commit', index: 3 + Math.floor(draw(seed, 'commit') * (healthy.rows / 2)) }
    : pick(
        healthy.calls.filter(({ target }) => target.startsWith(prefix)),
        'call',
      )
  const entry = { ...at, at: 0, node: '', fault: kind, effect }
  // Only scenarios with a fault on commits can stop a process.
  const faults = isCrash
    ? parseScenario({
        scenario: 1,
        name: 'x',
        graph: './x.yaml',
        faults: [{ id: 'crash', on: 'commit', how: 'never', what: { crash: 'after' } }],
      }).faults
    : []
  const scenario = { ...subject.scenario, faults }
  const run = await simulate({ ...subject, scenario }, { seed, decide: faultsOfTape([entry]) })
  if (run.hash === healthy.hash || run.tape.length === 0) return undefined
  return { rows: run.journal, call: isCrash ? callsBefore(run.journal) : callAt(run.journal, at) }
}

const isCall = ({ event }: Row): boolean =>
  event.type === 'tool.called' || event.type === 'model.called'

/** The place of the nth attempt of a target among all calls. */
function callAt(rows: readonly Row[], { target, index }: CallName): number {
  const calls = rows.filter(isCall)
  let nth = 0
  return calls.findIndex(({ event }) => {
    const { type, subject } = event as { type: string; subject: string }
    return `${type.split('.')[0]}:${subject}` === target && ++nth === index
  })
}

/** The calls before the process stopped: the first start of an effect that another process repeats. */
function callsBefore(rows: readonly Row[]): number {
  let epoch: number | undefined
  const again = rows.findIndex(({ event }) => {
    if (event.type !== 'turn.started') return false
    epoch ??= event.epoch
    return event.epoch !== epoch
  })
  return rows.slice(0, again).filter(isCall).length - 1
}
