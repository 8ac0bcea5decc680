/** The common behavior of all hosts: each story ends in the same run, by the same nodes, with a journal that folds to it. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Row, Run } from '../../src/core/run.ts'
import type { Stamped } from '../../src/core/watch/event/event.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { foldRows } from '../../src/runtime/store/replay.ts'
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
export const STORIES = readdirSync(folder).filter(
  name => name.endsWith('.story') && /^world:/m.test(storyOf(name)),
)

export function storyOf(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8')
}

export function hostSuite(host: Host): void {
  describe(host.name, () => {
    const alike = STORIES.filter(name => !Object.hasOwn(host.different, name))

    test('the stories that end differently here exist, and the others are many', () => {
      expect(STORIES).toEqual(expect.arrayContaining(Object.keys(host.different)))
      expect(alike.length).toBeGreaterThanOrEqual(200)
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
export const withoutEpoch = ({ watch, ...run }: Run) => {
  const { epoch: _, ...account } = watch.account
  return { ...run, watch: { ...watch, account } }
}

/** Another host takes the lease more often: its epochs are higher. */
const withoutDrivers = (text: string): string => text.replace(/ by driver \d+/g, '')

type Journal = Readonly<{ thread: string; rows: readonly Row[] }>

/** A journal without the fields that differ from host to host. */
export const comparable = ({ thread, rows }: Journal) => ({
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
