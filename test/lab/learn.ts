/** Whether `escape.learn` helps: threads one after the other in one store, beside the same seeds with the order of the ladder. */
import { loadScenario } from '../../src/host/simulation/load-scenario.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { simulate, type SimulatedRun, type Subject } from '../../src/simulate/run/simulate.ts'
import type { Cell } from '../../src/simulate/scenario/vary.ts'

/** The same seeds under both policies: in sequences, each with a store of its own. */
export interface Learned {
  readonly name: string
  readonly sequences: readonly Pair[]
}

export interface Pair {
  readonly ladder: readonly SimulatedRun[]
  readonly learned: readonly SimulatedRun[]
}

const STUBBORN = 'scenarios/stubborn-model.scenario.yaml'

const stubborn = (on: string, times: number) => ({
  ...{ id: 'stubborn', on, how: { p: 0.3 }, what: { stubborn: times } },
})

const cellOf = (...faults: readonly object[]): Cell => ({ faults, oracle: {} }) as unknown as Cell

/** Of the graphs of the ready scenarios, only the shop has both rungs. */
export const CASES: readonly (readonly [name: string, file: string, cell: Cell])[] = [
  ['stubborn-model', STUBBORN, {}],
  ['`fast` repeats itself for long', STUBBORN, cellOf(stubborn('model:fast', 12))],
  ['both models repeat themselves for long', STUBBORN, cellOf(stubborn('model:*', 12))],
  [
    'the way out is dead',
    STUBBORN,
    cellOf(stubborn('model:fast', 4), {
      ...{ id: 'dead', on: 'tool:catalog', what: { error: 'persistent' } },
    }),
  ],
]

const POLICIES = { ladder: {}, learned: { escape: { learn: true } } }
const SEQUENCES = 5

/** `seeds`: of all sequences together. */
export async function measureLearning(seeds: number): Promise<readonly Learned[]> {
  const measured: Learned[] = []
  for (const [name, file, cell] of CASES) {
    process.stderr.write(`learning: ${name}\n`)
    const { subjects } = await loadScenario(file, { ...cell, policies: POLICIES, gates: [] })
    const count = Math.ceil(seeds / SEQUENCES)
    const sequences: Pair[] = []
    for (let from = 1; sequences.length < SEQUENCES; from += count) {
      const ladder = await inSequence(subjects.ladder as Subject, from, count)
      const learned = await inSequence(subjects.learned as Subject, from, count)
      sequences.push({ ladder, learned })
    }
    measured.push({ name, sequences })
  }
  return measured
}

async function inSequence(subject: Subject, from: number, count: number) {
  const store = memoryStore()
  const runs: SimulatedRun[] = []
  for (let seed = from; seed < from + count; seed++) {
    const { journal: _, ...run } = await simulate(subject, { seed, store, thread: `run-${seed}` })
    runs.push(run)
  }
  return runs
}
