/** Runs the tests that reach a mutant, until one fails. */
import type { Fate } from './mutant.ts'
import type { Recorded } from './record.ts'
import type { Suite } from './suite.ts'

export interface Outcome {
  readonly fate: Fate
  readonly by?: string
}

export async function testMutant(
  suite: Suite,
  mutant: number,
  recorded: readonly Recorded[],
): Promise<Outcome> {
  for (const { file, duration, reached } of recorded) {
    const names = reached.get(mutant)
    if (names === undefined) continue
    const limit = 30_000 + 4 * duration
    const tests = names.length > 0 ? { tests: names } : {}
    const result = await suite.run({ file, ...tests, mutant }, limit)
    if (result !== undefined && !result.failed) continue
    const { test, message } = result?.failed ?? { test: '', message: 'timed out' }
    const fate = /timed out/i.test(message) ? 'timeout' : 'test'
    // The failure counts only if the test passes without the mutant.
    const single = test && test !== file ? { tests: [test] } : tests
    const again = await suite.run({ file, ...single }, limit)
    if (again === undefined || again.failed) continue
    return { fate, by: test && test !== file ? `${file} > ${test}` : file }
  }
  return { fate: 'survived' }
}
