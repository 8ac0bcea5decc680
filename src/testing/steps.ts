/** Steps of a script: what a model or a tool does at a call. They return the notation of script files. */
import type { Json } from '../core/watch/data/json.ts'
import { modelFields } from '../kit/model.ts'
import type { Model, Tool } from '../runtime/ports.ts'
import { type Fault, faultOf, readScript, takeTurn, turnFor } from './scripted-model.ts'
import type { Turn, TurnInput } from './scripted-model.ts'

type Times = number | 'always'

/** What a tool does at a call. */
export interface ToolStep {
  readonly returns?: Json
  readonly fail?: Fault
  readonly hang?: true
  /** How often the step is used. Default: once. */
  readonly times?: Times
  /** The duration of the call, in ms. */
  readonly latency?: number
}

/** A step for both models and tools. */
type FailingStep = Pick<ToolStep, 'fail' | 'hang' | 'times'>

/**
 * The model answers with a text.
 * @example says('The FAQ is silent.', { latency: 800, usage: { input: 900, output: 40 } })
 */
export function says(text: string, more: Omit<TurnInput, 'say' | 'fail' | 'hang'> = {}): TurnInput {
  return { ...more, say: text }
}

/**
 * The model requests a tool. For several tools, or for a text with them, use `{ say, calls: [{ tool, args }] }`.
 * @example calls('search', { query: 'refund' })
 */
export function calls(tool: string, args: Json = {}): TurnInput {
  return { calls: [{ tool, args: args as NonNullable<TurnInput['calls']>[number]['args'] }] }
}

/** The tool returns a value. */
export const returns = (value: Json): ToolStep => ({ returns: value })

/**
 * The call fails with an HTTP status, a code, or a detailed fault.
 * @example [fails(503, 2), returns({ left: 3 })]
 */
export function fails(how: number | string | Fault, times: Times = 1): FailingStep {
  if (typeof how === 'object') return { fail: how, times }
  const fail = typeof how === 'number' ? { status: how, message: `HTTP ${how}` } : { code: how }
  return { fail, times }
}

/** The call never ends. Its timeout ends it. */
export const hangs = (times: Times = 1): FailingStep => ({ hang: true, times })

/**
 * Repeats a step.
 * @example repeats(calls('search', { query: 'refund' }))
 */
export function repeats<S extends TurnInput | ToolStep>(
  step: S,
  times: Times = 'always',
): S & { readonly times: Times } {
  return { ...step, times }
}

/**
 * A model that takes the steps in order: the first step whose `when` holds and that has uses left answers. It counts attempts
 * in memory, while `scriptedModel` counts in the messages.
 * @throws TypeError with the faults of the script
 */
export function modelOf(steps: readonly TurnInput[], id = 'scripted'): Model {
  // A model that a play replaces needs no step.
  const { script, faults } = steps.length === 0 ? { script: [] } : readScript(steps)
  if (!script)
    throw new TypeError(faults.map(({ path, message }) => `${path}: ${message}`).join('; '))
  const used = script.map(() => 0)
  return {
    ...modelFields(id, {}),
    ask: async (request, call) => {
      const index = turnFor(script, request, used)
      used[index] = (used[index] ?? 0) + 1
      return takeTurn(script[index] as Turn, call)
    },
  }
}

/** A model in a test: steps in order, one step for every call, or a model. */
export type ModelScript = readonly TurnInput[] | TurnInput | Model

export const modelFor = (script: ModelScript): Model =>
  'ask' in script ? script : modelOf(stepsOf(script))

/** A tool in a test: steps in order, one step for every call, or a function. */
export type ToolScript = readonly ToolStep[] | ToolStep | Tool['execute']

/** Replaces the tool's `execute` and keeps everything else. */
export function toolOf(tool: Tool, script: ToolScript): Tool {
  const execute = typeof script === 'function' ? script : runSteps(tool.name, stepsOf(script))
  return Object.assign(Object.create(tool) as Tool, { execute })
}

/** A single step repeats. */
const stepsOf = <S extends TurnInput | ToolStep>(script: readonly S[] | S): readonly S[] =>
  Array.isArray(script) ? script : [repeats(script as S)]

function runSteps(name: string, steps: readonly ToolStep[]): Tool['execute'] {
  const used = steps.map(() => 0)
  return async (args, call) => {
    const index = steps.findIndex(({ times = 1 }, at) => times === 'always' || used[at] !== times)
    const step = steps[index]
    if (!step) {
      const count = used.reduce((a, b) => a + b, 0)
      throw new Error(
        `the script of the tool '${name}' is used up after ${count} calls; add a step for the arguments ${JSON.stringify(args)}, or repeat the last one`,
      )
    }
    used[index] = (used[index] ?? 0) + 1
    if (step.hang) await call.sleep(Number.POSITIVE_INFINITY)
    if (step.latency) await call.sleep(step.latency)
    if (step.fail) throw faultOf(step.fail)
    return step.returns ?? null
  }
}
