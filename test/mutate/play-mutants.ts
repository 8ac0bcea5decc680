/** Plays the stories that reach each mutant, in one process. */
import type { Outcome } from './test-mutant.ts'
import { openStories } from './suite.ts'

const LIMIT = 60_000

/** @param done is called with each mutant that a story kills */
export async function playMutants(
  tree: string,
  mutants: readonly number[],
  done: (mutant: number, outcome: Outcome) => void,
): Promise<void> {
  const stories = openStories(tree)
  const baseline = await stories.run({ stories: [] }, 4 * LIMIT)
  if (baseline === undefined) throw new Error('the stories do not end without a mutant')
  const loaded = new Set(baseline.loaded)
  for (const mutant of mutants) {
    const reaching = Object.entries(baseline.reached)
      .filter(([, reached]) => loaded.has(mutant) || reached.includes(mutant))
      .map(([story]) => story)
    if (reaching.length === 0) continue
    const worker = loaded.has(mutant) ? openStories(tree, mutant) : stories
    const played = await worker.run({ mutant, stories: reaching }, LIMIT)
    if (played === undefined) done(mutant, { fate: 'timeout', by: 'stories' })
    else if (played.killedBy !== undefined) done(mutant, { fate: 'test', by: played.killedBy })
    if (worker !== stories) worker.close()
  }
  stories.close()
}
