/** The types of `defineGraph`: what one part of a graph says of another by name is held to the names there are. */
import type { AnyStateMachine } from 'xstate'
import type { ChannelInput, ModelInput, ToolInput } from '../core/graph/spec/resource.ts'
import type {
  CustomNodeInput,
  FinalNodeInput,
  OUTCOMES,
  RegionsNodeInput,
  WorkingNodeInput,
} from '../core/graph/spec/node.ts'
import type { SpecInput } from '../core/graph/spec/spec.ts'
import type { Json } from '../core/watch/data/json.ts'
import type { CustomParts } from '../core/watch/parts.ts'
import type { CustomNode } from '../kit/nodes/node.ts'
import type { Schema, SchemaInput, SchemaOutput, StandardSchema } from '../kit/schema.ts'
import type { Graph, Tool } from '../runtime/ports.ts'
import type { AnyModel } from './model-from.ts'

/** A channel: its schema, or the schema with what a write does to it, or JSON Schema with both. */
export type ChannelDefinition =
  | StandardSchema
  | (Pick<ChannelInput, 'reducer' | 'volatile' | 'default'> & { readonly schema: Schema })
  | ChannelInput

/** A tool made with `tool(…)`, or one that ships, as data. */
export type ToolDefinition = Tool | ToolInput

/** A model, or a model with what protects it, or an endpoint as data. */
export type ModelDefinition = AnyModel | ModelWith | ModelInput

export type ModelWith = Omit<ModelInput, 'id' | 'baseURL' | 'keyFrom' | 'offline'> & {
  readonly id?: string
  readonly model: AnyModel
}

/** The names of channels, or the schema of an object whose properties become channels. */
export type ChannelsDefinition = readonly string[] | Schema

type Primitive = { string: string; number: number; integer: number; boolean: boolean; null: null }

/** The type of one value of a channel. */
type ItemOf<C> = C extends StandardSchema
  ? SchemaOutput<C>
  : C extends { readonly schema: infer S }
    ? SchemaOutput<S, Json>
    : C extends { readonly enum: readonly (infer V)[] }
      ? V
      : C extends { readonly type: infer T extends keyof Primitive }
        ? Primitive[T]
        : Json

type ValueOf<C> = C extends { readonly reducer: 'append' } ? readonly ItemOf<C>[] : ItemOf<C>

type Values<C, K> = { readonly [P in K & keyof C]: ValueOf<C[P]> }

/** What `start` takes. Without a definition: any of the channels. */
export type InputIn<I, C> = ChannelsDefinition extends I
  ? Partial<Values<C, keyof C>>
  : I extends readonly string[]
    ? Values<C, I[number]> & Partial<Values<C, keyof C>>
    : SchemaInput<I>

/** What a thread results in. A channel that was never written holds null. */
export type OutputIn<O, C> = ChannelsDefinition extends O
  ? { readonly [K in keyof C]: ValueOf<C[K]> | null }
  : O extends readonly string[]
    ? { readonly [K in O[number] & keyof C]: ValueOf<C[K]> | null }
    : SchemaOutput<O>

/** The channels that the schema of an object declares. */
type Properties<S> = ChannelsDefinition extends S
  ? never
  : S extends StandardSchema
    ? keyof SchemaInput<S> & string
    : S extends { readonly properties: infer P }
      ? keyof P & string
      : never

/** The names that parts of a graph may mention. */
interface Names {
  readonly node: string
  readonly tool: string
  readonly model: string
  readonly graph: string
  readonly channel: string
}

type Outcome = (typeof OUTCOMES)[number]

type Edges<N, Label extends string> = { readonly [O in Outcome]?: N } & {
  readonly [L in `done.${Label}`]?: N
}

/** What a node mentions by name, but for its edges. */
type Mentions<W, X extends Names> = {
  readonly in?: readonly X['channel'][] | Readonly<Record<string, X['channel']>>
  readonly out?: X['channel'] | readonly X['channel'][] | { readonly [C in X['channel']]?: string }
} & (W extends { tool: string } ? { readonly tool: X['tool'] } : unknown) &
  (W extends { model: string } ? { readonly model: X['model'] } : unknown) &
  (W extends { graph: string } ? { readonly graph: X['graph'] } : unknown) &
  ('tools' extends keyof W ? { readonly tools?: readonly X['tool'][] } : unknown)

