/** What a process left behind when it died, and what has become of it in the end. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { loadSpec } from '../../src/adapters/spec/load-spec.ts'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { machineOfSpec } from '../../src/core/graph/agent-machine.ts'
import type { Row } from '../../src/core/run.ts'
import { folded } from '../../src/runtime/replay.ts'
import { worldIn } from './world.ts'

const THREAD = 'order'

const loaded = await loadSpec(fileURLToPath(new URL('fixture/journey.yaml', import.meta.url)))
if (!loaded.spec) throw new Error(JSON.stringify(loaded.faults))
const machine = machineOfSpec(loaded.spec)

export interface Remains {
  readonly folder: string
  readonly rows: readonly Row[]
  /** How many calls had reached the world. */
  readonly visits: number
  /** Calls of non-idempotent writes that were on their way. */
  readonly doubtful: readonly string[]
}

export async function remainsIn(folder: string): Promise<Remains> {
  // The file itself stays as the dead process left it: what it recovers from is for the next process to open.
  cpSync(folder, `${folder}-seen`, { recursive: true })
  const rows = await rowsIn(`${folder}-seen`)
  return { folder, rows, visits: worldIn(folder).visits().length, doubtful: doubtfulIn(rows) }
}

export async function rowsIn(folder: string): Promise<readonly Row[]> {
  const store = sqliteStore({ file: join(folder, 'threads.db') })
  const rows = await store.rows(THREAD)
  await store.close()
  return rows
}

export function doubtfulIn(rows: readonly Row[]): readonly string[] {
  const open = new Set<string>()
  for (const { event } of rows) {
    if (event.type === 'tool.called' && !event.repeatable) open.add(event.call)
    if (event.type === 'tool.done') open.delete(event.call)
  }
  return [...open]
}

/** The end of a journey, without numbers of events and times. */
export async function endIn(folder: string) {
  const run = folded(machine, undefined, await rowsIn(folder))
  const ledger = worldIn(folder)
    .ledger()
    .map(entry => JSON.stringify(entry))
    // Writes made at once come in any order.
    .sort()
  return { ended: run?.ended, snapshot: run?.snapshot, ledger }
}

/** The journey was taken up again: nothing that had been stored is lost, and nothing that had been done was done again. */
export async function expectTakenUp({ folder, rows, visits, doubtful }: Remains, undisturbed: unknown, how: string): Promise<void> {
  const after = await rowsIn(folder)
  expect(after.slice(0, rows.length), how).toEqual(rows)
  const answered = answeredIn(rows)
  const again = worldIn(folder)
    .visits()
    .slice(visits)
    .filter(({ key, attempt }) => attempt <= (answered.get(key) ?? 0))
  expect(again, how).toEqual([])
  const writes = worldIn(folder)
    .ledger()
    .map(({ key }) => key)
  expect(writes, how).toEqual([...new Set(writes)])
  expect(after.filter(({ event }) => event.type === 'reported').length, how).toBe(1)
  expect(indeterminateIn(after), how).toEqual(new Set(doubtful))
  expect(await endIn(folder), how).toEqual(undisturbed)
}

/** The attempts at each call that have been answered: all, or those that have failed. */
function answeredIn(rows: readonly Row[]): ReadonlyMap<string, number> {
  return new Map(
    rows.flatMap(({ event }) => {
      if (event.type === 'tool.done') return [[`${THREAD}/${event.call}`, Number.POSITIVE_INFINITY] as const]
      return event.type === 'tool.failed' && event.failure.class !== 'indeterminate' ? [[`${THREAD}/${event.call}`, event.attempt] as const] : []
    }),
  )
}

function indeterminateIn(rows: readonly Row[]): ReadonlySet<string> {
  return new Set(rows.flatMap(({ event }) => (event.type === 'tool.failed' && event.failure.class === 'indeterminate' ? [event.call] : [])))
}
