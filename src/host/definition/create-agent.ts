/** Agents in TypeScript: a plan → act → observe → check graph around a model, tools and instructions. */
import { agentParts, historyFaults } from '../../core/graph/spec/agent.ts'
import { InvalidSpec } from '../../core/graph/spec/read.ts'
import { type Json, defined } from '../../core/watch/data/json.ts'
import type { Fault } from '../../core/watch/data/schema-faults.ts'
import type { SpecGraph } from '../../kit/bind/bind.ts'
import { type Schema, type SchemaInput, type SchemaOutput, jsonSchemaOf } from '../../kit/schema.ts'
import { graphOf, modelSettings } from './define-graph.ts'
import type { AnyDefinition, ModelDefinition, ToolDefinition } from './graph-definition.ts'

type Policy = Pick<
  AnyDefinition,
  | 'description'
  | 'mode'
  | 'limits'
  | 'retry'
  | 'breaker'
  | 'failures'
  | 'detect'
  | 'confirm'
  | 'rounds'
  | 'notify'
  | 'accept'
  | 'parts'
  | 'migrate'
>

/** The options of `createAgent`, including the policy keys of a spec in the same notation. */
export interface AgentDefinition<I extends Schema, O extends Schema> extends Policy {
  readonly id: string
  /** A model of this package, of the AI SDK or of LangChain, or an endpoint as data. */
  readonly model: ModelDefinition
  /** The model that plans once after a loop (`rethink`). */
  readonly smarter?: ModelDefinition
  /** The tools, by the names that the model sees. */
  readonly tools?: Readonly<Record<string, ToolDefinition>>
  /** The system prompt. */
  readonly instructions?: string
  /** Replaces the rules that follow the instructions; `false` omits them. */
  readonly preamble?: string | false
  /** The most messages that the model receives: the first user message, the latest question, and the latest others. Default: 30. */
  readonly history?: number
  /** The schema of the input, an object. Default: `{ goal: string }`. */
  readonly input?: I
  /** The schema of a structured result, an object. Default: `{ answer: string }`. */
  readonly output?: O
  /** Asks a person when the other escape routes are exhausted. */
  readonly review?: NonNullable<AnyDefinition['escape']>['review']
  readonly escape?: AnyDefinition['escape']
}

type InputFor<I> = Schema extends I ? { readonly goal: string } : SchemaInput<I>
type OutputFor<O> = Schema extends O ? { readonly answer: string } : SchemaOutput<O>
/** `messages` is the conversation, `answer` the last text of the model. */
type ChannelsFor<I, O> = InputFor<I> & {
  readonly messages: readonly Json[]
  readonly answer: string
} & { readonly [K in keyof OutputFor<O>]: OutputFor<O>[K] | null }

/** The compiler rejects these keys only in a literal. Without an error, the parts of the agent would replace their values. */
const generatedFaults = (definition: object): readonly Fault[] =>
  ['nodes', 'start', 'machine', 'channels', 'models'].flatMap(path =>
    Object.hasOwn(definition, path)
      ? [{ path, message: 'comes from createAgent; remove it, or use defineGraph' }]
      : [],
  )

const GOAL = { type: 'object', properties: { goal: { type: 'string' } }, required: ['goal'] }

/**
 * Creates an agent that plans, acts, observes and checks until it has an answer. A message to an agent that has answered continues
 * the conversation.
 * @throws InvalidSpec, CannotBind
 * @example
 * const shop = createAgent({
 *   id: 'shop',
 *   model: openai('gpt-4o-mini'),
 *   instructions: 'You answer questions about a shop for clocks.',
 *   tools: { stock, refund },
 *   limits: { usd: 1 },
 * })
 */
export function createAgent<I extends Schema = Schema, O extends Schema = Schema>(
  definition: AgentDefinition<I, O>,
): SpecGraph<InputFor<I>, OutputFor<O>, ChannelsFor<I, O>> {
  const { model, smarter, tools = {}, instructions, preamble, history, ...others } = definition
  const { review, escape, ...rest } = others
  const faults = [...historyFaults(history), ...generatedFaults(rest)]
  if (faults.length > 0)
    throw new InvalidSpec(faults.map(fault => ({ ...fault, code: 'invalid-shape' })))
  const input: Schema = definition.input ?? GOAL
  const { output } = definition
  const schema = output && jsonSchemaOf(output, 'output', 'the output')
  const parts = agentParts({
    model: 'model',
    tools: Object.keys(tools),
    input: Object.keys(jsonSchemaOf(input, 'input', 'the input')?.properties ?? {}),
    ...defined({ instructions, preamble, history, output: schema }),
  })
  const graph = graphOf({
    ...rest,
    ...parts,
    input,
    output: output ?? parts.output,
    tools: { ...tools, ...parts.tools },
    models: smarter
      ? { model: { ...modelSettings(model), smarter: 'smarter' }, smarter }
      : { model },
    escape: { ...parts.escape, ...defined({ review }), ...escape },
  } as unknown as AnyDefinition)
  return graph as SpecGraph<InputFor<I>, OutputFor<O>, ChannelsFor<I, O>>
}
