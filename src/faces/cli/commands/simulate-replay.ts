/** `escapement sim replay`: a stored thread with its journal as a cassette. */
import { graphOfSource } from '../../../host/drive/load.ts'
import { loadScenario } from '../../../host/simulation/load-scenario.ts'
import { guardRun } from '../../../adapters/spec/exit-guard.ts'
import { UnknownThread } from '../../../runtime/store/store.ts'
import type { OnMiss } from '../../../simulate/replay/cassette.ts'
import { replayThread } from '../../../simulate/replay/replay.ts'
import { isFailure } from '../../../simulate/search/fingerprint.ts'
import { type App, printResult } from '../app/app.ts'
import { replayBlocks } from '../print/simulate.ts'
import { sourceOf, type StoreOptions, withStore } from './thread.ts'

interface ReplayOptions extends StoreOptions {
  readonly scenario?: string
  readonly onMiss: OnMiss
}

/** Exit code 1 if the replayed run fails. The stored thread stays as it is. */
export function replayStored(app: App, thread: string, options: ReplayOptions): Promise<number> {
  return withStore(options, async store => {
    const rows = await store.rows(thread)
    if (rows.length === 0) throw new UnknownThread(thread)
    const graph = await graphOfSource(await sourceOf(store, rows), { offline: true })
    const loaded = options.scenario === undefined ? undefined : await loadScenario(options.scenario)
    const { onMiss } = options
    const of = { graph, rows, onMiss, signal: AbortSignal.any([app.signal, app.leave]) }
    const { journal, ...run } = await guardRun(() =>
      replayThread({ ...of, ...(loaded && { scenario: loaded.scenario }) }),
    )
    printResult(app, options, { thread, ...run }, () => replayBlocks(run))
    return isFailure(run) ? 1 : 0
  })
}
