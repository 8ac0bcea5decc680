/**
 * Sends random requests to a service, and reports each answer of 500 or more.
 * `node test/fuzz/main.ts [REQUESTS] [SEED]`: 100,000 requests by default.
 */
import { fuzz } from './fuzz.ts'

const [requests = 100_000, seed = 1] = process.argv.slice(2).map(Number)
const { statuses, failed, ms } = await fuzz({ requests, seed })
const lines = [...statuses]
  .sort(([a], [b]) => a - b)
  .map(([status, count]) => `${status}  ${count}`)
process.stdout.write(`${lines.join('\n')}\n${requests} requests in ${Math.round(ms)} ms\n`)
for (const line of failed.slice(0, 20)) process.stdout.write(`${line}\n`)
process.stdout.write(failed.length === 0 ? 'no failure\n' : `${failed.length} failures\n`)
process.exit(failed.length === 0 ? 0 : 1)
