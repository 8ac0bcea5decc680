/** A node written as a typed function. */
import { firstFaults } from '../../core/watch/data/fault.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { CallFailed, done, Labeled } from '../../runtime/outcome.ts'
import type { ModelAnswer } from '../../runtime/model-message.ts'
import type { Answer, Graph, InputOf, ModelRequest, Task, Tool } from '../../runtime/ports.ts'
import type { OutputOf } from '../../runtime/ports.ts'
import { childFailure } from './built-in.ts'
import { type JsonObject, type Schema, type SchemaOutput, parserOf } from '../schema.ts'

/** What a node calls, by name: the values, or only the names if a spec defines the values. */
type Named<T> = Readonly<Record<string, T>> | readonly string[]

type NamesOf<N> = N extends readonly (infer K extends string)[] ? K : keyof N & string

type ToolCalls<N> = {
  readonly [K in NamesOf<N>]: N extends Readonly<Record<K, Tool<infer I, infer O>>>
    ? (args: I) => Promise<O>
    : (args: Json) => Promise<Json>
}

type GraphRuns<N> = {
  readonly [K in NamesOf<N>]: N extends Readonly<Record<K, infer G extends Graph>>
    ? (input: InputOf<G>) => Promise<OutputOf<G>>
    : (input: Json) => Promise<Json>
}

/** The argument of the function of a node. A call that fails permanently throws `CallFailed`. If it is not caught, the node fails with the same failure. */
export interface NodeContext<Input, Tools, Models extends string, Graphs>
  extends Pick<Task, 'thread' | 'signal' | 'report' | 'draw' | 'lessons'> {
  readonly input: Input
  /** Calls a tool, with retries, breaker, confirmation and journal. */
  readonly call: ToolCalls<Tools>
  /** Asks a model. */
  readonly ask: { readonly [M in Models]: (request: ModelRequest) => Promise<ModelAnswer> }
  /** Runs a graph as a child thread. */
  readonly run: GraphRuns<Graphs>
  /** The value of `with` in the spec. */
  readonly settings: Json
}

export interface NodeOptions<I, O, T, M, G> {
  /** Checks and types `input`. */
  readonly input?: I
  /** Checks and types the returned value. */
  readonly output?: O
  /** The tools that the node calls. */
  readonly tools?: T
  /** The names of the models that the node asks. */
  readonly models?: readonly M[]
  /** The graphs that the node runs. */
  readonly graphs?: G
  /** A whole number, recorded when a thread starts. Increase it when the behavior of the node changes. */
  readonly version?: number
}

/** A node for `defineGraph` and `bindGraph`, created with `node`. */
export interface CustomNode<Output = unknown, Outcome = string> {
  (task: Task, settings: Json): Promise<unknown>
  /** The types of the node. Never has a value. */
  readonly '~types'?: { readonly output: Output; readonly outcome: Outcome }
  readonly version?: number
  readonly uses?: NodeUses
}

/** What a node calls, by name. A value is absent if the spec defines it. */
interface NodeUses {
  readonly tools: Readonly<Record<string, Tool | undefined>>
  readonly graphs: Readonly<Record<string, Graph | undefined>>
  readonly models: readonly string[]
}

type OutputIn<R> = R extends Labeled<string, infer O> ? O : R
type OutcomeIn<R> = R extends Labeled<infer L, unknown> ? L : never

/** Without a schema, a node may return any output. */
type Returned<O> = Schema extends O ? unknown : SchemaOutput<O> | Labeled<string, SchemaOutput<O>>

/**
 * Creates a node from a function. An outcome that it returns with `done(label, …)` takes the edge `done.<label>`.
 * @throws TypeError if the version is not a positive whole number
 * @example
 * const check = node({ input: z.object({ article: z.string() }), tools: { stock } }, async ({ input, call }) => {
 *   const { left } = await call.stock({ article: input.article })
 *   return left > 0 ? { left } : done('empty', { left })
 * })
 */
export function node<R>(
  run: (context: NodeContext<JsonObject, readonly [], never, readonly []>) => Promise<R>,
): CustomNode<OutputIn<R>, OutcomeIn<R>>
export function node<
  R extends Returned<O>,
  I extends Schema = Schema,
  O extends Schema = Schema,
  const T extends Named<Tool> = readonly [],
  const M extends string = never,
  const G extends Named<Graph> = readonly [],
>(
  options: NodeOptions<I, O, T, M, G>,
  run: (
    context: NodeContext<Schema extends I ? JsonObject : SchemaOutput<I>, T, M, G>,
  ) => Promise<R>,
): CustomNode<OutputIn<R>, OutcomeIn<R>>
export function node(...given: readonly unknown[]): CustomNode {
  const run = given.at(-1) as (context: unknown) => Promise<unknown>
  const { input, output, tools, graphs, models, version } = (
    given.length > 1 ? given[0] : {}
  ) as NodeOptions<Schema, Schema, Named<Tool>, string, Named<Graph>>
  if (version !== undefined && (!Number.isSafeInteger(version) || version < 1))
    throw new TypeError(`the version of a node must be a positive whole number, not ${version}`)
  const uses: NodeUses = { tools: byName(tools), graphs: byName(graphs), models: models ?? [] }
  const inputOf = input && checkedBy(input, 'input', 'InvalidInput')
  const outputOf = output && checkedBy(output, 'output', 'InvalidOutput')
  const perform = async (task: Task, settings: Json) => {
    const { thread, signal, report, draw, lessons } = task
    const returned = await run({
      ...{ thread, signal, report, draw, lessons, settings },
      input: inputOf ? inputOf({ ...task.input }) : task.input,
      ...callsOf(task, uses),
    })
    if (!outputOf) return returned
    return returned instanceof Labeled
      ? done(returned.label, outputOf(returned.output))
      : outputOf(returned)
  }
  return Object.assign(perform, { uses, ...(version === undefined ? {} : { version }) })
}

function byName<T>(given: Named<T> = []): Readonly<Record<string, T | undefined>> {
  return Array.isArray(given)
    ? Object.fromEntries(given.map(name => [name, undefined]))
    : (given as Readonly<Record<string, T>>)
}

function callsOf(task: Task, { tools, graphs, models }: NodeUses) {
  const functions = <A, T>(names: readonly string[], call: (name: string, args: A) => Promise<T>) =>
    Object.fromEntries(names.map(name => [name, (args: A) => call(name, args)]))
  // Not `async`: the task throws at once to end a node that was left and does not wait for its calls.
  return {
    call: functions(Object.keys(tools), (name, args: Json) => task.call(name, args).then(valueOf)),
    ask: functions(models, (name, request: ModelRequest) => task.ask(name, request).then(valueOf)),
    run: functions(Object.keys(graphs), (name, input: Json) =>
      task.run(name, input).then(answer => {
        if (answer.outcome === 'success' && answer.cut === undefined) return answer.result
        throw new CallFailed(childFailure(name, answer))
      }),
    ),
  }
}

function valueOf<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value
  throw new CallFailed(answer.failure)
}

function checkedBy(schema: Schema, whole: string, name: string): (value: unknown) => unknown {
  const parse = parserOf(schema, whole)
  return value => {
    const read = parse(value)
    if (!read.faults) return read.value
    const message = firstFaults(read.faults).join('; ')
    throw Object.assign(new Error(message), { name })
  }
}
