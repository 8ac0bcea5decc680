/** An agent with tools in one call: the graph plan → act → observe → check, bound and typed. */
import { type AgentOptions as AgentData, agentSpec } from '../core/graph/spec/agent.ts'
import type { CustomParts } from '../core/watch/parts.ts'
import type { SpecGraph } from '../kit/bind.ts'
import type { Schema, SchemaInput, SchemaOutput } from '../kit/schema.ts'
import { graphOf, objectSchema, withInputSchema, withModel } from './define-graph.ts'
import type { AnyDefinition, ModelDefinition, ToolDefinition } from './graph-definition.ts'

/** What `createAgent` takes: beside these, the policy keys of a spec (`limits`, `escape`, `detect`, `rounds`, …). */
export interface AgentOptions<I extends Schema = Schema, O extends Schema = Schema>
  extends Omit<AgentData, 'model' | 'smart' | 'tools' | 'input' | 'output'> {
  readonly model: ModelDefinition
  /** Thinks once in place of `model` when the agent repeats itself. */
  readonly smart?: ModelDefinition
  readonly tools?: Readonly<Record<string, ToolDefinition>>
  /** The schema of the input. Default: `{ goal: string }`. */
  readonly input?: I
  /** The schema of the result: the agent ends when it has one that fits. Default: `{ answer: string }`, its last answer. */
  readonly output?: O
  /** Detectors, rungs and a classifier of your own. */
  readonly parts?: CustomParts
}

type Input<I> = Schema extends I ? { goal: string } : SchemaInput<I>
type Output<O> = Schema extends O ? { answer: string } : SchemaOutput<O>

/**
 * Creates an agent: an ordinary graph that can be started, drawn and stored as a spec.
 *
 * @throws InvalidSpec, CannotBind, UnknownModel
 * @example
 * const shop = createAgent({
 *   id: 'shop',
 *   model: openai('gpt-4o-mini'),
 *   instructions: 'You help the customers of a shop for clocks.',
 *   tools: { stock, refund },
 *   limits: { usd: 1 },
 *   review: { deadline: '4h', otherwise: 'stop' },
 * })
 */
export function createAgent<const I extends Schema = Schema, const O extends Schema = Schema>(
  options: AgentOptions<I, O>,
): SpecGraph<Input<I>, Output<O>> {
  const { input, output, model, smart, parts, tools = {}, ...rest } = options
  const { models: _, ...spec } = agentSpec({
    ...rest,
    tools: tools as AgentData['tools'] & object,
    model: {},
    ...(smart ? { smart: {} } : {}),
    ...(input ? { input: objectSchema(input, 'input') } : {}),
    ...(output ? { output: objectSchema(output, 'output') } : {}),
  })
  const main = smart ? { ...withModel(model), smarter: 'smart' } : model
  const graph = graphOf({
    ...spec,
    models: { main, ...(smart ? { smart } : {}) },
    ...(parts ? { parts } : {}),
  } as unknown as AnyDefinition)
  return withInputSchema(graph, input) as SpecGraph<Input<I>, Output<O>>
}
