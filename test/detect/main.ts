/** `npm run detection` prints the measured tables; with `REWRITE=1` it writes them to `docs/detection.md`. */
import { writePart } from '../written-part.ts'
import { MEASURED } from './page.ts'
import { recorded } from './recorded.ts'
import { measured } from './report.ts'

if (!recorded)
  process.stdout.write('skipped: recordings not found beside the project (../shared/detect)\n')
else {
  const text = await measured()
  process.stdout.write(text)
  if (process.env.REWRITE) writePart(MEASURED, text)
}
