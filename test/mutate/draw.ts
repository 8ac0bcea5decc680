/** Draws mutants that the compiler accepts: as many from each file as its share of all mutations. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { chance } from '../attack/chance.ts'
import { parseAst } from 'vitest/node'
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
    const tried = decks.flatMap(({ deck, mutants, source }, index) =>
      dealt(deck, source, (shares[index] ?? 0) - mutants.length),
    )
    if (tried.length === 0) break
    const accepted = new Set(await accept(tree, sources, tried))
    rejected += tried.length - accepted.size
    for (const { file, mutants } of decks)
      mutants.push(...tried.filter(mutation => mutation.file === file && accepted.has(mutation)))
  }
  return {
    mutants: decks.flatMap(({ mutants }, index) => mutants.slice(0, shares[index])),
    rejected,
  }
}

/** Twice as many as are missing, since the compiler rejects every second one, and at most one in each statement of the file. */
function dealt(deck: Mutation[], source: string, missing: number): readonly Mutation[] {
  const taken = new Map<number, Mutation>()
  for (const mutation of deck) {
    if (taken.size >= 2 * missing) break
    const statement = statementAt(source, mutation.start).index
    if (!taken.has(statement)) taken.set(statement, mutation)
  }
  const dealt = [...taken.values()]
  for (const mutation of dealt) deck.splice(deck.indexOf(mutation), 1)
  return dealt
}

/**
 * Compiles the mutations together, until no error is left. First the mutations of statements with an error are rejected, then those of
 * exports that put the type into the message. An innocent one may be rejected: it is only another draw.
 */
async function accept(
  tree: string,
  sources: ReadonlyMap<string, string>,
  mutations: readonly Mutation[],
): Promise<readonly Mutation[]> {
  const mutated = new Map<string, string>()
  for (const [file, source] of sources) {
    const inFile = mutations.filter(mutation => mutation.file === file)
    const lastFirst = inFile.toSorted((one, other) => other.start - one.start)
    mutated.set(file, lastFirst.reduce(mutatedSource, source))
  }
  write(tree, mutated)
  const errors = await errorsIn(tree)
  write(tree, sources)
  if (errors.length === 0) return mutations
  const statementOf = ({ file, start }: Mutation) => statementAt(sources.get(file) ?? '', start)
  const lines = errors.map(({ file, line, text }) => {
    const source = mutated.get(file) ?? ''
    const before = source.split('\n').slice(0, line - 1)
    return { file, text, index: statementAt(source, before.join('\n').length + 1).index }
  })
  const isWrong = (mutation: Mutation) =>
    lines.some(({ file, index }) => file === mutation.file && index === statementOf(mutation).index)
  const right = mutations.filter(mutation => !isWrong(mutation))
  if (right.length < mutations.length) return accept(tree, sources, right)
  const suspects = right.filter(
    mutation =>
      statementOf(mutation).exported &&
      lines.some(({ text }) => text.includes(mutation.text.replaceAll("'", ''))),
  )
  const wrong = suspects.length > 0 ? suspects : right.slice(0, Math.ceil(right.length / 10))
  return accept(
    tree,
    sources,
    right.filter(mutation => !wrong.includes(mutation)),
  )
}

function write(tree: string, sources: ReadonlyMap<string, string>): void {
  for (const [file, source] of sources) writeFileSync(join(tree, file), source)
}

interface Statement {
  readonly end: number
  readonly index: number
  readonly exported: boolean
}

const statements = new Map<string, readonly Statement[]>()

/** The top-level statement at this place. */
function statementAt(source: string, place: number): Statement {
  const body =
    statements.get(source) ??
    parseAst(source, { lang: 'ts' }).body.map(({ type, end }, index) => {
      return { end, index, exported: type.startsWith('Export') }
    })
  statements.set(source, body)
  return body.find(({ end }) => place < end) ?? { end: source.length, index: -1, exported: false }
}

interface CompileError {
  readonly file: string
  readonly line: number
  readonly text: string
}

function errorsIn(tree: string): Promise<readonly CompileError[]> {
  writeFileSync(
    join(tree, 'tsconfig.mutate.json'),
    '{"extends":"./tsconfig.json","compilerOptions":{"noUnusedLocals":false,"noUnusedParameters":false},"include":["src"]}',
  )
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.mutate.json', '--pretty', 'false']
  return new Promise(resolve => {
    execFile(process.execPath, tsc, { cwd: tree, maxBuffer: 1e8 }, (_, stdout) => {
      const errors = stdout.matchAll(/^(\S+?)\((\d+),\d+\): error (.*)/gm)
      resolve(
        [...errors].map(([, file, line, text]) => {
          return { file: String(file), line: Number(line), text: String(text) }
        }),
      )
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
