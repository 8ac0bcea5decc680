/** A model that follows a script, a list of turns, and the steps of scripts: for tests, demonstrations, and runs without a key. */
import { type OrFaults, codedError, guardOf } from '../core/watch/data/fault.ts'
import { z } from 'zod'
import { faultsOf } from '../core/watch/data/schema-faults.ts'
import { pattern } from '../core/graph/spec/policy-schema.ts'
import type { ModelSpec } from '../core/graph/spec/resource.ts'
import { type Json, defined, canonical } from '../core/watch/data/json.ts'
import { modelFields, toolRequests } from '../kit/model.ts'
import { lessonsIn } from '../kit/prompt.ts'
import type { Message, ModelReply } from '../runtime/model-message.ts'
import type { Calling, Model, ModelRequest } from '../runtime/ports.ts'

/** Conditions on the request. All given ones must hold: see `docs/testing.md`. */
const when = z.strictObject({
  lesson: pattern.optional(),
  system: pattern.optional(),
  text: pattern.optional(),
  tool: z.string().optional(),
  ok: z.boolean().optional(),
  offered: z.string().optional(),
})

const fault = z.strictObject({
  status: z.int().min(100).max(599).optional(),
  name: z.string().optional(),
  code: z.string().optional(),
  message: z.string().default('the call failed'),
})

const tokens = z.int().min(0)
const call = z.strictObject({ tool: z.string().min(1), args: z.json().default({}) })

const turn = z
  .strictObject({
    when: when.default({}),
    say: z.string().optional(),
    reasoning: z.string().optional(),
    calls: z.array(call).default([]),
    fail: fault.optional(),
    hang: z.literal(true).optional(),
    // Uses in a thread; for a turn that fails or hangs, attempts of each call.
    times: z.union([z.literal('always'), z.int().min(1)]).default(1),
    usage: z.strictObject({ input: tokens, output: tokens, cached: tokens.default(0) }).optional(),
    latency: z.number().min(0).max(3_600_000).default(0),
  })
  .refine(
    ({ say, calls, fail, hang }) =>
      say !== undefined || calls.length > 0 || fail !== undefined || hang,
    'expected say, calls, fail or hang',
  )
  .transform(turn => ({ ...turn, say: turn.say ?? '' }))

const script = z.array(turn).min(1)

/** How a call fails. */
export type Fault = z.input<typeof fault>
/** A turn in the notation of script files. */
export type TurnInput = z.input<typeof turn>
export type Turn = z.output<typeof turn>
export type Script = readonly Turn[]

/** Parses a script, or returns its faults. */
export function readScript(value: unknown): OrFaults<{ readonly script: Script }> {
  const read = script.safeParse(value)
  return read.success
    ? { script: read.data }
    : { faults: faultsOf(read.error.issues, [], '(the script)') }
}

/** The script has no turn for this request. */
export class NoTurn extends codedError('NoTurn', 'no-turn') {}

/** Whether an error is a `NoTurn`. */
export const isNoTurn = guardOf(NoTurn)

/**
 * Answers with the first turn whose `when` holds and that has uses left. The uses are counted in the messages of the request, so
 * the model has no state and another process can continue the thread.
 * @example const model = scriptedModel({ id: 'fast' }, [{ say: 'Three.', times: 'always' }])
 * @throws TypeError with the faults of the script
 */
export function scriptedModel(
  spec: Pick<ModelSpec, 'id'> & Partial<ModelSpec>,
  turns: readonly TurnInput[],
): Model {
  const script = scriptOf(turns)
  return {
    ...modelFields(spec.id, spec),
    async ask(request, call) {
      const used = usesIn(script, request.messages).map((uses, index) =>
        script[index]?.fail || script[index]?.hang ? call.attempt - 1 : uses,
      )
      return takeTurn(script[turnFor(script, request, used)] as Turn, call)
    },
  }
}

