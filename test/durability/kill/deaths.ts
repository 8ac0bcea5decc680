/**
 * Kills processes: each resumes the thread of its killed predecessor, and dies in a new one. After each kill, the thread ends as
 * one that nothing interrupted, no stored row is lost, and no effect is repeated.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect } from 'vitest'
import { defined } from '../../../src/core/watch/data/json.ts'
import { newDatabase, newSchema, npmPostgres } from '../../fixture/postgres.ts'
import type { HostName } from '../carriers.ts'
import type { Spot } from '../faults.ts'
import { newFolders } from '../folders.ts'
import { endIn, expectResumed, type JournalState, journalStateOf } from '../journal-state.ts'
import { keepAt } from '../place.ts'
import { here, start } from '../process.ts'
import type { Journey } from '../traveller.ts'

/** `npm run test:crash`: every point, on every store. */
export const IS_SWEEP = process.env.CRASH_SWEEP !== undefined

const TRAVELLER = here('traveller.ts')

export const newFolder = newFolders()

/** What drives the threads, and where they are stored. */
export interface Setting {
  readonly by: HostName
  readonly on: 'SQLite' | 'Postgres'
}

const SQLITE: Setting = { by: 'drive', on: 'SQLite' }

/** A new folder with a store of this kind. */
async function folderOn({ by, on }: Setting): Promise<string> {
  const folder = newFolder()
  if (by === 'DBOS') keepAt(folder, await newDatabase(await npmPostgres()))
  else if (on === 'Postgres') keepAt(folder, `${await npmPostgres()}?schema=${newSchema()}`)
  return folder
}

/** A run without interruption. */
export let whole: Awaited<ReturnType<typeof endIn>>
/** How long it takes, in ms. */
export let length = 0

/** Travels without interruption. Returns the end, and the number of the last commit that has stored something. */
export async function undisturbed(setting: Setting) {
  const folder = await folderOn(setting)
  const journey: Journey = { folder, asked: 'tool', by: setting.by }
  const traveller = start([TRAVELLER, JSON.stringify([journey])], QUIET)
  await traveller.line('travelling')
  const began = performance.now()
  await traveller.line('arrived')
  const took = performance.now() - began
  expect((await traveller.ended).err).toBe('')
  const stored = traveller
    .lines()
    .flatMap(line => Number(/^commit (\d+) stored/.exec(line)?.[1] ?? 0))
  return { took, commits: Math.max(...stored), end: await endIn(folder) }
}

/** DBOS uses `pg` in a way that Node.js warns of. */
const QUIET = { env: { NODE_NO_WARNINGS: '1' } }

beforeAll(async () => {
  const { took, end } = await undisturbed(SQLITE)
  length = took
  whole = end
}, 60_000)

export interface Death extends Pick<Journey, 'asked'> {
  /** Default: `drive` on SQLite. */
  readonly setting?: Setting
  readonly how: string
  readonly spot?: Spot
  /** Milliseconds after it set out. */
  readonly moment?: number
}

/** Two at a time. Returns how many died. */
export async function lanes(next: (survived: boolean) => Death | undefined): Promise<number> {
  const [one, other] = await Promise.all([lane(next), lane(next)])
  return one + other
}

/**
 * Each process resumes the thread of its killed predecessor, then starts a new run and is killed at the given point. That takes
 * half as many processes as one process per part.
 */
async function lane(next: (survived: boolean) => Death | undefined): Promise<number> {
  let left: (JournalState & { readonly death: Death }) | undefined
  let died = 0
  for (let death = next(false); death || left; ) {
    const folder = await folderOn(death?.setting ?? SQLITE)
    const journeys: readonly Journey[] = [
      ...(left ? [journeyOf(left.folder, left.death)] : []),
      ...(death ? [{ ...journeyOf(folder, death), ...defined({ spot: death.spot }) }] : []),
    ]
    const { signal, out, err } = await travelled(journeys, death?.moment)
    expect(err, left?.death.how).toBe('')
    if (left) await expectResumed(left, whole, left.death.how)
    if (death) {
      left = { ...(await journalStateOf(folder)), death }
      for (const [thread, seq] of acknowledged(out))
        expect(left.journals.get(thread)?.length ?? 0, `${death.how}, ${thread}`).toBeGreaterThan(
          seq,
        )
    } else left = undefined
    if (signal === 'SIGKILL') died++
    death = death && next(signal !== 'SIGKILL')
  }
  return died
}

const journeyOf = (folder: string, { asked, setting = SQLITE }: Death): Journey => {
  return { folder, asked, by: setting.by }
}

export async function travelled(journeys: readonly Journey[], moment: number | undefined) {
  const { child, line, ended } = start([TRAVELLER, JSON.stringify(journeys)], QUIET)
  if (moment !== undefined) {
    await line('travelling', journeys.length)
    await pause(moment)
    child.kill('SIGKILL')
  }
  return ended
}

/** The last row of each thread that the store had confirmed on the last journey. */
function acknowledged(out: string): ReadonlyMap<string, number> {
  const said = (out.split('travelling').at(-1) ?? '').matchAll(/stored (\d+) of (\S+)\n/g)
  return new Map([...said].map(([, seq, thread = '']) => [thread, Number(seq)]))
}
