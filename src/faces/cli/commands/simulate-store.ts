/** Stores the runs that a report lists, and links them to an inspector. */
import { guardRun } from '../../../adapters/spec/exit-guard.ts'
import { openStore } from '../../../host/drive/stored.ts'
import type { LoadedScenario } from '../../../host/simulation/load-scenario.ts'
import type { MonteReport } from '../../../simulate/monte/report.ts'
import type { LinkOf } from '../../../simulate/report/html.ts'
import { type SimulatedRun, simulate } from '../../../simulate/run/simulate.ts'
import { UsageError } from '../app/app.ts'

/** The name has the hash of the journal: a stored thread of this name is the same run. */
const threadOf = (scenario: string, { policy, seed, hash }: SimulatedRun): string =>
  `${scenario}-${policy}-${seed}-${hash.slice(0, 8)}`

/** Runs them again into the store, unless they are there. */
export async function storeRuns(
  { scenario, subjects }: LoadedScenario,
  { worst }: MonteReport,
  file: string,
): Promise<void> {
  const store = await openStore(file)
  try {
    for (const run of worst) {
      const thread = threadOf(scenario.name, run)
      const subject = subjects[run.policy]
      if (!subject || (await store.thread(thread))) continue
      await guardRun(() => simulate(subject, { seed: run.seed, store, thread }))
    }
  } finally {
    await store.close()
  }
}

/** The links to an inspector: at the event that began the trouble, if the journal shows it. @throws UsageError */
export function linksTo(inspector: string, scenario: string): LinkOf {
  if (!URL.canParse(inspector) || !/^https?:$/.test(new URL(inspector).protocol))
    throw new UsageError(`--inspector '${inspector}': expected a URL such as http://127.0.0.1:4100`)
  const base = inspector.replace(/[/#]+$/, '')
  return run => {
    const place = run.fault ? `?at=${run.fault.at}` : ''
    return `${base}/#/threads/${encodeURIComponent(threadOf(scenario, run))}${place}`
  }
}
