/** An external system in two files: all calls that reached it, and all writes that changed it. */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../../src/core/watch/data/json.ts'

export interface Visit {
  readonly tool: string
  readonly key: string
  readonly attempt: number
}

export interface Entry {
  readonly tool: string
  readonly key: string
  readonly result: Json
}

export interface ExternalSystem {
  visit(visit: Visit): void
  /** Changes the external system. An idempotent write first checks whether it already exists. */
  write(entry: Entry): void
  visits(): readonly Visit[]
  ledger(): readonly Entry[]
  find(key: string): Entry | undefined
}

export function externalSystemIn(folder: string): ExternalSystem {
  const visits = join(folder, 'visits.jsonl')
  const ledger = join(folder, 'ledger.jsonl')
  return {
    visit: ({ tool, key, attempt }) => append(visits, { tool, key, attempt }),
    write: entry => append(ledger, entry),
    visits: () => read<Visit>(visits),
    ledger: () => read<Entry>(ledger),
    find: key => read<Entry>(ledger).find(entry => entry.key === key),
  }
}

function append(file: string, line: object): void {
  const open = openSync(file, 'a')
  writeSync(open, `${JSON.stringify(line)}\n`)
  fsyncSync(open)
  closeSync(open)
}

function read<T>(file: string): readonly T[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map(line => JSON.parse(line) as T)
}
