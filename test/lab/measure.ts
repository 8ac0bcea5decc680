/** All runs of the ready scenarios, on all cores, with their reports. */
import { readdirSync } from 'node:fs'
import { loadScenario } from '../../src/host/simulation/load-scenario.ts'
import { runTrials } from '../../src/host/simulation/pool.ts'
import {
  type Done,
  repeatsOf,
  reportOnTrials,
  type Trial,
  trialsOf,
} from '../../src/simulate/monte/monte.ts'
import type { MonteReport } from '../../src/simulate/monte/report.ts'
import { HEALTHY } from '../../src/simulate/scenario/condition.ts'
import type { SimulatedRun } from '../../src/simulate/run/simulate.ts'
import type { Cell } from '../../src/simulate/scenario/vary.ts'

/** One scenario: its report, and its runs by policy, in the order of the seeds. */
export interface Measured {
  readonly name: string
  readonly report: MonteReport
  readonly runs: Readonly<Record<string, readonly SimulatedRun[]>>
}

export const READY: readonly string[] = [
  'graphs/ring.scenario.yaml',
  ...readdirSync('scenarios').flatMap(file =>
    file.endsWith('.scenario.yaml') ? [`scenarios/${file}`] : [],
  ),
]

/** Policies that differ from the default one in one option, as those that users compare. */
export const NEIGHBORS: Cell = {
  policies: {
    default: {},
    eager: { retry: { attempts: 2 } },
    patient: { retry: { attempts: 4 } },
    tolerant: { detect: { sequence: { repeats: 4 } } },
  },
  // They compare with other policies.
  gates: [],
}

/** `cell`: replaces parts of the scenario. */
export async function measure(file: string, seeds: number, cell: Cell = {}): Promise<Measured> {
  const { scenario, subjects } = await loadScenario(file, cell)
  const plan = { ...scenario, seeds: { from: 1, count: seeds }, until: undefined }
  const done: Done[number][] = []
  const runAll = (trials: readonly Trial[]) =>
    runTrials(trials, {
      file,
      cell,
      // A machine under load is slow, and not hung.
      hungAfter: 600_000,
      onRun: (trial, run) => {
        done.push([trial, run])
      },
    })
  await runAll(trialsOf(plan, plan.seeds))
  await runAll(repeatsOf(plan, done))
  const runsOf = (name: string) =>
    done
      .flatMap(([{ again }, run]) => (again || run.policy !== name ? [] : [run]))
      .toSorted((a, b) => a.seed - b.seed)
  const names = [...Object.keys(plan.policies), HEALTHY]
  return {
    name: scenario.name,
    report: await reportOnTrials(plan, subjects, done),
    runs: Object.fromEntries(names.map(name => [name, runsOf(name)])),
  }
}
