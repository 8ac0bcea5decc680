/** Journals of the included graphs, with the run after each row, for tests of the inspector. */
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import { refold } from '../../src/core/advance.ts'
import type { Spec } from '../../src/core/graph/spec/spec.ts'
import { initialRun, type Row, type Run, type Started } from '../../src/core/run/run.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import type { Stamped } from '../../src/core/watch/event/event.ts'
import { bindLoaded, loadSpecs } from '../../src/host/drive/load.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { virtualClock } from '../../src/testing/clock.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** The files of all included graphs: flat ones, regions, children, maps, and a hand-written statechart. */
export const GRAPHS = readdirSync(resolve(ROOT, 'graphs')).filter(
  file => file.endsWith('.yaml') && !/\.(script|scenario)\.yaml$/.test(file),
)

export interface TestJournal {
  readonly graph: Graph
  readonly spec: Spec
  readonly rows: readonly Row[]
  /** The run after each row. */
  readonly runs: readonly Run[]
}

/** Runs a graph once, in virtual time. */
export async function journalOf(file: string, seed: number): Promise<TestJournal> {
  const loaded = await loadSpecs(resolve(ROOT, 'graphs', file))
  const graph = await bindLoaded(loaded, { workspace: ROOT })
  const store = memoryStore()
  const input: Json = file === 'approval.yaml' ? { topic: 'a release' } : {}
  await drive(nodePorts({ graph, store, clock: virtualClock() }), 'thread', {
    start: { input, seed },
  })
  const rows = await store.rows('thread')
  return { graph, spec: loaded.spec, rows, runs: runsOf(graph, rows) }
}

export function runsOf({ machine }: Graph, rows: readonly Row[]): readonly Run[] {
  let run: Run | undefined
  return rows.map(row => {
    run = refold(machine, run ?? initialRun(row.event as Stamped<Started>), row)
    return run
  })
}
