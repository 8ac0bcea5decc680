/**
 * `npm run lab [-- SEEDS [PAIRED]]` measures the targets of the lab on the ready scenarios; with `REWRITE=1` it writes them to
 * `docs/simulation.md`. PAIRED: seeds of the policies that differ in one option.
 */
import { writePart } from '../written-part.ts'
import { measureLearning } from './learn.ts'
import { LEARNED, learnedText } from './learn-page.ts'
import { measure, type Measured, NEIGHBORS, READY } from './measure.ts'
import { pairedText, PARTS, scenariosText, targetsText } from './page.ts'

const [seeds, paired] = [Number(process.argv[2] ?? 1_000), Number(process.argv[3] ?? 200)]
const [all, neighbors] = [[], []] as [Measured[], Measured[]]
for (const file of READY) {
  process.stderr.write(`${file}\n`)
  all.push(await measure(file, seeds))
  neighbors.push(await measure(file, paired, NEIGHBORS))
}
const parts = [
  [PARTS.targets, targetsText(all, neighbors)],
  [PARTS.scenarios, scenariosText(all)],
  [PARTS.paired, pairedText([...all, ...neighbors])],
  [LEARNED, learnedText(await measureLearning(seeds))],
] as const
for (const [part, text] of parts) {
  process.stdout.write(`${text}\n\n`)
  if (process.env.REWRITE) writePart(part, text)
}
