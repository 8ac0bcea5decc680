/** The types of `defineGraph`: every name in a graph must be the name of one of its parts. */
import type { Migrate } from '../../core/migration.ts'
import type { AnyStateMachine } from 'xstate'
import type { ChannelInput, ModelInput, ToolInput } from '../../core/graph/spec/resource.ts'
import type { CustomNodeInput, FinalNodeInput, OUTCOMES } from '../../core/graph/spec/node.ts'
import type { RegionsNodeInput, WorkingNodeInput } from '../../core/graph/spec/node.ts'
import type { SpecInput } from '../../core/graph/spec/spec.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { CustomParts } from '../../core/watch/parts.ts'
import type { CustomNode } from '../../kit/nodes/node.ts'
import type { Schema, SchemaInput, SchemaOutput, StandardSchema } from '../../kit/schema.ts'
import type { Graph, Tool } from '../../runtime/ports.ts'
import type { AnyModel } from './model-from.ts'

/** A channel: its schema, or its schema with a reducer, or a JSON Schema with both. */
export type ChannelDefinition =
  | StandardSchema
  | (Pick<ChannelInput, 'reducer' | 'volatile' | 'default'> & { readonly schema: Schema })
  | ChannelInput

/** A tool created with `tool(…)`, or a built-in tool as data. */
export type ToolDefinition = Tool | ToolInput

/** A model, a model with its retry and breaker policy, or an endpoint as data. */
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

/** The input of `start`. Without a definition: any of the channels. */
export type InputIn<I, C> = ChannelsDefinition extends I
  ? Partial<Values<C, keyof C>>
  : I extends readonly string[]
    ? Values<C, I[number]> & Partial<Values<C, keyof C>>
    : SchemaInput<I>

/** The output of a thread. An unwritten channel is null. */
export type OutputIn<O, C> = ChannelsDefinition extends O
  ? { readonly [K in keyof C]: ValueOf<C[K]> | null }
  : O extends readonly string[]
    ? { readonly [K in O[number] & keyof C]: ValueOf<C[K]> | null }
    : SchemaOutput<O>

/** The channels of a thread. An unwritten channel is null. */
export type ChannelsIn<C, I, O> = {
  readonly [K in keyof C]: ValueOf<C[K]> | null
} & (I extends Schema ? SchemaOutput<I> : unknown) &
  (O extends Schema
    ? { readonly [K in keyof SchemaOutput<O>]: SchemaOutput<O>[K] | null }
    : unknown)

/** The channels that the schema of an object declares. */
type Properties<S> = ChannelsDefinition extends S
  ? never
  : S extends StandardSchema
    ? keyof SchemaInput<S> & string
    : S extends { readonly properties: infer P }
      ? keyof P & string
      : never

/** The names that parts of a graph may reference. */
type Names = Readonly<Record<'node' | 'tool' | 'model' | 'graph' | 'channel', string>>

type Outcome = (typeof OUTCOMES)[number]

type Edges<N, Label extends string> = { readonly [O in Outcome]?: N } & {
  readonly [L in `done.${Label}`]?: N
}

/** The names in a node, except its edges. */
type Mentions<W, X extends Names> = {
  readonly in?: readonly X['channel'][] | Readonly<Record<string, X['channel']>>
  readonly out?: X['channel'] | readonly X['channel'][] | { readonly [C in X['channel']]?: string }
} & (W extends { tool: string } ? { readonly tool: X['tool'] } : unknown) &
  (W extends { model: string } ? { readonly model: X['model'] } : unknown) &
  (W extends { graph: string } ? { readonly graph: X['graph'] } : unknown) &
  ('tools' extends keyof W ? { readonly tools?: readonly X['tool'][] } : unknown)

type Checked<W, X extends Names> = W extends unknown
  ? Omit<W, 'on' | 'in' | 'out' | 'tool' | 'model' | 'graph' | 'tools'> & Mentions<W, X>
  : never

/** A custom node. Its edges are the outcomes it returns with `done`, instead of conditions in `when`. */
type CustomDefinition<Label, X extends Names> = Checked<
  Omit<CustomNodeInput, 'use' | 'on' | 'when'>,
  X
> & { readonly use: CustomNode<unknown, Label>; readonly on?: Edges<X['node'], Label & string> }

type ModuleNodeInput = Omit<CustomNodeInput, 'use'> & { readonly use: `./${string}` }

type WorkingDefinition<X extends Names> = Checked<WorkingNodeInput | ModuleNodeInput, X> & {
  readonly on?: Edges<X['node'], string>
}

/** The parser checks the names of nodes inside regions. */
type Region<X extends Names> = {
  readonly start: string
  readonly nodes: Readonly<
    Record<string, WorkingDefinition<X> | CustomDefinition<string, X> | FinalNodeInput>
  >
}

/** The outcomes of a set of regions, except `done`. */
type OfSet = 'done.failed' | 'budget' | 'cancelled'

type RegionsDefinition<X extends Names> = Omit<RegionsNodeInput, 'regions' | 'on'> & {
  readonly regions: Readonly<Record<string, Region<Omit<X, 'node'> & { readonly node: string }>>>
  readonly on: { readonly done: X['node'] } & { readonly [O in OfSet]?: X['node'] } & {
    readonly [O in Exclude<Outcome, OfSet | 'done'>]?: never
  }
}

type NodeDefinition<Label, X extends Names> =
  | CustomDefinition<Label, X>
  | WorkingDefinition<X>
  | FinalNodeInput
  | RegionsDefinition<X>

type Escape<N extends string> = Omit<
  NonNullable<SpecInput['escape']>,
  'alternatives' | 'explore'
> & {
  readonly explore?: readonly N[]
  readonly alternatives?: { readonly [F in N]?: readonly N[] }
}

/** The parameters: node labels, tools, models, graphs, channels, input and output. */
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
  /** Custom detectors, rungs and a custom classifier. */
  readonly parts?: CustomParts
  /** Moves waiting threads of earlier versions of the graph to this one. */
  readonly migrate?: Migrate
  /** A hand-written statechart, instead of `start`, edges and channels. */
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
