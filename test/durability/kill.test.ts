/** A process may be killed at any moment: the next process completes its threads with the same result. `npm run test:crash` includes Postgres. */
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Spot } from './faults.ts'
import { newSchema, npmPostgres } from '../fixture/postgres.ts'
import { newFolders } from './folders.ts'
import { keepAt } from './place.ts'
import { escapement, here, start } from './process.ts'
import { endIn, expectResumed, type JournalState, journalStateOf } from './journal-state.ts'
import type { Journey } from './traveller.ts'
import { externalSystemIn } from './external-system.ts'

const TRAVELLER = here('traveller.ts')

const newFolder = newFolders()
const postgres = process.env.CRASH_SWEEP ? await npmPostgres() : undefined
const STORES = postgres === undefined ? (['SQLite'] as const) : (['SQLite', 'Postgres'] as const)

/** A new folder with a store of this kind. */
function folderOn(kind: (typeof STORES)[number]): string {
  const folder = newFolder()
  if (kind === 'Postgres') keepAt(folder, `${postgres}?schema=${newSchema()}`)
  return folder
}

/** A run without interruption. */
let whole: Awaited<ReturnType<typeof endIn>>
/** How long it takes, in ms. */
let length = 0
/** The number of its last commit that has stored something. */
let commits = 0

beforeAll(async () => {
  const folder = newFolder()
  const undisturbed = start([
    TRAVELLER,
    JSON.stringify([{ folder, asked: 'tool' } satisfies Journey]),
  ])
  await undisturbed.line('travelling')
  const began = performance.now()
  await undisturbed.line('arrived')
  length = performance.now() - began
  expect((await undisturbed.ended).err).toBe('')
  commits = Math.max(
    ...undisturbed.lines().flatMap(line => Number(/^commit (\d+) stored/.exec(line)?.[1] ?? 0)),
  )
  whole = await endIn(folder)
})

interface Death extends Pick<Journey, 'asked'> {
  readonly on?: (typeof STORES)[number]
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
    const folder = folderOn(death?.on ?? 'SQLite')
    const own = death && [
      { folder, asked: death.asked, ...(death.spot ? { spot: death.spot } : {}) },
    ]
    const journeys: readonly Journey[] = [
      ...(left ? [{ folder: left.folder, asked: left.death.asked }] : []),
      ...(own ?? []),
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

async function travelled(journeys: readonly Journey[], moment: number | undefined) {
  const { child, line, ended } = start([TRAVELLER, JSON.stringify(journeys)])
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

describe('a process that is killed', { timeout: 600_000 }, () => {
  it.each(STORES.flatMap(on => (['before', 'after'] as const).map(side => [side, on] as const)))(
    'loses nothing and repeats nothing, just %s any of its commits to %s',
    async (side, on) => {
      let commit = 0
      let over = false
      const died = await lanes(survived => {
        over ||= survived
        commit++
        return over
          ? undefined
          : { how: `${side} commit ${commit} to ${on}`, on, asked: 'tool', spot: { side, commit } }
      })
      expect(commits).toBeGreaterThan(30)
      // A slower machine polls for commands more often, which adds a few commits.
      expect(died).toBeGreaterThan(commits * 0.8)
      if (postgres !== undefined)
        process.stdout.write(`${died} points swept, ${side} a commit to ${on}\n`)
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
