/** What a thread met at the gate, found again in its journal: a process that takes the thread over begins with it. */
import type { Row } from '../core/run.ts'
import type { Breaker } from '../core/watch/breaker.ts'
import { type Gate, resourceOf } from './gate.ts'
import type { Store } from './store.ts'

/** An open breaker is a matter of seconds: what lies further back has long been let out a probe. */
const ROWS = 256

/** Gives a private gate the breakers it knows nothing of. A store keeps those of all others. */
export async function restored(gate: Gate, graph: string, store: Store, { thread, seq }: { readonly thread: string; readonly seq: number }): Promise<void> {
  if (!gate.restore) return
  for (const [resource, breaker] of breakersIn(graph, await store.rows(thread, seq - ROWS))) await gate.restore(resource, breaker)
}

/** The breakers that were open at the end of these rows. */
export function breakersIn(graph: string, rows: readonly Row[]): ReadonlyMap<string, Breaker> {
  const kinds = new Map<string, 'tool' | 'model'>()
  const breakers = new Map<string, Breaker>()
  for (const { event } of rows) {
    if (event.type === 'tool.called' || event.type === 'model.called') kinds.set(event.call, event.type === 'tool.called' ? 'tool' : 'model')
    const kind = 'call' in event ? kinds.get(event.call) : undefined
    if (!kind || !('subject' in event)) continue
    const resource = resourceOf(graph, kind, event.subject)
    if (event.type === 'circuit.opened') breakers.set(resource, { state: 'open', failures: event.failures, openedAt: event.at, retryAt: event.retryAt })
    if (event.type === 'circuit.closed') breakers.delete(resource)
  }
  return breakers
}
