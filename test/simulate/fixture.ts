/** A small agent with a shop behind it, for simulations. */
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { parseSpec } from '../../src/core/graph/spec/read.ts'
import { tool } from '../../src/kit/tool.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { simulate, type SimulatedThread, type Subject } from '../../src/simulate/run/simulate.ts'
import type { CreateSystem } from '../../src/simulate/run/fake-system.ts'
import { parseScenario, type ScenarioInput } from '../../src/simulate/scenario/scenario.ts'
import { modelOf, type TurnInput } from '../../src/testing/scripted-model.ts'

const any = { type: 'object' } as const

/** A model calls `stock` and `order`, and finishes with a text. */
export function shop(
  turns: readonly TurnInput[] = TURNS,
  policy: Readonly<Record<string, unknown>> = {},
): Graph {
  const spec = parseSpec({
    escapement: 1,
    id: 'shop',
    start: 'plan',
    channels: { messages: { reducer: 'append', type: 'object' }, answer: { default: null } },
    nodes: {
      plan: {
        use: 'model',
        model: 'fast',
        tools: ['stock', 'order'],
        in: ['messages'],
        out: { messages: 'message', answer: 'text' },
        on: { 'done.command': 'act', 'done.answer': 'end' },
      },
      act: {
        use: 'tools',
        in: ['messages'],
        out: { messages: 'messages' },
        on: { done: 'plan' },
      },
      end: { final: 'success' },
    },
    tools: { stock: { use: 'code' }, order: { use: 'code' } },
    models: { fast: { id: 'fast' } },
    output: ['answer'],
    ...policy,
  } as never)
  return bindGraph(spec, {
    model: () => modelOf(turns),
    tools: {
      stock: tool({
        name: 'stock',
        description: 'How many are left.',
        inputSchema: any,
        effects: 'read',
        execute: async () => ({ left: 10 }),
      }),
      order: tool({
        name: 'order',
        description: 'Orders.',
        inputSchema: any,
        effects: 'write',
        idempotent: true,
        execute: async () => ({ ordered: true }),
      }),
    },
  } as never) as Graph
}

export const TURNS: readonly TurnInput[] = [
  { calls: [{ tool: 'stock', args: { item: 'wall clock' } }] },
  { calls: [{ tool: 'order', args: { item: 'wall clock' } }] },
  { say: 'Ordered.', times: 'always' },
]

type Input = Partial<ScenarioInput>

export function subjectOf(graph: Graph, input: Input, system?: CreateSystem): Subject {
  const scenario = parseScenario({ scenario: 1, name: 'trial', graph: './trial.yaml', ...input })
  return { scenario, policy: 'default', graph, system }
}

/** Runs a scenario on the shop. The script of a model has state, so each run gets a graph of its own. */
export function inShop(
  faults: NonNullable<Input['faults']>,
  {
    seed = 1,
    turns = TURNS,
    system,
    ...input
  }: Input & {
    seed?: number
    turns?: readonly TurnInput[]
    system?: never
  } & { create?: CreateSystem } = {},
): Promise<SimulatedThread> {
  const { create, ...rest } = input
  return simulate(subjectOf(shop(turns), { faults, ...rest }, create), { seed })
}
