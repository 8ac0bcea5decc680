/** The graph of an agent with tools: plan → act → observe → check, and another way around for when it is stuck. */
import { z } from 'zod'
import type { Json } from '../../watch/json.ts'
import { propertyChannels } from './channel.ts'
import { defined } from './defined.ts'
import { type Fault, faultsOf, specMessageFor } from './fault.ts'
import { name } from './name.ts'
import { notifier } from './notify.ts'
import { policyShape } from './policy-schema.ts'
import { model, tool } from './resource.ts'
import type { SpecInput } from './spec.ts'
import { value } from './value.ts'

const objectSchema = z
  .looseObject({ type: z.literal('object'), properties: z.record(name, z.looseObject({})) })
  .meta({ description: 'The JSON Schema of an object.' })

const endpoint = z.union([z.string().min(1), model])

const { escape, ...policy } = policyShape

/** What `extends: agent` and `createAgent` take, as data. */
const agent = z.strictObject({
  escapement: z.literal(1).describe('The version of the notation.'),
  extends: z.literal('agent'),
  id: name.describe('The name of the agent.'),
  description: z.string().optional().describe('What it is for; read by people only.'),
  instructions: z.string().optional().describe('What the model is told first: role, task, rules.'),
  model: endpoint.describe('The model: its id, or a model as in `models`.'),
  smart: endpoint
    .optional()
    .describe('Thinks once in place of `model` when the agent repeats itself.'),
  tools: z.record(name, tool).default({}).describe('The tools it may call.'),
  input: objectSchema.optional().describe('Default: { goal: text }.'),
  output: objectSchema.optional().describe('Default: { answer: text }, the last answer.'),
  preamble: z.union([z.literal(false), z.string()]).optional(),
  review: value.optional().describe('The same as `escape.review`.'),
  escape: escape.optional(),
  notify: z.array(notifier).max(16).optional(),
  progress: z.string().optional(),
  accept: z.array(z.string()).optional(),
  ...Object.fromEntries(Object.entries(policy).map(([key, of]) => [key, of.optional()])),
})

/** An agent as data. Schemas are JSON Schemas; `model` and `smart` are ids or models. */
export interface AgentOptions extends Omit<SpecInput, OwnedByAgent> {
  readonly instructions?: string
  readonly model: string | object
  readonly smart?: string | object
  readonly tools?: Readonly<Record<string, object>>
  readonly input?: JsonObject
  readonly output?: JsonObject
  /** Replaces the rules that the model is told after the instructions; false: none. */
  readonly preamble?: false | string
  /** Asks a person when the ladder comes to it; the same as `escape.review`. */
  readonly review?: NonNullable<SpecInput['escape']>['review']
}

type OwnedByAgent =
  | ('escapement' | 'start' | 'machine' | 'nodes' | 'channels' | 'graphs' | 'parts')
  | ('models' | 'tools' | 'input' | 'output')

type JsonObject = Readonly<Record<string, Json>>

export function isAgent(written: unknown): boolean {
  return typeof written === 'object' && written !== null && 'extends' in written
}

/** The graph that `extends: agent` stands for, or what is wrong with it. */
export function readAgent(
  written: unknown,
): { readonly spec: SpecInput; readonly faults?: undefined } | { readonly faults: Fault[] } {
  const { error } = agent.safeParse(written, { error: specMessageFor })
  if (error) return { faults: faultsOf(error.issues) }
  const { extends: _, ...options } = written as AgentOptions & { extends: 'agent' }
  return { spec: agentSpec(options) }
}

const GOAL: JsonObject = {
  type: 'object',
  properties: { goal: { type: 'string' } },
  required: ['goal'],
}
const FINISH = 'attempt_completion'
const STUCK =
  'What you tried before did not work. Do not continue with it. Find another way to the goal and take its next step.'

/**
 * The spec of an agent: it plans a step with the model, acts with tools, observes the results and plans again, until it
 * answers, or with `output` until it calls `attempt_completion` with a complete result. When it repeats itself it leaves for `replan`.
 */
