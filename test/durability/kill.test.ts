/**
 * A process may be killed at any moment: the next process completes its threads with the same result. `npm run test:crash` kills it at
 * every commit, with each host that persists and on each store; otherwise some of these points are tried.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { defined } from '../../src/core/watch/data/json.ts'
import type { HostName } from './carriers.ts'
import type { Spot } from './faults.ts'
import { newDatabase, newSchema, npmPostgres } from '../fixture/postgres.ts'
import { newFolders } from './folders.ts'
import { keepAt } from './place.ts'
import { escapement, here, start } from './process.ts'
import { endIn, expectResumed, type JournalState, journalStateOf } from './journal-state.ts'
import type { Journey } from './traveller.ts'
import { externalSystemIn } from './external-system.ts'

const TRAVELLER = here('traveller.ts')

const newFolder = newFolders()
const postgres = process.env.CRASH_SWEEP ? await npmPostgres() : undefined

/** What drives the threads, and where they are stored. */
interface Setting {
  readonly by: HostName
  readonly on: 'SQLite' | 'Postgres'
}

const SQLITE: Setting = { by: 'drive', on: 'SQLite' }
const SETTINGS: readonly Setting[] = [
  SQLITE,
  { by: 'LangGraph', on: 'SQLite' },
  { by: 'XState', on: 'SQLite' },
  ...(postgres === undefined
    ? []
    : (['drive', 'LangGraph', 'XState', 'DBOS'] as const).map(by => {
        return { by, on: 'Postgres' } as const
      })),
]
/** The points that are tried of a host other than `drive`, where the sweep is not complete. */
const SAMPLE = 4

/** A new folder with a store of this kind. */
async function folderOn({ by, on }: Setting): Promise<string> {
  const folder = newFolder()
  if (by === 'DBOS') keepAt(folder, await newDatabase(postgres ?? ''))
  else if (on === 'Postgres') keepAt(folder, `${postgres}?schema=${newSchema()}`)
  return folder
}

/** A run without interruption. */
let whole: Awaited<ReturnType<typeof endIn>>
/** How long it takes, in ms. */
let length = 0

/** Travels without interruption. Returns the end, and the number of the last commit that has stored something. */
async function undisturbed(setting: Setting) {
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

interface Death extends Pick<Journey, 'asked'> {
  /** Default: `drive` on SQLite. */
  readonly setting?: Setting
  readonly how: string
  readonly spot?: Spot
  /** Milliseconds after it set out. */
  readonly moment?: number
}

/** Two at a time. Returns how many died. */
async function lanes(next: (survived: boolean) => Death | undefined): Promise<number> {
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

async function travelled(journeys: readonly Journey[], moment: number | undefined) {
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

/** Chance in [0, 1), the same for the same seed (mulberry32). */
function chances(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Every commit if the sweep is complete, or a few that are spread evenly. */
function* commitsOf({ by }: Setting, last: number): Generator<number> {
  const isComplete = process.env.CRASH_SWEEP !== undefined || by === 'drive'
  // A slower machine polls for commands more often, which adds a few commits: a process that survives ends the sweep.
  if (isComplete) for (let commit = 1; ; commit++) yield commit
  for (let nth = 0; nth < SAMPLE; nth++) yield Math.ceil(((nth + 0.5) * last) / SAMPLE)
}

describe('a process that is killed', {
  timeout: process.env.CRASH_SWEEP ? 3_600_000 : 600_000,
}, () => {
  it.each(
    SETTINGS.flatMap(setting =>
      (['before', 'after'] as const).map(side => [side, setting.by, setting.on, setting] as const),
    ),
  )(
    'loses nothing and repeats nothing, just %s any of its commits by %s to %s',
    async (side, by, on, setting) => {
      const { commits, end } = await undisturbed(setting)
      expect(end).toEqual(whole)
      expect(commits).toBeGreaterThan(30)
      const points = commitsOf(setting, commits)
      let over = false
      let tried = 0
      const died = await lanes(survived => {
        over ||= survived
        const commit = over ? undefined : points.next().value
        if (commit === undefined) return undefined
        tried++
        const how = `${side} commit ${commit} by ${by} to ${on}`
        return { how, setting, asked: 'tool', spot: { side, commit } }
      })
      expect(died).toBeGreaterThan(Math.min(commits, tried) * 0.7)
      if (postgres !== undefined)
        process.stdout.write(`${died} points swept, ${side} a commit by ${by} to ${on}\n`)
    },
  )

  it('loses nothing and repeats nothing, at any moment', async () => {
    const seed = 2026
    const chance = chances(seed)
    let made = 0
    const died = await lanes(() => {
      const moment = chance() * length
      made++
      const how = `seed ${seed}, death ${made}, after ${moment.toFixed(1)} of ${length.toFixed(0)} ms`
      return made > 200 ? undefined : { how, asked: made % 2 ? 'person' : 'tool', moment }
    })
    expect(died).toBeGreaterThan(100)
  })

  it('inside a non-repeatable write asks whether it was applied, and continues after the answer', async () => {
    const next = DOUBTFUL.values()
    const lane = async () => {
      for (const spot of next) await answeredByHand(spot)
    }
    await Promise.all([lane(), lane()])
  })
})

/** Kills during a non-idempotent write: before it takes effect, or after it but before its answer. */
const DOUBTFUL: readonly Spot[] = ['charge', 'ship', 'carry'].flatMap(
  tool =>
    [
      { side: 'after', callOf: tool },
      { side: 'before', answerOf: tool },
    ] as const,
)

async function answeredByHand(spot: Spot): Promise<void> {
  const how = JSON.stringify(spot)
  const folder = newFolder()
  await travelled([{ folder, asked: 'person', spot }], undefined)
  const left = await journalStateOf(folder)
  expect(left.doubtful.length, how).toBeGreaterThan(0)
  const resume = async (thread: string, ...answer: readonly string[]) => {
    const said = await escapement(
      ['resume', thread, ...answer, '--store', `${folder}/threads.db`, '--json'],
      { env: { WORLD: folder } },
    )
    // The answer to a child prints how its parent continued.
    expect(said.err, how).toMatch(thread === 'order' ? /^$/ : /^(parent order: .*\n)?$/)
    return {
      code: said.code,
      ...(JSON.parse(said.out) as { questions: { id: string; question: string }[] }),
    }
  }
  await resume('order')
  for (const { thread, call } of left.doubtful) {
    expect(await resume(thread), how).toMatchObject({
      code: 3,
      questions: [
        {
          id: `${call}?`,
          question: expect.stringMatching(/^The outcome of a call of \w+ is unknown/),
        },
      ],
    })
    const found = externalSystemIn(folder).find(`${thread}/${call}`)
    await resume(
      thread,
      '--decision',
      ...(found ? ['applied', '--output', JSON.stringify(found.result)] : ['not-applied']),
    )
  }
  expect(await resume('order'), how).toMatchObject({ code: 3, questions: [{ id: 'review#1' }] })
  expect(await resume('order', '--decision', 'approved', '--to', 'home'), how).toMatchObject({
    code: 0,
  })
  await expectResumed(left, whole, how)
}
