/** The identity of a graph: a thread runs only in the version that its first event records. */
import { codedError, guardOf } from '../../core/watch/data/guard.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { VERSION } from '../../core/watch/parts.ts'
import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import type { Started } from '../../core/run.ts'
import { putSource } from './source.ts'
import type { GraphIdentity, Store } from './store.ts'

interface Graph {
  readonly machine: Pick<AgentMachine, 'id' | 'hash'>
  readonly source: Json
}

/** The host does not hold the graph of a thread, or not this version of it. Nothing was performed. */
export class WrongGraph extends codedError('WrongGraph', 'wrong-graph') {
  /** The graph of the thread. */
  readonly recorded: GraphIdentity
  readonly held: readonly GraphIdentity[]

  constructor(thread: string, recorded: GraphIdentity, held: readonly GraphIdentity[]) {
    super(
      `thread '${thread}' runs the graph ${nameOf(recorded)}; held here: ${held.map(nameOf).join(', ') || 'no graph'}. Pass that version of the graph, or start another thread.`,
    )
    this.recorded = recorded
    this.held = held
  }
}

/** Whether an error is a `WrongGraph`. */
export const isWrongGraph = guardOf(WrongGraph)

export function identityOf({ machine }: Graph): GraphIdentity {
  return { graph: machine.id, specHash: machine.hash }
}

export function nameOf({ graph, specHash }: GraphIdentity): string {
  return `'${graph}' (${specHash})`
}

/** Whether a thread runs this graph. Another release may hash the same source differently. */
export async function isGraphOf(
  store: Store,
  { specHash, source, versions }: Started,
  graph: Graph,
): Promise<boolean> {
  if (specHash === graph.machine.hash) return true
  return (
    source !== undefined &&
    versions.escapement !== VERSION &&
    source === (await putSource(store, graph.source))
  )
}

/** Checks that a stored thread runs this graph. A renamed node would else change the ids of its effects. @throws WrongGraph */
export async function checkGraph(store: Store, thread: string, graph: Graph): Promise<void> {
  const [[first], summary] = await Promise.all([store.rows(thread, -1, 1), store.thread(thread)])
  if (first?.event.type !== 'thread.started' || !summary) return
  if (await isGraphOf(store, first.event, graph)) return
  const recorded = { graph: summary.graph, specHash: first.event.specHash }
  throw new WrongGraph(thread, recorded, [identityOf(graph)])
}
