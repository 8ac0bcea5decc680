/** `npm run lab [-- SEEDS]` measures the targets of the lab on the ready scenarios; with `REWRITE=1` it writes them to `docs/simulation.md`. */
import { writePart } from '../written-part.ts'
import { measure, type Measured, NEIGHBORS, READY } from './measure.ts'
import { pairedText, PARTS, scenariosText, targetsText } from './page.ts'

/** Seeds of the policies that differ in one option. */
const PAIRED_SEEDS = 100

const seeds = Number(process.argv[2] ?? 1_000)
const [all, neighbors] = [[], []] as [Measured[], Measured[]]
for (const file of READY) {
  process.stderr.write(`${file}\n`)
  all.push(await measure(file, seeds))
  neighbors.push(await measure(file, Math.min(seeds, PAIRED_SEEDS), NEIGHBORS))
}
const texts = {
  targets: targetsText(all, neighbors),
  scenarios: scenariosText(all),
  paired: pairedText([...all, ...neighbors]),
}
for (const [name, text] of Object.entries(texts)) {
  process.stdout.write(`${text}\n\n`)
  if (process.env.REWRITE) writePart(PARTS[name as keyof typeof PARTS], text)
}
