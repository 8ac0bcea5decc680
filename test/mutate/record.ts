/** Runs every test file without a mutant, and records how long it takes and which tests reach which mutants. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Suite } from './suite.ts'
import { inTurn } from './turn.ts'

const LIMIT = 240_000

export interface Recorded {
  readonly file: string
  readonly duration: number
  /** For each mutant, the tests that reach it; an empty list means: while the file loads, so any of its tests. */
  readonly reached: ReadonlyMap<number, readonly string[]>
}

/** Test files that fail in the copy are left out: they check the source text, or need what the copy does not have. */
export async function recordTests(
  tree: string,
  suites: readonly Suite[],
  files: readonly string[],
  progress: (done: number, planned: number) => void,
): Promise<readonly Recorded[]> {
  const recorded: Recorded[] = []
  let done = 0
  await inTurn(suites, [...files.entries()], async (suite, [index, file]) => {
    const hits = join(tree, `hits-${index}`)
    const result = await suite.run({ file, hits }, LIMIT)
    progress(++done, files.length)
    if (result === undefined || result.failed || !existsSync(hits)) return
    recorded.push({ file, duration: result.duration, reached: reachedIn(hits) })
  })
  // Quick files first, and those that reach few mutants: they look closer.
  const rank = ({ duration, reached }: Recorded) => duration * reached.size
  return recorded.sort((one, other) => rank(one) - rank(other))
}

function reachedIn(hits: string): ReadonlyMap<number, readonly string[]> {
  const reached = new Map<number, readonly string[]>()
  for (const line of readFileSync(hits, 'utf8').trim().split('\n')) {
    const [, id, test] = /^(\d+) (.*)$/.exec(line) ?? []
    const mutant = Number(id)
    const before = reached.get(mutant)
    if (!test || before?.length === 0) reached.set(mutant, [])
    else reached.set(mutant, [...(before ?? []), test])
  }
  return reached
}
