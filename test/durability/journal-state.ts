/** The state that a killed process left, and its final result. */
import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { loadSpec } from '../../src/adapters/spec/library.ts'
import { openStore } from '../../src/host/drive/stored.ts'
import { machineOfSpec } from '../../src/core/graph/agent-machine.ts'
import type { Row } from '../../src/core/run/run.ts'
import { foldRows } from '../../src/runtime/store/replay.ts'
import { externalSystemIn } from './external-system.ts'
import { placeIn } from './place.ts'

const THREAD = 'order'

const loaded = await loadSpec(fileURLToPath(new URL('fixture/journey.yaml', import.meta.url)))
if (!loaded.spec) throw new Error(JSON.stringify(loaded.faults))
const machine = machineOfSpec(loaded.spec)

/** The journals of a journey, by the names of their threads: its own, and that of the graph inside it. */
export type Journals = ReadonlyMap<string, readonly Row[]>

export interface JournalState {
  readonly folder: string
  readonly journals: Journals
  /** The number of calls that reached the external system. */
  readonly visits: number
  /** Non-idempotent writes that were on their way. */
  readonly doubtful: readonly Doubtful[]
}

export interface Doubtful {
  readonly thread: string
  readonly call: string
}

export async function journalStateOf(folder: string): Promise<JournalState> {
  // The file itself stays as the dead process left it: what it recovers from is for the next process to open.
  cpSync(folder, `${folder}-seen`, { recursive: true })
  const journals = await journalsIn(`${folder}-seen`)
  return {
    folder,
    journals,
    visits: externalSystemIn(folder).visits().length,
    doubtful: [...journals].flatMap(([thread, rows]) =>
      doubtfulIn(rows).map(call => ({ thread, call })),
    ),
  }
}

export async function journalsIn(folder: string): Promise<Journals> {
  const store = await openStore(placeIn(folder))
  const journals = new Map<string, readonly Row[]>()
  for (const { thread } of await store.threads()) journals.set(thread, await store.rows(thread))
  await store.close()
  return journals
}

function doubtfulIn(rows: readonly Row[]): readonly string[] {
  const open = new Set<string>()
  for (const { event } of rows) {
    if (event.type === 'tool.called' && !event.repeatable) open.add(event.call)
    if (event.type === 'tool.done') open.delete(event.call)
  }
  return [...open]
}

/** The end of a journey, without numbers of events and times. */
export async function endIn(folder: string) {
  const run = foldRows(machine, undefined, (await journalsIn(folder)).get(THREAD) ?? [])
  const ledger = externalSystemIn(folder)
    .ledger()
    .map(entry => JSON.stringify(entry))
    // Writes made at once come in any order.
    .sort()
  return { ended: run?.ended, snapshot: run?.snapshot, ledger }
}

/** Expects a resumed run to lose no stored row and to repeat no effect. */
export async function expectResumed(
  { folder, journals, visits, doubtful }: JournalState,
  undisturbed: unknown,
  how: string,
): Promise<void> {
  const after = await journalsIn(folder)
  for (const [thread, rows] of journals)
    expect(after.get(thread)?.slice(0, rows.length), `${how}, ${thread}`).toEqual(rows)
  const answered = answeredIn(journals)
  const again = externalSystemIn(folder)
    .visits()
    .slice(visits)
    .filter(({ key, attempt }) => attempt <= (answered.get(key) ?? 0))
  expect(again, how).toEqual([])
  const writes = externalSystemIn(folder)
    .ledger()
    .map(({ key }) => key)
  expect(writes, how).toEqual([...new Set(writes)])
  const own = after.get(THREAD) ?? []
  for (const once of ['reported', 'rollback.done', 'child.done'] as const)
    expect(own.filter(({ event }) => event.type === once).length, `${how}, ${once}`).toBe(1)
  expect(indeterminateIn(after), how).toEqual(
    new Set(doubtful.map(({ thread, call }) => `${thread}/${call}`)),
  )
  expect(await endIn(folder), how).toEqual(undisturbed)
}

/** The attempts at each call that have been answered: all, or those that have failed. */
function answeredIn(journals: Journals): ReadonlyMap<string, number> {
  return new Map(
    eventsOf(journals).flatMap(({ thread, event }) => {
      if (event.type === 'tool.done')
        return [[`${thread}/${event.call}`, Number.POSITIVE_INFINITY] as const]
      return event.type === 'tool.failed' && event.failure.class !== 'indeterminate'
        ? [[`${thread}/${event.call}`, event.attempt] as const]
        : []
    }),
  )
}

function indeterminateIn(journals: Journals): ReadonlySet<string> {
  return new Set(
    eventsOf(journals).flatMap(({ thread, event }) =>
      event.type === 'tool.failed' && event.failure.class === 'indeterminate'
        ? [`${thread}/${event.call}`]
        : [],
    ),
  )
}

function eventsOf(journals: Journals) {
  return [...journals].flatMap(([thread, rows]) => rows.map(({ event }) => ({ thread, event })))
}