type Held<W, X extends Names> = W extends unknown
  ? Omit<W, 'on' | 'in' | 'out' | 'tool' | 'model' | 'graph' | 'tools'> & Mentions<W, X>
  : never

type WithEdges<N extends string> = { readonly on?: Edges<N, string> }

type CustomData = Omit<CustomNodeInput, 'use' | 'on' | 'when'>

/** A node of your own. Its edges are the outcomes it returns with `done`, in place of conditions in `when`. */
type CustomHeld<Label, X extends Names> = Held<CustomData, X> & {
  readonly use: CustomNode<unknown, Label>
  readonly on?: Edges<X['node'], Label & string>
}

type ModuleHeld<X extends Names> = Held<Omit<CustomNodeInput, 'use'>, X> & {
  readonly use: `./${string}`
}

type Working<X extends Names> = (Held<WorkingNodeInput, X> | ModuleHeld<X>) & WithEdges<X['node']>

/** Names of nodes inside regions are checked when the graph is read. */
type Region<X extends Names> = {
  readonly start: string
  readonly nodes: Readonly<
    Record<
      string,
      | Working<Omit<X, 'node'> & { readonly node: string }>
      | CustomHeld<string, Omit<X, 'node'> & { readonly node: string }>
      | FinalNodeInput
    >
  >
}

/** What a set of regions may name beside `done`. */
type OfSet = 'done.failed' | 'budget' | 'cancelled'

type RegionsHeld<X extends Names> = Omit<RegionsNodeInput, 'regions' | 'on'> & {
  readonly regions: Readonly<Record<string, Region<X>>>
  readonly on: { readonly done: X['node'] } & { readonly [O in OfSet]?: X['node'] } & {
    readonly [O in Exclude<Outcome, OfSet | 'done'>]?: never
  }
}

type NodeDefinition<Label, X extends Names> =
  | CustomHeld<Label, X>
  | Working<X>
  | FinalNodeInput
  | RegionsHeld<X>

type Escape<N extends string> = Omit<NonNullable<SpecInput['escape']>, 'alternatives'> & {
  readonly alternatives?: { readonly [F in N]?: readonly N[] }
}

/** The sorts of the parameters: nodes with their labels, tools, models, graphs, channels, input and output. */
export type GraphDefinition<U, T, M, G, C, I, O> = Omit<
  SpecInput,
  | ('escapement' | 'start' | 'nodes' | 'tools' | 'models' | 'graphs' | 'channels')
  | ('input' | 'output' | 'escape' | 'parts' | 'machine')
> & {
  readonly start?: NoInfer<keyof U>
  readonly nodes: {
    readonly [K in keyof U]: NodeDefinition<
      U[K],
      {
        node: NoInfer<keyof U & string>
        tool: NoInfer<keyof T & string>
        model: NoInfer<keyof M & string>
        graph: NoInfer<keyof G & string>
        channel: NoInfer<(keyof C & string) | Properties<I> | Properties<O>>
      }
    >
  }
  readonly tools?: T
  readonly models?: M
  /** Graphs that nodes run. */
  readonly graphs?: G
  readonly channels?: C
  readonly input?: I & (I extends readonly string[] ? readonly NoInfer<keyof C>[] : unknown)
  readonly output?: O & (O extends readonly string[] ? readonly NoInfer<keyof C>[] : unknown)
  readonly escape?: Escape<NoInfer<keyof U & string>>
  /** Detectors, rungs and a classifier of your own. */
  readonly parts?: CustomParts
  /** A statechart written by hand, in place of `start`, edges and channels. */
  readonly machine?: AnyStateMachine
}

export type AnyDefinition = GraphDefinition<
  Record<string, unknown>,
  Readonly<Record<string, ToolDefinition>>,
  Readonly<Record<string, ModelDefinition>>,
  Readonly<Record<string, Graph>>,
  Readonly<Record<string, ChannelDefinition>>,
  ChannelsDefinition,
  ChannelsDefinition
>
