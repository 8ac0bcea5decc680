/** `escapement sim replay`: a stored thread with its journal as a cassette. */
import { graphOfSource, isBoundElsewhere } from '../../../host/drive/load.ts'
import { type LoadedScenario, loadScenario } from '../../../host/simulation/load-scenario.ts'
import { guardRun } from '../../../adapters/spec/exit-guard.ts'
import type { Row } from '../../../core/run/run.ts'
import { canonical } from '../../../core/watch/data/json.ts'
import type { Policy } from '../../../core/watch/policy/policy.ts'
import type { Graph } from '../../../runtime/ports.ts'
import { startOf } from '../../../runtime/store/source.ts'
import type { Store } from '../../../runtime/store/store.ts'
import type { OnMiss } from '../../../simulate/replay/cassette.ts'
import { replayThread } from '../../../simulate/replay/replay.ts'
import { isFailure } from '../../../simulate/search/fingerprint.ts'
import { type App, printResult, UsageError } from '../app/app.ts'
import { replayBlocks } from '../print/simulate.ts'
import { sourceOf, type StoreOptions, withStore } from './thread.ts'

interface ReplayOptions extends StoreOptions {
  readonly scenario?: string
  readonly onMiss: OnMiss
}

/** Exit code 1 if the replayed run fails. The stored thread stays as it is. */
export function replayStored(app: App, thread: string, options: ReplayOptions): Promise<number> {
  return withStore(options, async store => {
    const { summary, started } = await startOf(store, thread)
    const rows = await store.rows(thread)
    const loaded = options.scenario === undefined ? undefined : await loadScenario(options.scenario)
    const recorded = { id: summary.graph, policy: started.policy }
    const graph = await graphOf(store, rows, recorded, loaded)
    const { onMiss } = options
    const of = { graph, rows, onMiss, signal: AbortSignal.any([app.signal, app.leave]) }
    const { journal, ...run } = await guardRun(() =>
      replayThread({ ...of, ...(loaded && { scenario: loaded.scenario }) }),
    )
    printResult(app, options, { thread, ...run }, () => replayBlocks(run))
    return isFailure(run) ? 1 : 0
  })
}

/** The stored graph. For a graph that a program bound, that of the scenario, under the policy of the thread if the scenario has it. */
async function graphOf(
  store: Store,
  rows: readonly Row[],
  recorded: { readonly id: string; readonly policy: Policy },
  loaded: LoadedScenario | undefined,
): Promise<Graph> {
  try {
    return await graphOfSource(await sourceOf(store, rows), { offline: true })
  } catch (error) {
    if (!isBoundElsewhere(error)) throw error
  }
  const graphs = Object.values(loaded?.subjects ?? {}).map(({ graph }) => graph)
  const [first] = graphs
  const terms = termsOf(recorded.policy)
  const graph = graphs.find(({ machine }) => termsOf(machine.policy) === terms) ?? first
  if (graph?.machine.id === recorded.id) return graph
  const other = graph ? `, and the scenario names the graph '${graph.machine.id}'` : ''
  throw new UsageError(
    `the store holds only the spec of the graph '${recorded.id}', because a program bound it${other}; expected --scenario FILE, a scenario whose \`graph\` is the module that exports it, as ./FILE#NAME`,
  )
}

/** A thread may have learned the orders of its rungs. */
const termsOf = ({ escape: { orders: _, ...escape }, ...rest }: Policy): string =>
  canonical({ ...rest, escape })
