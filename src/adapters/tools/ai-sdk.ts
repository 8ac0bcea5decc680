/** Adapts tools of the AI SDK. It reads them by their structure and imports no package. */
import type { Json } from '../../core/watch/data/json.ts'
import { type ForeignTool, foreignTools, type ToolSettings } from '../../kit/foreign-tool.ts'
import { type JsonSchema, type Schema, isStandardSchema } from '../../kit/schema.ts'
import type { Calling, Tool } from '../../runtime/ports.ts'

/** The used part of a tool of the AI SDK. */
export interface AiSdkTool {
  readonly description?: unknown
  readonly inputSchema?: unknown
  readonly needsApproval?: unknown
  execute?(input: never, options: never): unknown
}

type InputOf<T> = T extends { execute?: (input: infer I, ...rest: never[]) => unknown }
  ? I
  : unknown
type Settled<R> = R extends AsyncIterable<infer Last> ? Last : Awaited<R>
type OutputOf<T> = T extends { execute?: (...args: never[]) => infer R } ? Settled<R> : unknown

/**
 * Makes tools of the tools of the AI SDK. A tool counts as a write unless its settings declare a read.
 * @throws TypeError for a tool without `execute`, an asynchronous schema, or settings of an unknown tool
 * @example
 * const tools = aiSdkTools({ search, refund }, { search: { effects: 'read' }, refund: { confirm: true } })
 */
export function aiSdkTools<T extends Readonly<Record<string, AiSdkTool>>>(
  tools: T,
  settings: { readonly [K in keyof T]?: ToolSettings<InputOf<T[K]>> } = {},
): { [K in keyof T]: Tool<InputOf<T[K]>, OutputOf<T[K]>> } {
  const foreign = Object.entries(tools).map(([name, tool]) => foreignTool(name, tool))
  return foreignTools(foreign, settings as Parameters<typeof foreignTools>[1]) as never
}

type Execute = (input: unknown, options: object) => unknown

function foreignTool(name: string, tool: AiSdkTool): ForeignTool {
  const { description, inputSchema, needsApproval } = tool
  if (typeof tool.execute !== 'function')
    throw new TypeError(
      `the tool '${name}' has no execute: a provider or a browser runs it, outside of the run. Add an execute, or remove the tool`,
    )
  const options = ({ idempotencyKey: toolCallId, signal: abortSignal }: Calling) => {
    return { toolCallId, messages: [], abortSignal, context: {} }
  }
  return {
    name,
    description: typeof description === 'string' ? description : undefined,
    inputSchema: schemaOf(name, inputSchema),
    confirm: approvalOf(needsApproval),
    execute: async (args, call) =>
      lastOf(await (tool.execute as unknown as Execute)(args, options(call)), call),
  }
}

/** Preliminary results after which timers get a turn: a generator that waits for nothing would block them, and its own timeout. */
const RESULTS_PER_TURN = 100

/** A tool may stream preliminary results. The last one is its result. @throws the reason of the signal: a generator that ignores it ends here */
async function lastOf(result: unknown, { signal, sleep }: Calling): Promise<unknown> {
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result))
    return result
  let last: unknown
  let count = 0
  for await (const each of result as AsyncIterable<unknown>) {
    last = each
    count++
    if (count % RESULTS_PER_TURN === 0) await sleep(0)
    signal.throwIfAborted()
  }
  return last
}

/** Approval is decided synchronously. If the function returns a promise, a person decides. */
function approvalOf(needs: unknown): ForeignTool['confirm'] {
  if (typeof needs !== 'function') return needs === true
  return args => {
    const answer: unknown = needs(args, { toolCallId: '', messages: [], context: {} })
    return typeof answer === 'boolean' ? answer : true
  }
}

/** The result of `jsonSchema()` of the AI SDK. */
interface AiSdkSchema {
  readonly jsonSchema: JsonSchema | PromiseLike<JsonSchema>
  readonly validate?: (value: unknown) => Validation | PromiseLike<Validation>
}

type Validation =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: Error }

function schemaOf(name: string, given: unknown): Schema {
  // A function may return the schema. Some schemas are functions themselves.
  const schema = typeof given === 'function' && !isStandardSchema(given) ? given() : given
  if (schema === undefined) return { type: 'object' }
  if (isStandardSchema(schema)) return schema
  const { jsonSchema, validate } = schema as AiSdkSchema
  if (typeof jsonSchema !== 'object' || 'then' in jsonSchema)
    throw new TypeError(
      `the inputSchema of the tool '${name}' gives no JSON Schema at once; expected a Standard Schema (zod, valibot, arktype) or jsonSchema({ … })`,
    )
  return validate ? validating(jsonSchema as JsonSchema, validate) : (jsonSchema as JsonSchema)
}

function validating(json: JsonSchema, validate: NonNullable<AiSdkSchema['validate']>): Schema {
  const result = (read: Validation) =>
    read.success ? { value: read.value as Json } : { issues: [{ message: read.error.message }] }
  return {
    '~standard': {
      version: 1,
      vendor: 'ai',
      validate: value => {
        const read = validate(value)
        return 'then' in read ? Promise.resolve(read).then(result) : result(read)
      },
      jsonSchema: { input: () => ({ ...json }), output: () => ({ ...json }) },
    },
  }
}
