/**
 * `npm run mutate -- --seed 1 --count 240` mutates `src/core`, runs the tests that reach each mutant, and prints which survive.
 * `--write` also writes the tables to `docs/reliability.md`. `--state FILE` keeps the mutants and results; with `--again`, the survivors
 * in it are tested again. Exits with 1 if fewer than 85 % are killed.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { PARTS } from '../attack/page.ts'
import { writePart } from '../written-part.ts'
import { copyProject, filesIn, writeSwitches } from './copy.ts'
import { drawMutants } from './draw.ts'
import { keyOf, type Mutant, placeMutant } from './mutant.ts'
import { type Mutation, mutationsIn } from './mutations.ts'
import { playMutants } from './play-mutants.ts'
import { recordTests } from './record.ts'
import { mutationsText, type Run, shareKilled } from './report.ts'
import { openSuite } from './suite.ts'
import { type Outcome, testMutant } from './test-mutant.ts'
import { inTurn } from './turn.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '240' },
    workers: { type: 'string', default: '1' },
    tests: { type: 'string', default: '.' },
    state: { type: 'string' },
    again: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const tree = copyProject()
const suites = Array.from({ length: Number(values.workers) }, () => openSuite(tree))
process.on('exit', () => {
  for (const suite of suites) suite.close()
  rmSync(tree, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const run = await tested(values.again ? stored() : await drawn())
const text = mutationsText(run)
process.stdout.write(text)
if (values.write) writePart(PARTS.mutations, text)
process.exit(shareKilled(run) < 0.85 ? 1 : 0)

async function drawn(): Promise<Run> {
  const files = filesIn('src/core').filter(file => file.endsWith('.ts'))
  const seed = Number(values.seed)
  const { mutants, rejected } = await drawMutants(tree, files, {
    seed,
    count: Number(values.count),
  })
  const named = mutants.map(mutation => {
    const source = readFileSync(join(tree, mutation.file), 'utf8')
    const all = mutationsIn(mutation.file, source)
    return keyOf(
      source,
      all.find(each => JSON.stringify(each) === JSON.stringify(mutation)) as Mutation,
      all,
    )
  })
  return kept({ seed, rejected, mutants: named })
}

function kept(run: Run): Run {
  if (values.state !== undefined) writeFileSync(values.state, `${JSON.stringify(run, null, 2)}\n`)
  return run
}

/** The stored run, without the mutants of which the code is gone. */
function stored(): Run {
  const run = JSON.parse(readFileSync(values.state ?? '', 'utf8')) as Run
  return { ...run, mutants: run.mutants.filter(mutant => placeMutant(tree, mutant)) }
}

/** Tests the mutants that no test has killed yet. */
async function tested(run: Run): Promise<Run> {
  const open = run.mutants.filter(({ fate }) => fate === undefined || fate === 'survived')
  const places = open.map(mutant => placeMutant(tree, mutant) as Mutation)
  writeSwitches(tree, places)
  const results = new Map<Mutant, Mutant>()
  const known = () => ({
    ...run,
    mutants: run.mutants.map(mutant => results.get(mutant) ?? mutant),
  })
  const note = (mutant: Mutant, outcome: Outcome) => {
    const { file, line, change, nth } = mutant
    results.set(mutant, { file, line, change, nth, ...outcome })
    kept(known())
    progress('mutants', results.size, open.length)
  }
  await playMutants(tree, [...open.keys()], (id, outcome) => note(open[id] as Mutant, outcome))

  const files = filesIn('test').filter(
    file => /(?<!stories)\.test\.ts$/.test(file) && new RegExp(values.tests).test(file),
  )
  const recorded = await recordTests(tree, suites, files, (...now) =>
    progress('test files', ...now),
  )
  const left = [...open.entries()].filter(([, mutant]) => !results.has(mutant))
  await inTurn(suites, left, async (suite, [id, mutant]) => {
    note(mutant, await testMutant(suite, id, recorded))
  })
  return known()
}

function progress(name: string, done: number, planned: number): void {
  process.stderr.write(`\r${name}: ${done} of ${planned} `)
}
