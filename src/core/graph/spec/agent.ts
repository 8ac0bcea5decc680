/** `extends: agent`: the nodes, edges and channels of a plan → act → observe → check agent. */
import type { Json } from '../../watch/data/json.ts'
import type { Fault } from './fault.ts'

export interface AgentOptions {
  /** The system prompt. */
  readonly instructions?: string | undefined
  /** The model that plans, by its name in `models`. */
  readonly model: string
  /** The tools it may call, by their names in `tools`. */
  readonly tools: readonly string[]
  /** The channels of the input. */
  readonly input: readonly string[]
  /** The JSON Schema of a structured result, an object. Without it the result is the text `answer`. */
  readonly output?: { readonly properties?: Readonly<Record<string, Json>> } | undefined
  /** Replaces the rules that model nodes put after the instructions; `false` drops them. */
  readonly preamble?: string | false | undefined
}

/** The tool that hands over a structured result. */
const SUBMIT = 'submit_result'

const CONCLUDE = `What you have tried does not work, and you have no tools left. Answer now with what you know.
Say plainly what is missing and what you could not do.`

/**
 * The parts of a spec that make it an agent. `receive` adds the input to the conversation, `plan` asks the model, `act` performs its
 * calls, `observe` and `check` decide whether to go on. The way out of a loop is `conclude`: one answer without tools, which ends
 * the graph as a failure with the best answer there is.
 */
export function agentParts({ instructions, model, tools, input, output, preamble }: AgentOptions) {
  const result = Object.keys(output?.properties ?? {})
  const asks = { model, ...(preamble === undefined ? {} : { preamble }) }
  const talk = { in: ['messages'], out: { messages: 'message', answer: 'text' } }
  const alternatives = ['plan', 'act', 'observe', 'check'].map(node => [node, ['conclude']])
  return {
    start: 'receive',
    channels: {
      messages: { reducer: 'append', type: 'object' },
      answer: { type: 'string', volatile: true, default: '' },
      results: { type: 'array', volatile: true, default: [] },
    },
    nodes: {
      receive: { use: 'message', in: input, out: { messages: 'message' }, on: { done: 'plan' } },
      plan: {
        ...{ use: 'model', ...asks, prompt: instructions, ...talk },
        tools: output ? [...tools, SUBMIT] : tools,
        command: output ? 'required' : 'optional',
        on: { 'done.command': 'act', 'done.answer': output ? 'plan' : 'check' },
      },
      act: {
        ...{ use: 'tools', in: ['messages'] },
        out: {
          ...{ messages: 'messages', results: 'results' },
          ...Object.fromEntries(result.map(name => [name, `completed.result.${name}`])),
        },
        on: { done: 'observe', ...(output ? { 'done.completed': 'check' } : {}) },
      },
      observe: { use: 'pass', in: ['results'], on: { done: 'plan' } },
      check: {
        ...{ use: 'pass', in: output ? result : ['answer'] },
        ...(output ? {} : { when: { empty: "answer == ''" } }),
        on: { done: 'finished', ...(output ? {} : { 'done.empty': 'plan' }) },
      },
      conclude: {
        ...{ use: 'model', ...asks, ...talk },
        prompt: [instructions, CONCLUDE].filter(Boolean).join('\n\n'),
        on: { done: 'unfinished' },
      },
      finished: { final: 'success' },
      unfinished: { final: 'failure' },
    },
    tools: output ? { [SUBMIT]: { use: 'attempt_completion', with: { schema: output } } } : {},
    escape: { alternatives: Object.fromEntries(alternatives) },
    output: output ? result : ['answer'],
  }
}

/** What is wrong with the keys that only `extends` reads. Other keys are checked after the expansion. */
export function agentFaults(value: unknown): readonly Fault[] {
  if (!isMap(value) || value.extends === undefined) return []
  if (value.extends !== 'agent') return [{ path: 'extends', message: "expected 'agent'" }]
  const { instructions = '', preamble = false, models, model, tools = {}, output } = value
  const names = isMap(models) ? Object.keys(models) : []
  const structured = isMap(output) && isMap(output.properties)
  const faults: readonly (readonly [wrong: boolean, path: string, message: string])[] = [
    ...['nodes', 'start', 'machine'].map(
      key =>
        [key in value, key, 'comes from `extends: agent`; remove it, or remove `extends`'] as const,
    ),
    [typeof instructions !== 'string', 'instructions', 'expected a text'],
    [preamble !== false && typeof preamble !== 'string', 'preamble', 'expected a text or false'],
    [!isMap(tools), 'tools', 'expected a map of tools by name'],
    [names.length === 0, 'models', 'is missing; expected a model, as `{ fast: { id: NAME } }`'],
    [
      names.length > 0 && model !== undefined && !names.includes(String(model)),
      'model',
      `expected one of: ${names.join(', ')}`,
    ],
    [output !== undefined && !structured, 'output', 'expected a JSON Schema with `properties`'],
  ]
  return faults.flatMap(([wrong, path, message]) => (wrong ? [{ path, message }] : []))
}

/** A spec with `extends: agent` written out; any other value as it is. */
export function expandAgent(value: unknown): unknown {
  if (!isMap(value) || value.extends !== 'agent') return value
  const { extends: _, instructions, model, preamble, output, review, ...spec } = value
  const of = (name: string) => (isMap(spec[name]) ? spec[name] : {})
  const named = Array.isArray(spec.input) ? { input: spec.input } : DEFAULT_INPUT
  const structured = isMap(output) ? (output as AgentOptions['output']) : undefined
  const parts = agentParts({
    instructions: instructions as string,
    model: (model as string) ?? Object.keys(of('models'))[0],
    tools: Object.keys(of('tools')),
    input: named.input as string[],
    output: structured,
    preamble: preamble as string,
  })
  return {
    ...spec,
    ...parts,
    input: named.input,
    channels: {
      ...parts.channels,
      ...('channels' in named ? named.channels : {}),
      ...structured?.properties,
      ...of('channels'),
    },
    tools: { ...of('tools'), ...parts.tools },
    escape: { ...parts.escape, ...(review === undefined ? {} : { review }), ...of('escape') },
  }
}

const DEFAULT_INPUT = { input: ['goal'], channels: { goal: { type: 'string' } } }

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
