/** Compiles a graph to a LangGraph `StateGraph`. */
import { type CompiledStateGraph, END, type LangGraphRunnableConfig } from '@langchain/langgraph'
import { START, StateGraph } from '@langchain/langgraph'
import { defined } from '../../core/watch/data/json.ts'
import {
  type Next as NextStates,
  type Succession,
  successionOf,
} from '../../core/graph/successors.ts'
import { nodePorts } from '../../adapters/node/ports.ts'
import type { Graph } from '../../runtime/ports.ts'
import { nodeNames } from './node-names.ts'
import type { PortsOf } from '../drive/host-parts.ts'
import { checkRepeatable, type LangGraphOptions } from './options.ts'
import { recursionLimitOf } from './recursion-limit.ts'
import { State, type StateUpdate, type StateValues, StateWithJournal } from './state.ts'
import { type Site, Supersteps } from './superstep.ts'

/** A graph of escapement as LangGraph compiles it. */
export type LangGraphOf = CompiledStateGraph<
  StateValues,
  StateUpdate,
  string,
  typeof StateWithJournal.spec,
  typeof StateWithJournal.spec
>

/**
 * A LangGraph graph with one node for each state that works, waits or asks, and an edge for each arrow between them, also for
 * failures and escapes. Invoke it with `{ input }`; the state then has `escapement` (thread, seq, status, outcome), `context` (the
 * channels) and `output`. Answer an interrupt with `new Command({ resume: 'approved' })`.
 *
 * A superstep is one turn: all effects that can be performed. With a store, each turn is committed there, and on resume the store
 * wins over the LangGraph state. Without one, the journal is part of the LangGraph state.
 * @throws NeedsStore without a store, for a graph with writes that are not idempotent, or with graphs as nodes
 * @throws UnfitName for a state whose name LangGraph reserves
 * @example
 * const agent = toLangGraph(support, { store: sqliteStore('threads.db'), checkpointer: new MemorySaver() })
 * const { output } = await agent.invoke({ input: { goal: 'Where is my order?' } }, { configurable: { thread_id: 'ticket-42' } })
 */
export function toLangGraph(graph: Graph, options: LangGraphOptions = {}): LangGraphOf {
  const { clock, gate, notifiers } = options
  const given = defined({ clock, gate, notifiers })
  return compileGraph(graph, options, of => nodePorts({ ...given, ...of }))
}

/** As `toLangGraph`, with custom ports. */
export function compileGraph(
  graph: Graph,
  options: LangGraphOptions,
  portsOf: PortsOf,
): LangGraphOf {
  if (!options.store) checkRepeatable(graph)
  const { start, after } = successionOf(graph.machine.chart)
  const drawn = drawnStates(start, after)
  const { begin, of: names } = nodeNames(drawn, Object.keys(StateWithJournal.spec))
  // A rollback or a restriction belongs to no state, and a change of the policy can lead to a state that is not drawn.
  const nodeOf = (state: string) => names.get(state) ?? names.get(drawn[0] ?? '') ?? END
  const endsOf = ({ states, ends }: NextStates) => [...states.map(nodeOf), ...(ends ? [END] : [])]
  const steps = new Supersteps({ graph, options, portsOf, nodeOf })
  // The names of the nodes are known only now.
  const builder = new StateGraph(options.store ? State : StateWithJournal) as unknown as Builder
  builder.addNode(begin, (state, config) => steps.begin(siteOf(state, config)), {
    ends: endsOf(start),
  })
  for (const [state, name] of names) {
    builder.addNode(name, (values, config) => steps.perform(name, siteOf(values, config)), {
      ends: endsOf(after.get(state) ?? start),
    })
  }
  builder.addEdge(START, begin)
  const { checkpointer } = options
  const compiled = builder.compile({ name: graph.machine.id, ...defined({ checkpointer }) })
  const limits = { recursionLimit: recursionLimitOf(graph), durability: 'sync' as const }
  return compiled.withConfig(limits) as LangGraphOf
}

type Builder = StateGraph<
  typeof StateWithJournal.spec,
  StateValues,
  StateUpdate,
  string,
  typeof StateWithJournal.spec,
  typeof StateWithJournal.spec
>

/** LangGraph types the state of a node by its own schema, and these nodes have the schema of the graph. */
const siteOf = (state: unknown, config: LangGraphRunnableConfig): Site => {
  return { state: state as StateValues, config }
}

/** The states that the start leads to. */
function drawnStates({ states }: NextStates, after: Succession['after']): readonly string[] {
  const drawn = new Set(states)
  // A set is iterated in insertion order, including states that are added meanwhile.
  for (const state of drawn) for (const next of after.get(state)?.states ?? []) drawn.add(next)
  return [...drawn]
}
