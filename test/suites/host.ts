/** The common behavior of all hosts: each story ends in the same run, by the same nodes, with a journal that folds to it. */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Row, Run } from '../../src/core/run/run.ts'
import type { Stamped } from '../../src/core/watch/event/event.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { foldRows } from '../../src/runtime/store/replay.ts'
import { driveToEnd, simulation } from '../properties/simulations.ts'
import { randomSpec } from '../properties/specs.ts'
import { runDriven } from '../story-runner/story.ts'
import type { Drive } from '../story-runner/thread-runner.ts'

/** What carries a thread on. Each story opens a new one. */
export interface Host {
  readonly name: string
  /** The stories that end differently here, with the reason. */
  readonly different: Readonly<Record<string, string>>
  open(): OpenHost
}

export interface OpenHost {
  /** As `drive`: until the thread ends, or only a person or time can continue it. Returns the live run. */
  readonly drive: Drive
  /** The nodes that the engine of the host reports as performed, by thread. */
  readonly path: ReadonlyMap<string, readonly string[]>
}

const folder = new URL('../stories/', import.meta.url)

/** The stories with external systems, in which the whole runtime works. */
const STORIES = readdirSync(folder).filter(
  name => name.endsWith('.story') && /^world:/m.test(storyOf(name)),
)

/** One story for each kind of behavior, for hosts that need a server. */
const KINDS: Readonly<Record<string, string>> = {
  'no trouble': 'run-ring-goes-round',
  'the rung retry': 'run-retry-by-class',
  'the rung rethink': 'run-rethink',
  'the rung substitute': 'substitute-when-the-breaker-opens',
  'the rung wait': 'run-wait-for-breaker',
  'the rung alternative': 'run-ring',
  'the rung rollback': 'run-rollback',
  'the rung review, and its answer': 'run-review',
  'the rung restrict': 'run-restrict',
  'the rung stop': 'run-open-breaker-named',
  'nested and parallel states': 'run-spec-regions',
  'a loop in one of two regions': 'run-rethink-in-a-region',
  'parallel tool calls': 'run-batch',
  'limited concurrency': 'run-concurrency',
  cancel: 'run-cancel',
  'a write that a person approves': 'run-confirm-approved',
  'a write that a person rejects': 'run-confirm-rejected',
  'a write that no person answers for': 'run-confirm-expired',
  'a review whose deadline passed while no process ran': 'run-review-deadline',
  'a crash in a read': 'run-crash-in-a-read',
  'a crash in a write': 'run-crash-in-a-write',
  'a crash during a rollback': 'run-rollback-crash',
  'rounds, queued': 'run-rounds-queue',
  'rounds, interrupted': 'run-rounds-interrupt',
  'a fork with recorded answers': 'run-fork-recorded',
  'a fork with real calls': 'run-fork-live',
  'a map with a crash': 'map-crash',
  'a child thread that asks a person': 'child-waits-for-a-person',
}

export const NAMED: readonly string[] = Object.values(KINDS).map(name => `${name}.story`)

function storyOf(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8')
}

export function hostSuite(host: Host, stories: readonly string[] = STORIES): void {
  describe(host.name, () => {
    const alike = stories.filter(name => !Object.hasOwn(host.different, name))

    test('the stories exist, and few end differently here', () => {
      expect(STORIES).toEqual(expect.arrayContaining([...stories]))
      expect(stories).toEqual(expect.arrayContaining(Object.keys(host.different)))
      expect(alike.length).toBeGreaterThanOrEqual(stories.length - 5)
      expect(alike.length).toBeGreaterThanOrEqual(25)
    })

    test.each(alike)('%s: the same runs, journals and nodes as with drive', async name => {
      const { drive: ownDrive, path } = host.open()
      const [own, reference] = [await played(name, ownDrive), await played(name, drive)]
      expect(withoutDrivers(own.text)).toBe(withoutDrivers(reference.text))
      expect(own.runs.map(withoutEpoch)).toEqual(reference.runs.map(withoutEpoch))
      expect(own.journals.map(comparable)).toEqual(reference.journals.map(comparable))
      for (const { thread, rows } of reference.journals)
        if (path.has(thread)) expect([thread, path.get(thread)]).toEqual([thread, pathOf(rows)])
    })
  })
}

