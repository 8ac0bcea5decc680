/** Reads an existing LangGraph graph as a graph of escapement: to lint, draw, inspect and watch it. */
import { END, START } from '@langchain/langgraph'
import { machineOfSpec } from '../../core/graph/agent-machine.ts'
import { parseSpec } from '../../core/graph/spec/read.ts'
import { RESERVED } from '../../core/graph/spec/name.ts'
import { SPEC_VERSION } from '../../core/graph/spec/spec.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { PolicyNotation } from '../../core/watch/policy/policy-keys.ts'
import type { SpecGraph } from '../../kit/bind/bind.ts'

/** A LangGraph graph as a graph of escapement. LangGraph performs its nodes. */
export interface LangGraphReading extends SpecGraph {
  /** What the graph does not declare, one sentence for each. */
  readonly unseen: readonly string[]
  /** The state of a LangGraph node. */
  readonly stateOf: (node: string) => string
}

/** The parts of a policy that apply to a LangGraph graph. */
export type ReadingPolicy = Pick<PolicyNotation, 'limits' | 'detect' | 'escape'>

/** The used part of a compiled `StateGraph`. */
export interface CompiledLike {
  readonly name?: string
  stream(input: never, options?: never): Promise<unknown>
  readonly builder: {
    readonly nodes: Readonly<Record<string, NodeLike>>
    readonly edges: Iterable<readonly [string, string]>
    readonly waitingEdges: Iterable<readonly [readonly string[], string]>
    readonly branches: Readonly<Record<string, Readonly<Record<string, BranchLike>>>>
  }
}

type NodeLike = { readonly ends?: readonly string[]; readonly subgraphs?: readonly unknown[] }
type BranchLike = { readonly ends?: Readonly<Record<string, string>> }

const FINAL = 'end'

/**
 * Reads the nodes and edges of a compiled `StateGraph`. Each target of a router or a `Command` is an outcome `done.TARGET`, and `END`
 * is the final node `end`. `unseen` lists what LangGraph does not declare. Lint and draw it as any graph, also from the command
 * line: `escapement draw ./agent.ts#reading`.
 * @throws InvalidSpec if the graph has no start, or an invalid `policy`
 * @example export const reading = fromLangGraph(agent)
 */
export function fromLangGraph(
  { name = 'LangGraph', builder }: CompiledLike,
  policy: ReadingPolicy = {},
): LangGraphReading {
  const stateOf = statesOf(Object.keys(builder.nodes))
  const arrows = arrowsOf(builder)
  const nodes = Object.keys(builder.nodes).map(node => {
    const targets = arrows.get(node) ?? []
    const on = Object.fromEntries(
      targets.map(({ to }) => [targets.length === 1 ? 'done' : `done.${stateOf(to)}`, stateOf(to)]),
    )
    return [stateOf(node), { use: 'code', out: ['state'], on }]
  })
  const [first] = arrows.get(START) ?? []
  const spec = parseSpec({
    escapement: SPEC_VERSION,
    id: idOf(name),
    ...(first && { start: stateOf(first.to) }),
    channels: { state: {} },
    nodes: { ...Object.fromEntries(nodes), [FINAL]: { final: 'success' } },
    ...policy,
    escape: { explore: choosersIn(arrows).map(stateOf), ...policy.escape },
  })
  return {
    ...{ spec, machine: machineOfSpec(spec), source: spec as unknown as Json },
    ...{ nodes: {}, tools: {}, models: {}, stateOf, unseen: unseenIn(builder) },
  }
}

type Arrow = Readonly<{ to: string; declared: boolean }>
type Builder = CompiledLike['builder']

/** The targets of each node, its routers' first. */
function arrowsOf({ nodes, edges, waitingEdges, branches }: Builder) {
  const arrows = new Map<string, Arrow[]>()
  const all = [...Object.keys(nodes), END]
  const add = (from: string, to: string, declared: boolean) => {
    const known = arrows.get(from) ?? []
    if (!known.some(arrow => arrow.to === to)) arrows.set(from, [...known, { to, declared }])
  }
  for (const [from, own] of Object.entries(branches))
    for (const { ends } of Object.values(own))
      for (const to of ends ? Object.values(ends) : all) add(from, to, ends !== undefined)
  for (const [from, { ends = [] }] of Object.entries(nodes))
    for (const to of ends) add(from, to, true)
  for (const [from, to] of edges) add(from, to, true)
  for (const [starts, to] of waitingEdges) for (const from of starts) add(from, to, true)
  return arrows
}

/** The nodes with a choice: a loop may leave by their other edges. */
const choosersIn = (arrows: ReadonlyMap<string, readonly Arrow[]>): readonly string[] =>
  [...arrows].flatMap(([from, to]) => (from !== START && to.length > 1 ? [from] : []))

type Naming = (node: string) => string

/** Names of nodes in the characters of a spec. `END` is the final node. */
function statesOf(nodes: readonly string[]): Naming {
  const taken = new Set<string>([...RESERVED, FINAL])
  const names = new Map([[END as string, FINAL]])
  for (const node of nodes) {
    const word = idOf(node)
    let name = word
    for (let nth = 2; taken.has(name); nth += 1) name = `${word}_${nth}`
    taken.add(name)
    names.set(node, name)
  }
  return node => names.get(node) ?? FINAL
}

function idOf(name: string): string {
  const word = name.replace(/[^A-Za-z0-9_-]/g, '_')
  return /^[A-Za-z]/.test(word) ? word : `n_${word}`
}

function unseenIn({ nodes, edges, waitingEdges, branches }: Builder): readonly string[] {
  const routers = Object.entries(branches).flatMap(([from, own]) =>
    Object.values(own).some(({ ends }) => ends === undefined)
      ? [`'${from}': its router lists no targets, and may lead to any node`]
      : [],
  )
  const fixed = Map.groupBy([...edges], ([from]) => from)
  const parallel = [...fixed].flatMap(([from, to]) =>
    to.length > 1 ? [`'${from}': its edges start several nodes at once, drawn as a choice`] : [],
  )
  const joins = [...waitingEdges].map(
    ([starts, to]) => `'${to}': it waits for ${starts.join(' and ')}, drawn as an edge from each`,
  )
  const subgraphs = Object.entries(nodes).flatMap(([name, { subgraphs = [] }]) =>
    subgraphs.length > 0 ? [`'${name}': a subgraph; read it with a call of its own`] : [],
  )
  return [...routers, ...parallel, ...joins, ...subgraphs, ...ALWAYS]
}

/** What no LangGraph graph declares. */
const ALWAYS: readonly string[] = [
  'Targets of Command and Send that `ends` does not list',
  'Failures, timeouts and retries: LangGraph has no edges for them',
  'The tools and models that the nodes call, and their effects',
]
