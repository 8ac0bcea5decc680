/** `npm run detection` prints the measured tables; with `REWRITE=1` it writes them to `docs/detection.md`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { measuredIn, PAGE, withMeasured } from './page.ts'
import { recorded } from './recorded.ts'
import { measured } from './report.ts'

if (!recorded)
  process.stdout.write('skipped: recordings not found beside the project (../shared/detect)\n')
else {
  const text = await measured()
  process.stdout.write(text)
  const page = readFileSync(PAGE, 'utf8')
  if (process.env.REWRITE && measuredIn(page) !== text)
    writeFileSync(PAGE, withMeasured(page, text))
}
