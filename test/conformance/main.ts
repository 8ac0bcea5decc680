/** `npm run conformance` prints the report; with `REWRITE=1` it writes `docs/conformance.md`. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { compared, reportText } from './report.ts'

const text = reportText(await compared())
process.stdout.write(text)
if (process.env.REWRITE)
  writeFileSync(resolve(import.meta.dirname, '../../docs/conformance.md'), text)
