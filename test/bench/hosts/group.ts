/** `hosts`: the same agent on a loop, XState, LangGraph, DBOS and escapement, in one process. */
import { binOf, startPostgres, stopPostgres } from '../../fixture/postgres-setup.ts'
import type { WrittenPart } from '../../written-part.ts'
import { writePart } from '../../written-part.ts'
import type { Figure } from '../figure.ts'
import { hostFigures, hostsText, writePlot } from './hosts-page.ts'
import { type HostResults, measureHosts } from './measure-hosts.ts'

const PART: WrittenPart = { page: 'performance.md', name: 'hosts', by: 'npm run bench -- --write' }

let results: HostResults | undefined

export async function hosting(): Promise<readonly Figure[]> {
  const bin = binOf('18')
  if (bin === undefined) throw new Error('npm has no Postgres for this platform')
  // `durable`: a commit waits for the disk.
  const server = await startPostgres(bin, 'durable')
  try {
    results = await measureHosts(server.url)
  } finally {
    await stopPostgres(server)
  }
  process.stdout.write(`${hostsText(results)}\n`)
  return hostFigures(results)
}

/** Writes the table and the plot of the last measurement. */
export function writeHosts(): void {
  if (!results) return
  writePart(PART, hostsText(results))
  writePlot(results)
}
