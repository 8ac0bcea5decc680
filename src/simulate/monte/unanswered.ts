/** The questions of many runs that no decision of the scenario fits. */
import type { SimulatedRun } from '../run/simulate.ts'
import type { UnansweredQuestion } from '../run/people.ts'

/** `runs`: the number of runs in which it was asked. */
export type UnansweredTimes = UnansweredQuestion & { readonly runs: number }

/** Questions that are listed: their texts may hold values that differ in each run. */
const LISTED_MAX = 10

/** The most frequent ones. */
export function unansweredIn(runs: readonly SimulatedRun[]): readonly UnansweredTimes[] {
  const found = new Map<string, UnansweredTimes>()
  for (const { unanswered } of runs) {
    const ofRun = new Map(unanswered.map(asked => [`${asked.question} ${asked.because}`, asked]))
    for (const [key, asked] of ofRun)
      found.set(key, { ...asked, runs: (found.get(key)?.runs ?? 0) + 1 })
  }
  return [...found.values()].toSorted((a, b) => b.runs - a.runs).slice(0, LISTED_MAX)
}

/** `no answer fits 'Send it?' in 4 of 20 runs: …` */
export const unansweredText = ({ question, because, runs }: UnansweredTimes, of: number): string =>
  `no answer fits '${question}' in ${runs} of ${of} runs: ${because}`
