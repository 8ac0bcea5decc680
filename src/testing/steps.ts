/** The steps of a script as functions: what a model or a tool does at a call. They return the notation of script files. */
import type { Json } from '../core/watch/data/json.ts'
import { modelFields } from '../kit/model.ts'
import type { Calling, Model, Tool } from '../runtime/ports.ts'
import { type Fault, readScript, type Turn, type TurnInput } from './script.ts'
import { faultOf, takeTurn, turnFor } from './scripted-model.ts'

/** What a tool does at a call. */
export interface ToolStep {
  readonly returns?: Json
  readonly fail?: Fault
  readonly hang?: true
  /** How often the step is taken. Default: once. */
  readonly times?: number | 'always'
  /** How long it takes, in ms. */
  readonly latency?: number
}

/** A step that a model and a tool may take. */
type Failing = Pick<ToolStep, 'hang' | 'times'> & { readonly fail?: Fault }

/**
 * The model answers with a text.
 *
 * @example says('The FAQ is silent.', { latency: 800, usage: { input: 900, output: 40 } })
 */
export function says(text: string, more: Omit<TurnInput, 'say' | 'fail' | 'hang'> = {}): TurnInput {
  return { ...more, say: text }
}

/**
 * The model asks for a tool. For several tools, or a text with them: `{ say, calls: [{ tool, args }] }`.
 *
 * @example calls('search', { query: 'refund' })
 */
export function calls(tool: string, args: Json = {}): TurnInput {
  return { calls: [{ tool, args: args as NonNullable<TurnInput['calls']>[number]['args'] }] }
}

/** The tool returns a value. */
export function returns(value: Json): ToolStep {
  return { returns: value }
}

/**
 * The call fails: with an HTTP status, with a code, or in detail.
 *
 * @example [fails(503, 2), returns({ left: 3 })]
 */
export function fails(how: number | string | Fault, times: number | 'always' = 1): Failing {
  if (typeof how === 'object') return { fail: how, times }
  const fail = typeof how === 'number' ? { status: how, message: `HTTP ${how}` } : { code: how }
  return { fail, times }
}

/** The call never ends: its timeout ends it. */
export function hangs(times: number | 'always' = 1): Failing {
  return { hang: true, times }
}

/**
 * Takes a step again and again.
 *
 * @example repeats(calls('search', { query: 'refund' }))
 */
export function repeats<S extends TurnInput | ToolStep>(
  step: S,
  times: number | 'always' = 'always',
): S & { readonly times: number | 'always' } {
  return { ...step, times }
}

/**
 * A model that takes the steps in order, each as often as it says: the first step whose `when` holds and that is not used up
 * answers. It counts attempts in memory, `scriptedModel` counts in the messages.
 *
 * @throws TypeError naming the faults of the script
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

/** What a model does in a test: steps in order, one step for every call, or a model. */
export type ModelScript = readonly TurnInput[] | TurnInput | Model

export function modelFor(script: ModelScript): Model {
  if ('ask' in script) return script
  return modelOf(isList(script) ? script : [repeats(script)])
}

/** What a tool does in a test: steps in order, one step for every call, or a function. */
export type ToolScript = readonly ToolStep[] | ToolStep | Tool['execute']

/** The tool with everything it declares, and the script in place of its `execute`. */
export function toolOf(tool: Tool, script: ToolScript): Tool {
  return Object.assign(Object.create(tool) as Tool, {
    execute: typeof script === 'function' ? script : stepper(tool.name, script),
  })
}

function stepper(name: string, script: readonly ToolStep[] | ToolStep): Tool['execute'] {
  const steps = isList(script) ? script : [repeats(script)]
  const used = steps.map(() => 0)
  return async (args: Json, call: Calling) => {
    const index = steps.findIndex(({ times = 1 }, at) => times === 'always' || used[at] !== times)
    const step = steps[index]
    if (!step)
      throw new Error(
        `the script of the tool '${name}' is used up after ${used.reduce((a, b) => a + b, 0)} calls; add a step for the arguments ${JSON.stringify(args)}, or repeat the last one`,
      )
    used[index] = (used[index] ?? 0) + 1
    if (step.hang) await call.sleep(Number.POSITIVE_INFINITY)
    if (step.latency) await call.sleep(step.latency)
    if (step.fail) throw faultOf(step.fail)
    return step.returns ?? null
  }
}

function isList<T>(script: readonly T[] | T): script is readonly T[] {
  return Array.isArray(script)
}
