/** The tables of a mutation run, in Markdown. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from '../attack/report.ts'
import { ROOT } from './copy.ts'
import { lineOf, type Mutant, type MutantKey } from './mutant.ts'

export interface Run {
  readonly seed: number
  /** Drawn, but rejected by the compiler. */
  readonly rejected: number
  readonly mutants: readonly Mutant[]
}

interface Judgment extends MutantKey {
  readonly judgment: string
}

const judgments = JSON.parse(
  readFileSync(join(import.meta.dirname, 'judgments.json'), 'utf8'),
) as readonly Judgment[]

const by = (mutants: readonly Mutant[], fate: string) =>
  mutants.filter(mutant => mutant.fate === fate)

export function shareKilled({ mutants }: Run): number {
  return 1 - by(mutants, 'survived').length / mutants.length
}

export function mutationsText(run: Run): string {
  const { seed, rejected, mutants } = run
  const survivors = by(mutants, 'survived')
  const head = ['mutants', 'killed by a test', 'killed by a timeout', 'survived', 'killed']
  const share = `${(shareKilled(run) * 100).toFixed(1)} %`
  const row = [mutants, by(mutants, 'test'), by(mutants, 'timeout'), survivors].map(
    list => `${list.length}`,
  )
  return [
    table(head, [[...row, share]]),
    `\nSeed ${seed}. The compiler rejected ${rejected} further mutations, which are not counted.\n\n`,
    table(
      ['survivor', 'mutation', 'judgment'],
      survivors.map(mutant => [
        `\`${lineOf(ROOT, mutant)}\``,
        `\`${mutant.change}\``,
        judgmentOf(mutant),
      ]),
    ),
  ].join('')
}

function judgmentOf({ file, line, change, nth }: Mutant): string {
  const found = judgments.find(
    each => each.file === file && each.line === line && each.change === change && each.nth === nth,
  )
  return found?.judgment ?? 'not judged'
}
