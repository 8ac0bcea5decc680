/** `npm run attribution` prints the accuracy of the attribution; with `REWRITE=1` it writes it to `docs/simulation.md`. */
import { writePart } from '../written-part.ts'
import { MEASURED, measured } from './page.ts'

const { text } = await measured()
process.stdout.write(`${text}\n`)
if (process.env.REWRITE) writePart(MEASURED, text)
