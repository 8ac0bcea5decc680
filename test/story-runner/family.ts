/**
 * The graphs that nodes of a story run, bound to their worlds, and what became of their threads. In a story the file `./story.yaml`
 * is the graph of the story itself, and `./worker.yaml` the one that it holds under `worker`.
 */
import { machineOfSpec } from '../../src/core/graph/agent-machine.ts'
import type { Spec } from '../../src/core/graph/spec/spec.ts'
import type { Row } from '../../src/core/run/run.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { foldRows } from '../../src/runtime/store/replay.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import type { StoryMachine } from './machine-of.ts'
import { standing } from './print.ts'
import { type Script, type SimulationSetup, simulatedPorts } from './simulated-ports.ts'

/** Binds the graph of a story and all that it holds, each once. */
export function threadNames(
  { spec: story, machine }: Required<StoryMachine>,
  script: Script,
  stage: SimulationSetup,
): Graph {
  const known = new Map<Spec, Graph>()
  const named = (of: Spec, name: string): Spec => {
    const graph = of.graphs[name] ?? story.graphs[name]
    if (typeof graph === 'object') return graph
    return graph === './story.yaml' ? story : named(story, String(graph).slice(2, -'.yaml'.length))
  }
  const bound = (spec: Spec, name: string): Graph => {
    const before = known.get(spec)
    if (before) return before
    const own = name === '' ? script : (script.graphs?.[name] ?? {})
    const graphs: Record<string, Graph> = {}
    const world = simulatedPorts(spec, own, stage, name === '' ? '' : `${name}.`)
    const graph: Graph = {
      machine: name === '' ? machine : machineOfSpec(spec),
      ...world,
      graphs,
      source: spec as unknown as Json,
    }
    known.set(spec, graph)
    for (const child of Object.keys(spec.graphs)) graphs[child] = bound(named(spec, child), child)
    return graph
  }
  return bound(story, '')
}

export interface Child {
  readonly thread: string
  readonly graph: Graph
}

/** The threads that a thread has started, and those that these have. */
export async function childrenOf(
  store: Store,
  { thread, graph }: Child,
): Promise<readonly Child[]> {
  const rows = await store.rows(thread)
  const own = rows.flatMap(({ event }): Child[] => {
    const child = event.type === 'child.started' ? graph.graphs?.[event.subject] : undefined
    return event.type === 'child.started' && child ? [{ thread: event.thread, graph: child }] : []
  })
  const below = await Promise.all(
    own.map(async child => [child, ...(await childrenOf(store, child))]),
  )
  return below.flat()
}

/** How a child stands: `child    ask#1/1 (worker): ended success: goal; spent 1 steps`. */
export function childLine(root: string, { thread, graph }: Child, rows: readonly Row[]): string {
  const run = foldRows(graph.machine, undefined, rows)
  const lines = run ? standing(run).map(line => line.replace(/\s+/, ' ')) : ['not begun']
  const name = thread.startsWith(`${root}/`) ? thread.slice(root.length + 1) : thread
  return `child    ${name} (${graph.machine.id}): ${lines.join('; ')}`
}
