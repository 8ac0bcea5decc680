import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drive } from '../../src/runtime/drive/drive.ts'
import { foldRows } from '../../src/runtime/store/replay.ts'
import { driveToEnd, simulation } from '../properties/simulations.ts'
import { randomSpec } from '../properties/specs.ts'
import { comparable, hostSuite, withoutEpoch } from '../suites/host.ts'
import { langGraphHost } from './langgraph-host.ts'

hostSuite(langGraphHost)

/** `PROPERTY_RUNS=20 npx vitest run test/langgraph/host.test.ts` runs each property 20 times as often. */
const TIMES = Number(process.env.PROPERTY_RUNS ?? 1)

test('random graphs and scripts end in the same run as with drive', {
  timeout: 120_000 * TIMES,
}, async () => {
  const property = fc.asyncProperty(randomSpec, simulation, async (spec, script) => {
    const alive = { ...script, deaths: [] }
    const own = await driveToEnd(spec, alive, langGraphHost.open().drive)
    const reference = await driveToEnd(spec, alive, drive)
    expect(withoutEpoch(own.run)).toEqual(withoutEpoch(reference.run))
    expect(own.done).toEqual(reference.done)
    expect(await journalOf(own)).toEqual(await journalOf(reference))
  })
  await fc.assert(property, { numRuns: 60 * TIMES })
})

test('a process that dies in LangGraph is replaced, and the journal folds to the live run', {
  timeout: 120_000 * TIMES,
}, async () => {
  const property = fc.asyncProperty(randomSpec, simulation, async (spec, script) => {
    const { run, store, done } = await driveToEnd(spec, script, langGraphHost.open().drive)
    const rows = await store.rows('thread')
    expect(foldRows(spec.machine, undefined, rows)).toEqual(run)
    // An attempt is made once, unless the tool is a read or idempotent.
    const writes = done.filter(each => each.startsWith('write'))
    expect(new Set(writes).size).toBe(writes.length)
  })
  await fc.assert(property, { numRuns: 60 * TIMES })
})

const journalOf = async ({ store }: Awaited<ReturnType<typeof driveToEnd>>) =>
  comparable({ thread: 'thread', rows: await store.rows('thread') })
