/** Tools of the AI SDK as ours. They are read by their structure: no package is imported. */
import type { Json } from '../../core/watch/data/json.ts'
import {
  foreignTools,
  type ForeignTool,
  type ToolSettings,
  type ToolSettingsByName,
} from '../../kit/foreign-tool.ts'
import { isStandardSchema, type JsonSchema, type Schema } from '../../kit/schema.ts'
import type { Calling, Tool } from '../../runtime/ports.ts'

/** What is used of a tool of the AI SDK. */
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
 * Makes tools of the tools of the AI SDK. A tool counts as a write unless you say otherwise.
 *
 * @throws TypeError for a tool without `execute`, for an asynchronous schema, and for settings of an unknown tool
 * @example
 * const tools = aiSdkTools({ search, refund }, { search: { effects: 'read' }, refund: { confirm: true } })
 */
export function aiSdkTools<T extends Readonly<Record<string, AiSdkTool>>>(
  tools: T,
  settings: { readonly [K in keyof T]?: ToolSettings<InputOf<T[K]>> } = {},
): { [K in keyof T]: Tool<InputOf<T[K]>, OutputOf<T[K]>> } {
  const found = Object.entries(tools).map(([name, tool]) => foreign(name, tool))
  return foreignTools(found, settings as ToolSettingsByName) as never
}

type Execute = (input: unknown, options: object) => unknown

function foreign(name: string, tool: AiSdkTool): ForeignTool {
  const { description, inputSchema, needsApproval } = tool
  if (typeof tool.execute !== 'function')
    throw new TypeError(
      `the tool '${name}' has no execute: a provider or a browser runs it, and a run cannot watch it. Give it an execute, or leave it out`,
    )
  return {
    name,
    description: typeof description === 'string' ? description : undefined,
    inputSchema: schemaOf(name, inputSchema),
    confirm: approvalOf(needsApproval),
    execute: async (args, call) =>
      lastOf(await (tool.execute as unknown as Execute)(args, optionsOf(call))),
  }
}

function optionsOf({ idempotencyKey, signal }: Pick<Calling, 'idempotencyKey' | 'signal'>) {
  return { toolCallId: idempotencyKey, messages: [], abortSignal: signal, context: {} }
}

/** A tool may stream preliminary results: the last one is its result. */
async function lastOf(result: unknown): Promise<unknown> {
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result))
    return result
  let last: unknown
  for await (const each of result as AsyncIterable<unknown>) last = each
  return last
}

/** A function that answers later cannot be waited for here: then a person is asked. */
function approvalOf(needs: unknown): ForeignTool['confirm'] {
  if (typeof needs !== 'function') return needs === true
  return args => {
    const answer: unknown = needs(args, { toolCallId: '', messages: [], context: {} })
    return typeof answer === 'boolean' ? answer : true
  }
}

/** What `jsonSchema()` of the AI SDK returns. */
interface AiSdkSchema {
  readonly jsonSchema: JsonSchema | PromiseLike<JsonSchema>
  readonly validate?: (value: unknown) => Validation | PromiseLike<Validation>
}

type Validation =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: Error }

function schemaOf(name: string, given: unknown): Schema {
  // A schema may come as a function that makes it; some schemas are functions themselves.
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
