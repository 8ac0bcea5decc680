/** The graph that runs a child thread. Graphs of one spec may be bound to different tools, so the identity of the thread does not tell. */
import type { Parent } from '../../core/watch/event/event.ts'
import type { Graph } from '../ports.ts'
import { findStart } from '../store/source.ts'
import type { Store } from '../store/store.ts'

/** The graph that the parent calls, as the parent binds it. `undefined`: the parent has no such call, or no such graph. */
export async function childGraph(
  store: Store,
  above: Graph,
  { thread, call, seq }: Parent,
): Promise<Graph | undefined> {
  const [row] = await store.rows(thread, seq - 1, 1)
  if (row?.event.type !== 'child.started' || row.event.call !== call) return undefined
  const { graphs = {} } = above
  return Object.hasOwn(graphs, row.event.subject) ? graphs[row.event.subject] : undefined
}

/** The graph of a descendant of a thread. */
export async function descendantGraph(
  store: Store,
  root: { readonly thread: string; readonly graph: Graph },
  thread: string,
): Promise<Graph | undefined> {
  if (thread === root.thread) return root.graph
  const { parent } = (await findStart(store, thread))?.started ?? {}
  const above = parent && (await descendantGraph(store, root, parent.thread))
  return above && childGraph(store, above, parent)
}
