/** A mutant as it is stored: found again by its text when the lines of its file have moved. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mutation, mutationsIn } from './mutations.ts'

export type Fate = 'survived' | 'test' | 'timeout'

/** Identifies a mutation without its position. */
export interface MutantKey {
  readonly file: string
  /** The line at which it begins. */
  readonly line: string
  readonly change: string
  /** Which of several equal ones in its file, from 0. */
  readonly nth: number
}

export interface Mutant extends MutantKey {
  readonly fate?: Fate
  /** The test that killed it. */
  readonly by?: string
}

const CONTEXT = 70

export function keyOf(source: string, mutation: Mutation, all: readonly Mutation[]): MutantKey {
  const name = nameOf(source, mutation)
  const equal = all.filter(other => same(nameOf(source, other), name))
  return { ...name, nth: equal.indexOf(mutation) }
}

function nameOf(
  source: string,
  { file, form, start, end, text }: Mutation,
): Omit<MutantKey, 'nth'> {
  const begin = source.lastIndexOf('\n', start - 1) + 1
  const stop = source.indexOf('\n', start)
  const line = source.slice(begin, stop < 0 ? undefined : stop).trim()
  const change = {
    expression: `${shortened(source.slice(start, end))} → ${shortened(text)}`,
    statement: `without ${shortened(source.slice(start, end))}`,
    return: 'returns undefined at once',
  }[form]
  return { file, line, change }
}

const same = (one: Omit<MutantKey, 'nth'>, other: Omit<MutantKey, 'nth'>) =>
  one.file === other.file && one.line === other.line && one.change === other.change

function shortened(text: string): string {
  const flat = text.replace(/\s+/g, ' ')
  return flat.length <= CONTEXT ? flat : `${flat.slice(0, CONTEXT)}…`
}

/** @returns undefined if the code of the mutant is gone */
export function placeMutant(
  tree: string,
  { file, line, change, nth }: MutantKey,
): Mutation | undefined {
  if (!existsSync(join(tree, file))) return undefined
  const source = readFileSync(join(tree, file), 'utf8')
  const all = mutationsIn(file, source)
  return all.filter(each => same(nameOf(source, each), { file, line, change }))[nth]
}

/** Where the mutant stands: `src/core/run/run.ts:12`. */
export function lineOf(tree: string, mutant: MutantKey): string {
  const place = placeMutant(tree, mutant)
  const before = readFileSync(join(tree, mutant.file), 'utf8').slice(0, place?.start ?? 0)
  return `${mutant.file}:${before.split('\n').length}`
}