export function agentSpec(options: AgentOptions): SpecInput {
  const { model, smart, tools = {}, input = GOAL, output, review, escape, ...others } = options
  const { instructions: _, preamble: __, ...rest } = others
  const { goal } = propertyChannels(input)
  const working = ['plan', 'act', 'observe', 'check']
  return {
    escapement: 1,
    ...rest,
    start: goal ? 'receive' : 'plan',
    channels: {
      ...propertyChannels(output ?? {}),
      ...propertyChannels(input),
      messages: { reducer: 'append', type: 'object' },
      ...(goal ? { speaker: { type: 'string', default: 'user' } } : {}),
      [output ? 'thought' : 'answer']: { type: 'string', volatile: true, default: '' },
    },
    nodes: { ...(goal ? { receive: RECEIVE } : {}), ...agentNodes(options), ...FINISHED },
    tools: { ...tools, ...(output ? { [FINISH]: { use: FINISH, with: { output } } } : {}) },
    models: {
      main: { ...modelOf(model), ...(smart === undefined ? {} : { smarter: 'smart' }) },
      ...(smart === undefined ? {} : { smart: modelOf(smart) }),
    },
    escape: {
      alternatives: Object.fromEntries(working.map(node => [node, ['replan']])),
      ...escape,
      ...defined({ review: review ?? escape?.review }),
    },
    input: (input.required as string[] | undefined) ?? [],
    output: output ? Object.keys(propertyChannels(output)) : ['answer'],
  } as unknown as SpecInput
}

/** The goal of each round becomes a message of the user. */
const RECEIVE = {
  use: 'pass',
  in: { role: 'speaker', content: 'goal' },
  out: { messages: '.' },
  on: { done: 'plan' },
}

const FINISHED = { finished: { final: 'success' } }

/** The loop of the agent, and the loop of the way out: an alternative inside the first would lead back into it. */
function agentNodes(options: AgentOptions): object {
  return {
    plan: thinking(options, '', { act: 'act', check: 'check', again: 'plan' }),
    act: acting(options, { next: 'observe', check: 'check' }),
    observe: { use: 'pass', on: { done: 'plan' } },
    check: checking(options, 'plan'),
    replan: thinking(options, STUCK, { act: 'retry', check: 'recheck', again: 'replan' }),
    retry: acting(options, { next: 'replan', check: 'recheck' }),
    recheck: checking(options, 'replan'),
  }
}

type To<K extends string> = Readonly<Record<K, string>>

function thinking(
  { instructions = '', preamble, tools = {}, input = GOAL, output }: AgentOptions,
  more: string,
  to: To<'act' | 'check' | 'again'>,
): object {
  const prompt = [instructions, more].filter(Boolean).join('\n\n') || undefined
  const { goal: _, ...told } = propertyChannels(input)
  return {
    use: 'model',
    model: 'main',
    ...defined({ prompt, preamble }),
    tools: [...Object.keys(tools), ...(output ? [FINISH] : [])],
    command: output ? 'required' : 'optional',
    in: ['messages', ...Object.keys(told)],
    out: { messages: 'message', [output ? 'thought' : 'answer']: 'text' },
    on: { 'done.command': to.act, 'done.answer': output ? to.again : to.check },
  }
}

function acting({ output }: AgentOptions, { next, check }: To<'next' | 'check'>): object {
  const results = Object.keys(propertyChannels(output ?? {}))
  return {
    use: 'tools',
    in: ['messages'],
    out: {
      messages: 'messages',
      ...Object.fromEntries(results.map(key => [key, `completed.result.${key}`])),
    },
    on: { done: next, ...(output ? { 'done.completed': check } : {}) },
  }
}

function checking({ output }: AgentOptions, again: string): object {
  return output
    ? { use: 'pass', on: { done: 'finished' } }
    : {
        use: 'pass',
        in: ['answer'],
        when: { goal: "answer != ''" },
        on: { done: again, 'done.goal': 'finished' },
      }
}

function modelOf(given: string | object): object {
  return typeof given === 'string' ? { id: given } : given
}
