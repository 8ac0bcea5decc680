/** The graph that a stored thread runs, to draw and fold it. No process needs to hold it. */
import type { JsonSchema } from '../../core/graph/channel-schema.ts'
import type { Chart } from '../../core/graph/chart.ts'
import { defined, isMap, type Json } from '../../core/watch/data/json.ts'
import { isWrapped } from '../../core/run/wrapped-run.ts'
import { getSource, startOf } from '../../runtime/store/source.ts'

import { type Spec, performedNodes } from '../../core/graph/spec/spec.ts'
import type { Graph } from '../../runtime/ports.ts'
import type { GraphIdentity, Store } from '../../runtime/store/store.ts'
import type { Host } from '../drive/host.ts'
import { isBoundElsewhere, machineOfSource } from '../drive/load.ts'

/** The graph of a thread. */
export interface ThreadGraph extends GraphIdentity {
  /** Absent for a recorded agent, and for a graph whose code only its own program has. */
  readonly chart?: Chart
  /** Absent for a recorded agent. */
  readonly spec?: Json
  /** The JSON Schemas of the results of tools, by their names, for a graph that the host holds. Tools without a contract have none. */
  readonly results?: Readonly<Record<string, JsonSchema>>
}

/** @throws UnknownThread, StoreUnavailable */
export async function threadGraph(
  host: Pick<Host, 'store' | 'graphOf'>,
  thread: string,
): Promise<ThreadGraph> {
  const { summary, started } = await startOf(host.store, thread)
  const identity = { graph: summary.graph, specHash: started.specHash }
  if (isWrapped(started)) return identity
  const source = await getSource(host.store, thread, started)
  const spec = isMap(source) && 'spec' in source ? source.spec : source
  // Only the host has the code of a graph that a program bound.
  const held = await host.graphOf(thread).catch(() => undefined)
  if (!held) return { ...identity, ...defined({ spec, chart: await chartOf(source) }) }
  return { ...identity, ...defined({ spec }), chart: held.machine.chart, results: resultsOf(held) }
}

/** The nodes that the graph of a thread performs. `undefined` for a recorded agent and for a hand-written statechart. */
export async function nodesOfThread(
  store: Store,
  thread: string,
): Promise<readonly string[] | undefined> {
  const { started } = await startOf(store, thread)
  if (isWrapped(started)) return undefined
  const source = (await getSource(store, thread, started)) as { readonly spec?: Spec }
  const spec = source.spec ?? (source as Spec)
  if (spec.machine !== undefined) return undefined
  return performedNodes(spec).map(([name]) => name)
}

const resultsOf = ({ tools }: Pick<Graph, 'tools'>): NonNullable<ThreadGraph['results']> =>
  Object.fromEntries(
    Object.entries(tools).flatMap(([name, { returns }]) => (returns ? [[name, returns]] : [])),
  )

async function chartOf(source: Json): Promise<Chart | undefined> {
  try {
    return (await machineOfSource(source)).chart
  } catch (error) {
    if (isBoundElsewhere(error)) return undefined
    throw error
  }
}
