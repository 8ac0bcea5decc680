/** Compiles a LangGraph graph again, with a function that may change each choice of a router or a `Command`. */
import { Command, END, isCommand, type LangGraphRunnableConfig } from '@langchain/langgraph'
import { mapFields } from '../../core/watch/data/json.ts'
import type { CompiledLike } from './from-langgraph.ts'

/** A router or a `Command` of the node `from` has chosen the node `to`. */
export interface Choice {
  readonly from: string
  readonly to: string
  /** The state after the node. */
  readonly state: unknown
  readonly config: LangGraphRunnableConfig | undefined
}

/** Returns the node that follows. */
type Choose = (choice: Choice) => string

type Invoke = (input: unknown, config?: LangGraphRunnableConfig) => Promise<unknown>
type Invokable = { readonly invoke: Invoke }
type Branch = { readonly path: Invokable; readonly ends?: Readonly<Record<string, string>> }
type Node = { readonly runnable: Invokable; readonly ends?: readonly string[] }

interface Builder {
  readonly nodes: Readonly<Record<string, Node>>
  readonly branches: Readonly<Record<string, Readonly<Record<string, Branch>>>>
  compile(options: object): CompiledLike
}

/** The options of `compile`, as the compiled graph keeps them. */
const OPTIONS = [
  'checkpointer',
  'store',
  'cache',
  'interruptBefore',
  'interruptAfter',
  'name',
] as const

export function rewire<G extends CompiledLike>(compiled: G, choose: Choose): G {
  const builder = compiled.builder as unknown as Builder
  const targets = Object.fromEntries([...Object.keys(builder.nodes), END].map(node => [node, node]))
  const branches = mapFields(builder.branches, (own, from) =>
    mapFields(own, branch => {
      const targetOf = (label: string) => branch.ends?.[label] ?? label
      const path = changing(branch.path, async (chosen, state, config) =>
        typeof chosen === 'string' ? choose({ from, to: targetOf(chosen), state, config }) : chosen,
      )
      return copyWith(branch, { path, ends: targets })
    }),
  )
  const nodes = mapFields(builder.nodes, (node, from) => {
    if (node.ends === undefined) return node
    const runnable = changing(node.runnable, async (output, input, config) => {
      const to = isCommand(output) ? [output.goto ?? []].flat() : []
      if (!isCommand(output) || to.length !== 1 || typeof to[0] !== 'string') return output
      const state = { ...(input as object), ...(output.update as object | undefined) }
      return new Command({ ...output, goto: choose({ from, to: to[0], state, config }) } as object)
    })
    return { ...node, runnable, ends: Object.keys(targets) }
  })
  const options = Object.fromEntries(
    OPTIONS.map(name => [name, (compiled as Readonly<Record<string, unknown>>)[name]]),
  )
  const result = copyWith(builder, { branches, nodes }).compile(options)
  const { config } = compiled as { config?: object }
  return Object.assign(result, config && { config }) as unknown as G
}

type Change = (
  output: unknown,
  input: unknown,
  config?: LangGraphRunnableConfig,
) => Promise<unknown>

/** The same runnable with another result. */
const changing = (runnable: Invokable, change: Change): Invokable =>
  new Proxy(runnable, {
    get: (target, key, receiver) =>
      key === 'invoke'
        ? async (input: unknown, config?: LangGraphRunnableConfig) =>
            change(await target.invoke(input, config), input, config)
        : Reflect.get(target, key, receiver),
  })

const copyWith = <T extends object>(of: T, changes: Partial<T>): T =>
  Object.assign(Object.create(Object.getPrototypeOf(of)) as T, of, changes)