/** `PROPERTY_RUNS=20` runs each property 20 times as often. */
const TIMES = Number(process.env.PROPERTY_RUNS ?? 1)

/** Random graphs and scripts. `runs`: how often each property is tried. */
export function hostProperties(host: Host, runs: number): void {
  const options = { timeout: 120_000 * TIMES }
  const own = (given: Parameters<typeof driveToEnd>[0], script: Parameters<typeof driveToEnd>[1]) =>
    driveToEnd(given, script, host.open().drive)

  describe(host.name, () => {
    test('random graphs and scripts end in the same run as with drive', options, async () => {
      const property = fc.asyncProperty(randomSpec, simulation, async (spec, script) => {
        const alive = { ...script, deaths: [] }
        const [ours, reference] = [await own(spec, alive), await driveToEnd(spec, alive, drive)]
        expect(withoutEpoch(ours.run)).toEqual(withoutEpoch(reference.run))
        expect(ours.done).toEqual(reference.done)
        expect(await journalOf(ours)).toEqual(await journalOf(reference))
      })
      await fc.assert(property, { numRuns: runs * TIMES })
    })

    test(
      'a process that dies is replaced, and the journal folds to the live run',
      options,
      async () => {
        const property = fc.asyncProperty(randomSpec, simulation, async (spec, script) => {
          const { run, store, done } = await own(spec, script)
          expect(foldRows(spec.machine, undefined, await store.rows('thread'))).toEqual(run)
          // An attempt is made once, unless the tool is a read or idempotent.
          const writes = done.filter(each => each.startsWith('write'))
          expect(new Set(writes).size).toBe(writes.length)
        })
        await fc.assert(property, { numRuns: runs * TIMES })
      },
    )
  })
}

const journalOf = async ({ store }: Awaited<ReturnType<typeof driveToEnd>>) =>
  comparable({ thread: 'thread', rows: await store.rows('thread') })

/** A story with the live run of each drive, which the journal must fold to. */
async function played(name: string, host: Drive) {
  const runs: Run[] = []
  const story = await runDriven(storyOf(name), async (ports, thread, options) => {
    const run = await host(ports, thread, options)
    const { machine } = ports.graph
    expect(run).toEqual(foldRows(machine, undefined, await ports.store.rows(thread)))
    runs.push(run)
    return run
  })
  return { ...story, runs }
}

/** A run without the number of the lease of its last driver. */
const withoutEpoch = ({ watch, ...run }: Run) => {
  const { epoch: _, ...account } = watch.account
  return { ...run, watch: { ...watch, account } }
}

/** Another host takes the lease more often: its epochs are higher. */
const withoutDrivers = (text: string): string => text.replace(/ by driver \d+/g, '')

type Journal = Readonly<{ thread: string; rows: readonly Row[] }>

/** A journal without the fields that differ from host to host. */
const comparable = ({ thread, rows }: Journal) => ({
  thread,
  rows: rows.map(({ event, ...row }) => {
    const { epoch: _, owner: __, message: ___, ...rest } = event as Stamped & Driver
    return { ...row, event: rest }
  }),
})

/** The fields of an event that name its driver, or the superstep that started the thread. */
type Driver = { readonly epoch?: number; readonly owner?: string; readonly message?: string }

/** The nodes that a journal says were performed. A fork repeats none of its parent. */
export const pathOf = (rows: readonly Row[]): readonly string[] =>
  rows
    .slice(rows.findLastIndex(({ event }) => event.type === 'forked') + 1)
    .flatMap(({ event }) =>
      event.type === 'turn.started' ? [event.effect.replace(/#\d+(\+\d+)?$/, '')] : [],
    )