/** The index of the turn that answers. `used`: the uses of each turn. @throws NoTurn */
export function turnFor(script: Script, request: ModelRequest, used: readonly number[]): number {
  const index = script.findIndex(
    (turn, index) => hasUsesLeft(turn, used[index]) && matchesTurn(turn.when, request),
  )
  if (index >= 0) return index
  const { role = 'none', content = '' } = request.messages.at(-1) ?? {}
  const counts = script.map(({ times }, index) => `${index + 1}: ${used[index] ?? 0}/${times}`)
  const state = counts.length > 0 ? `Used so far: ${counts.join(', ')}` : 'It is empty'
  throw new NoTurn(
    `the script has no turn for this request. ${state}. Last message (${role}): ${content.slice(0, 200)}`,
  )
}

/** Returns the answer of a turn, or throws its failure. */
export async function takeTurn(turn: Turn, call: Parameters<Model['ask']>[1]): Promise<ModelReply> {
  if (turn.hang) await call.sleep(Number.POSITIVE_INFINITY)
  if (turn.latency > 0) await call.sleep(turn.latency)
  if (turn.fail) throw faultOf(turn.fail)
  if (turn.say !== '') call.onDelta(turn.say)
  return replyOf(turn, call)
}

const hasUsesLeft = ({ times }: Turn, used = 0): boolean => times === 'always' || used < times

/** The uses of each turn according to the transcript. */
function usesIn(script: Script, messages: readonly Message[]): readonly number[] {
  const used = script.map(() => 0)
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    const text = turnKey(message.content, message.calls)
    const index = script.findIndex(
      (turn, at) =>
        !turn.fail && hasUsesLeft(turn, used[at]) && turnKey(turn.say, turn.calls) === text,
    )
    if (index >= 0) used[index] = (used[index] ?? 0) + 1
  }
  return used
}

const turnKey = (text: string, calls: readonly { tool: string; args: unknown }[]): string =>
  canonical([text, calls.map(({ tool, args }) => [tool, args])])

function matchesTurn(
  { lesson, system, text, tool, ok, offered }: Turn['when'],
  { system: prompt, messages, tools }: ModelRequest,
): boolean {
  const last = messages.at(-1)
  const matches = (pattern: string, value: string) => new RegExp(pattern, 'i').test(value)
  if (lesson !== undefined && !lessonsIn(prompt).some(each => matches(lesson, each))) return false
  if (system !== undefined && !matches(system, prompt)) return false
  if (text !== undefined && !matches(text, last?.content ?? '')) return false
  if (tool !== undefined && !(last?.role === 'tool' && last.tool === tool)) return false
  if (ok !== undefined && !(last?.role === 'tool' && last.ok === ok)) return false
  return offered === undefined || tools.some(({ name }) => name === offered)
}

function replyOf({ say: text, reasoning, calls, usage }: Turn, call: Calling): ModelReply {
  const requests = calls.map(({ tool, args }) => ({
    id: undefined,
    tool,
    args: { parsed: args as Json },
  }))
  return {
    text,
    calls: toolRequests(requests, call.idempotencyKey),
    ...defined({ reasoning, usage }),
  }
}

export function faultOf(fault: Fault): Error {
  const { status, name = 'ServiceError', code, message = 'the call failed' } = fault
  return Object.assign(new Error(message), { name, ...defined({ status, code }) })
}

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
 * A model that takes the steps in order: the first step whose `when` holds and that has uses left answers. One step answers every call. It
 * counts attempts in memory, while `scriptedModel` counts in the messages.
 * @throws TypeError with the faults of the script
 */
export function modelOf(steps: readonly TurnInput[] | TurnInput, id = 'scripted'): Model {
  const script = scriptOf(stepsOf(steps))
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

/** @throws TypeError */
function scriptOf(turns: readonly TurnInput[]): Script {
  // A model that a play replaces needs no turn.
  const { script, faults } = turns.length === 0 ? { script: [] } : readScript(turns)
  if (script) return script
  throw new TypeError(faults.map(({ path, message }) => `${path}: ${message}`).join('; '))
}

/** A model in a test: steps in order, one step for every call, or a model. */
export type ModelScript = readonly TurnInput[] | TurnInput | Model

export const modelFor = (script: ModelScript): Model => ('ask' in script ? script : modelOf(script))

/** A single step repeats. */
export const stepsOf = <S extends TurnInput | ToolStep>(script: readonly S[] | S): readonly S[] =>
  Array.isArray(script) ? script : [repeats(script as S)]
