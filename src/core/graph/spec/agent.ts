/** `extends: agent`: the nodes, edges and channels of a plan → act → observe → check agent. */
import { type Json, defined, isMap } from '../../watch/data/json.ts'
import type { Fault } from '../../watch/data/schema-faults.ts'

interface AgentOptions {
  readonly instructions?: string | undefined
  readonly model: string
  readonly tools: readonly string[]
  readonly input: readonly string[]
  /** The JSON Schema of a structured result, an object. Without it the result is the text `answer`. */
  readonly output?: { readonly properties?: Readonly<Record<string, Json>> } | undefined
  /** Replaces the rules that model nodes put after the instructions; `false` drops them. */
  readonly preamble?: string | false | undefined
  /** The most messages that the model receives. Default: that of a model node. */
  readonly history?: number | undefined
}

/** The tool that submits a structured result. */
const SUBMIT = 'submit_result'

const CONCLUDE = `What you have tried does not work, and you have no tools left. Answer now with what you know.
Say plainly what is missing and what you could not do.`

/**
 * The parts of a spec that make it an agent. `receive` adds the input to the conversation, `plan` calls the model, `act` performs
 * its calls, `observe` and `check` decide whether to continue. The escape from a loop is `conclude`: one answer without tools,
 * which ends the graph as a failure with the best available answer.
 */
export function agentParts(options: AgentOptions) {
  const { instructions, model, tools, input, output, preamble, history } = options
  const result = Object.keys(output?.properties ?? {})
  const call = { use: 'model', model, ...defined({ preamble, history }) }
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
        ...{ ...call, prompt: instructions, ...talk },
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
        ...{ ...call, ...talk },
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

/** The fault of the `history` of an agent, before it becomes that of its nodes. */
export function historyFaults(history: unknown): readonly Fault[] {
  if (history === undefined || (Number.isInteger(history) && (history as number) >= 2)) return []
  return [{ path: 'history', message: 'expected a whole number of at least 2' }]
}

/** Faults of the keys that only `extends` reads. The schema checks all other keys after the expansion. */
export function agentFaults(value: unknown): readonly Fault[] {
  if (!isMap(value) || value.extends === undefined) return []
  if (value.extends !== 'agent') return [{ path: 'extends', message: "expected 'agent'" }]
  const { instructions = '', preamble = false, models, model, tools = {}, output } = value
  const names = isMap(models) ? Object.keys(models) : []
  const unknown = names.length > 0 && model !== undefined && !names.includes(String(model))
  const isStructured = output === undefined || (isMap(output) && isMap(output.properties))
  const isText = preamble === false || typeof preamble === 'string'
  const noModel = 'is missing; expected a model, as `{ fast: { id: NAME } }`'
  const fault = (path: string, isWrong: boolean, message: string): Fault[] =>
    isWrong ? [{ path, message }] : []
  const generated = 'comes from `extends: agent`; remove it, or remove `extends`'
  return [
    ...['nodes', 'start', 'machine'].flatMap(key => fault(key, key in value, generated)),
    ...fault('instructions', typeof instructions !== 'string', 'expected a text'),
    ...fault('preamble', !isText, 'expected a text or false'),
    ...historyFaults(value.history),
    ...fault('tools', !isMap(tools), 'expected a map of tools by name'),
    ...fault('models', names.length === 0, noModel),
    ...fault('model', unknown, `expected one of: ${names.join(', ')}`),
    ...fault('output', !isStructured, 'expected a JSON Schema with `properties`'),
  ]
}

/** Expands a spec with `extends: agent`; returns any other value unchanged. */
export function expandAgent(value: unknown): unknown {
  if (!isMap(value) || value.extends !== 'agent') return value
  const { extends: _, instructions, model, preamble, history, output, review, ...spec } = value
  const mapAt = (key: string) => (isMap(spec[key]) ? spec[key] : {})
  const isNamed = Array.isArray(spec.input)
  const input = isNamed ? (spec.input as string[]) : ['goal']
  const structured = isMap(output) ? (output as AgentOptions['output']) : undefined
  const parts = agentParts({
    instructions: instructions as string,
    model: (model as string) ?? Object.keys(mapAt('models'))[0],
    tools: Object.keys(mapAt('tools')),
    input,
    output: structured,
    preamble: preamble as string,
    history: history as number | undefined,
  })
  const goal = isNamed ? {} : { goal: { type: 'string' } }
  return {
    ...spec,
    ...parts,
    input,
    channels: { ...parts.channels, ...goal, ...structured?.properties, ...mapAt('channels') },
    tools: { ...mapAt('tools'), ...parts.tools },
    escape: { ...parts.escape, ...defined({ review }), ...mapAt('escape') },
  }
}
