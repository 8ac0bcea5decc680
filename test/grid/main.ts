/** `npm run grid` prints the summary; with `REWRITE=1` it writes `docs/grid.md` and the summary in `docs/simulation.md`. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { writePart } from '../written-part.ts'
import { CELLS } from './cell.ts'
import { ARMS, type Measured, measureCell } from './measure.ts'
import { pageText, SEEDS, SUMMARY, summaryText } from './page.ts'

const all: Measured[] = []
for (const cell of CELLS)
  for (const arm of ARMS) {
    process.stderr.write(`\r${all.length + 1}/${CELLS.length * ARMS.length} rows`)
    all.push(await measureCell(cell, arm, SEEDS))
  }
process.stderr.write('\n')
const text = summaryText(all)
process.stdout.write(`${text}\n`)
if (process.env.REWRITE) {
  writeFileSync(resolve(import.meta.dirname, '../../docs/grid.md'), pageText(all))
  writePart(SUMMARY, text)
}
