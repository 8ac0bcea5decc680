/** A copy of the project, in which the mutants stand behind switches. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { type Mutation, switchedSource } from './mutations.ts'

export const ROOT = resolve(import.meta.dirname, '../..')

/** @returns the folder of the copy */
export function copyProject(): string {
  const tree = mkdtempSync(join(realpathSync(tmpdir()), 'mutate-'))
  for (const file of filesIn('.')) cpSync(join(ROOT, file), join(tree, file), { recursive: true })
  symlinkSync(realpathSync(join(ROOT, 'node_modules')), join(tree, 'node_modules'))
  return tree
}

export function filesIn(folder: string): readonly string[] {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', folder]
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  return files.filter(file => file !== 'node_modules')
}

/** The mutants get their index as number. */
export function writeSwitches(tree: string, mutants: readonly Mutation[]): void {
  const numbered = mutants.map((mutant, id) => ({ ...mutant, id }))
  for (const file of new Set(mutants.map(mutant => mutant.file))) {
    const path = join(tree, file)
    const there = relative(dirname(path), join(tree, 'test/mutate/switch.ts'))
    const source = readFileSync(path, 'utf8')
    const inFile = numbered.filter(mutant => mutant.file === file)
    writeFileSync(path, `import { mutated } from '${there}';${switchedSource(source, inFile)}`)
  }
}
