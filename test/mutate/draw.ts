/** Draws mutants that the compiler accepts: as many from each file as its share of all mutations. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { chance } from '../attack/chance.ts'
import { type Mutation, mutatedSource, mutationsIn } from './mutations.ts'

export interface Drawn {
  readonly mutants: readonly Mutation[]
  /** Drawn, but rejected by the compiler, and replaced by another mutation. */
  readonly rejected: number
}

/** @param tree a copy of the project; its files are as before afterwards */
export async function drawMutants(
  tree: string,
  files: readonly string[],
  { seed, count }: { seed: number; count: number },
): Promise<Drawn> {
  const sources = new Map(files.map(file => [file, readFileSync(join(tree, file), 'utf8')]))
  const decks = files.map(file => ({
    file,
    deck: shuffled([...mutationsIn(file, sources.get(file) ?? '')], `${seed}/${file}`),
    source: sources.get(file) ?? '',
    mutants: [] as Mutation[],
  }))
  const shares = sharesOf(
    decks.map(({ deck }) => deck.length),
    count,
  )
  let rejected = 0
  for (;;) {
    // One in each file: the compiler names the file.
    const tried = decks.flatMap(({ deck, mutants }, index) =>
      mutants.length < (shares[index] ?? 0) ? deck.splice(0, 1) : [],
    )
    if (tried.length === 0) break
    const accepted = new Set(await accept(tree, sources, tried))
    rejected += tried.length - accepted.size
    for (const { file, mutants } of decks)
      mutants.push(...tried.filter(mutation => mutation.file === file && accepted.has(mutation)))
  }
  return { mutants: decks.flatMap(({ mutants }) => mutants), rejected }
}

/**
 * Compiles the mutations together, until no error is left. First the mutations of files with an error are rejected, then those of files
 * that one of these imports. An innocent one may be rejected: it is only another draw.
 */
async function accept(
  tree: string,
  sources: ReadonlyMap<string, string>,
  mutations: readonly Mutation[],
): Promise<readonly Mutation[]> {
  const sourceOf = (file: string) => sources.get(file) ?? ''
  const mutated = mutations.map(
    mutation => [mutation.file, mutatedSource(sourceOf(mutation.file), mutation)] as const,
  )
  write(tree, new Map(mutated))
  const errors = await filesWithErrors(tree)
  write(tree, sources)
  if (errors.length === 0 || mutations.length === 0) return mutations
  const imports = errors.flatMap(file => importsOf(tree, file))
  for (const wrong of [errors, imports]) {
    const right = mutations.filter(({ file }) => !wrong.includes(file))
    if (right.length < mutations.length) return accept(tree, sources, right)
  }
  return accept(tree, sources, mutations.slice(0, mutations.length / 2))
}

function write(tree: string, sources: ReadonlyMap<string, string>): void {
  for (const [file, source] of sources) writeFileSync(join(tree, file), source)
}

function importsOf(tree: string, file: string): readonly string[] {
  const imports = readFileSync(join(tree, file), 'utf8').matchAll(/ from '(\.[^']+)'/g)
  return [...imports].map(([, path]) => join(dirname(file), String(path)))
}

function filesWithErrors(tree: string): Promise<readonly string[]> {
  writeFileSync(
    join(tree, 'tsconfig.mutate.json'),
    '{"extends":"./tsconfig.json","compilerOptions":{"noUnusedLocals":false,"noUnusedParameters":false},"include":["src"]}',
  )
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.mutate.json', '--pretty', 'false']
  return new Promise(resolve => {
    execFile(process.execPath, tsc, { cwd: tree, maxBuffer: 1e8 }, (_, stdout) => {
      const errors = stdout.matchAll(/^(\S+?)\(\d+,\d+\): error /gm)
      resolve([...new Set([...errors].map(([, file]) => String(file)))])
    })
  })
}

function shuffled<T>(list: T[], seed: string): T[] {
  const random = chance(seed)
  for (let last = list.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    ;[list[last], list[other]] = [list[other] as T, list[last] as T]
  }
  return list
}

/** Shares in proportion to the sizes, with the given sum: the largest remainders are rounded up. */
function sharesOf(sizes: readonly number[], count: number): readonly number[] {
  const all = sizes.reduce((sum, size) => sum + size, 0)
  const exact = sizes.map(size => (size / all) * count)
  const shares = exact.map(Math.floor)
  const byRemainder = exact
    .map((share, index) => ({ rest: share % 1, index }))
    .sort((one, other) => other.rest - one.rest)
  const missing = count - shares.reduce((sum, share) => sum + share, 0)
  for (const { index } of byRemainder.slice(0, missing)) shares[index] = (shares[index] ?? 0) + 1
  return shares
}
