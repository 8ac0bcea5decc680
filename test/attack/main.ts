/**
 * `npm run attack -- --seed 7 --kills 1000 --storms 1000 --inputs 1000000` attacks the project, and prints what was tried and what held.
 * `--write` also writes the tables to `docs/reliability.md`. `--episode N`, `--storm N` and `--input N` repeat one part. Exits with 1 if a rule broke.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { attackByInputs } from './inputs/inputs.ts'
import { attackByKills } from './kills/kills.ts'
import { attackByStorms } from './storms/storms.ts'
import type { Progress, Violation } from './violation.ts'
import { writePart } from '../written-part.ts'
import { PARTS } from './page.ts'
import { count, inputsText, killsText, loopsText, stormsText } from './report.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '1000' },
    storms: { type: 'string', default: '1000' },
    inputs: { type: 'string', default: '1000000' },
    episode: { type: 'string' },
    storm: { type: 'string' },
    input: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
/** The part that is repeated. */
const only = (['episode', 'storm', 'input'] as const).find(name => values[name] !== undefined)

if (only === undefined || only === 'episode') {
  const one = values.episode === undefined ? {} : { episode: Number(values.episode) }
  const report = await attackByKills({ seed, kills: Number(values.kills), progress, ...one })
  finish('kills', killsText(report), report.violations)
}
if (only === undefined || only === 'storm') {
  const one = values.storm === undefined ? {} : { storm: Number(values.storm) }
  const report = await attackByStorms({ seed, storms: Number(values.storms), progress, ...one })
  finish('storms', stormsText(report), report.violations)
}
if (only === undefined || only === 'input') {
  const one = values.input === undefined ? {} : { input: Number(values.input) }
  const report = await attackByInputs({ seed, inputs: Number(values.inputs), progress, ...one })
  finish('inputs', inputsText(report), report.violations)
}
if (only === undefined) finish('loops', await loopsText(), [])

/** Shows the progress on a terminal. */
function progress(...[name, done, planned]: Parameters<Progress>): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${name}: ${count(done)} of ${count(planned)} `)
}

/** Prints a table, or the violations with the commands that repeat them. */
function finish(
  part: 'kills' | 'storms' | 'inputs' | 'loops',
  text: string,
  violations: readonly Violation[],
): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  process.stdout.write(`${text}\n`)
  for (const { rule, repeat } of violations) process.stdout.write(`BROKEN ${rule}\n  ${repeat}\n`)
  if (violations.length > 0) process.exitCode = 1
  else if (values.write && only === undefined) writePart(PARTS[part], text)
}
