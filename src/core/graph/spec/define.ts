/** A graph as an object in TypeScript: the same notation, and what it names must be there already when it is compiled. */
import type { z } from 'zod'
import type { channel } from './channel.ts'
import type { Fault } from './fault.ts'
import type { customNode, finalNode, OUTCOMES, workingNode } from './node.ts'
import { readSpec } from './read.ts'
import type { regionsNode } from './region.ts'
import type { model, tool } from './resource.ts'
import { SPEC_VERSION, type Spec, type spec } from './spec.ts'

/** Where outcomes may lead: to nodes of the graph, and nowhere else. */
type Edges<N> = { readonly [O in (typeof OUTCOMES)[number]]?: N } & {
  readonly [L in `done.${string}`]?: N
}

interface Names {
  readonly node: string
  readonly tool: string
  readonly model: string
  readonly channel: string
}

/** What a node says of others by their names, held to the names there are. */
type Naming<W, X extends Names> = {
  readonly on?: Edges<X['node']>
  readonly in?: readonly X['channel'][] | Readonly<Record<string, X['channel']>>
  readonly out?: X['channel'] | readonly X['channel'][] | { readonly [C in X['channel']]?: string }
} & (W extends { tool: string } ? { readonly tool: X['tool'] } : unknown) &
  (W extends { model: string } ? { readonly model: X['model'] } : unknown) &
  ('tools' extends keyof W ? { readonly tools?: readonly X['tool'][] } : unknown)

type Held<W, X extends Names> = W extends unknown
  ? Omit<W, 'on' | 'in' | 'out' | 'tool' | 'model' | 'tools'> & Naming<W, X>
  : never

type Working<X extends Names> =
  | Held<z.input<typeof workingNode>, X>
  | Held<Omit<z.input<typeof customNode>, 'use'> & { readonly use: `./${string}` }, X>

/** Inside regions the names of nodes are looked at when the graph is read. */
type Region<X extends Names> = {
  readonly start: string
  readonly nodes: Readonly<
    Record<string, Working<Omit<X, 'node'> & { readonly node: string }> | z.input<typeof finalNode>>
  >
}

/** What a set of regions may name beside `done`. */
type OfSet = 'done.failed' | 'budget' | 'cancelled'

type RegionsOf<X extends Names> = Omit<z.input<typeof regionsNode>, 'regions' | 'on'> & {
  readonly regions: Readonly<Record<string, Region<X>>>
  readonly on: { readonly done: X['node'] } & { readonly [O in OfSet]?: X['node'] } & {
    readonly [O in Exclude<(typeof OUTCOMES)[number], OfSet | 'done'>]?: never
  }
}

type NodeOf<X extends Names> = Working<X> | z.input<typeof finalNode> | RegionsOf<X>

type Escape<N extends string> = Omit<
  NonNullable<z.input<typeof spec>['escape']>,
  'alternatives'
> & { readonly alternatives?: { readonly [F in N]?: readonly N[] } }

type GraphOf<N extends string, T extends string, M extends string, C extends string> = Omit<
  z.input<typeof spec>,
  | 'escapement'
  | 'start'
  | 'nodes'
  | 'tools'
  | 'models'
  | 'channels'
  | 'input'
  | 'output'
  | 'escape'
  | 'graphs'
> & {
  readonly start?: NoInfer<N>
  readonly nodes: {
    readonly [K in N]: NodeOf<{
      node: NoInfer<N>
      tool: NoInfer<T>
      model: NoInfer<M>
      channel: NoInfer<C>
    }>
  }
  readonly tools?: { readonly [K in T]: z.input<typeof tool> }
  readonly models?: { readonly [K in M]: z.input<typeof model> }
  readonly channels?: { readonly [K in C]: z.input<typeof channel> }
  readonly input?: readonly NoInfer<C>[]
  readonly output?: readonly NoInfer<C>[]
  readonly escape?: Escape<NoInfer<N>>
  /** Graphs that its nodes run: files, or what `defineGraph` returned. */
  readonly graphs?: Readonly<Record<string, string | Spec>>
}

/** The object is no sound graph; every fault is named. */
export class InvalidSpec extends Error {
  override readonly name = 'InvalidSpec'
  readonly faults: readonly Fault[]
  constructor(faults: readonly Fault[]) {
    super(faults.map(({ path, message }) => `${path}: ${message}`).join('\n'))
    this.faults = faults
  }
}

/**
 * A wrong node, tool, model, channel or outcome is a compile error; what types cannot see is looked at when it is called.
 *
 * @throws InvalidSpec
 * @example
 * const ring = defineGraph({
 *   id: 'ring', start: 'A',
 *   nodes: { A: { use: 'tool', tool: 'look', on: { done: 'A', loop: 'B' } }, B: { final: 'success' } },
 *   tools: { look: { use: 'flaky' } },
 * })
 */
export function defineGraph<
  const N extends string,
  const T extends string = never,
  const M extends string = never,
  const C extends string = never,
>(graph: GraphOf<N, T, M, C>): Spec {
  const read = readSpec({ escapement: SPEC_VERSION, ...graph })
  if (read.faults) throw new InvalidSpec(read.faults)
  return read.spec
}
