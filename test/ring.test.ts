/** The ring graph, 200 times: B often fails, C returns to A, and D is the alternative when the third lap begins. */
import { resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { bindLoaded, loadSpecs } from '../src/host/drive/load.ts'
import { virtualClock } from '../src/testing/clock.ts'
import { nodePorts } from '../src/adapters/node/ports.ts'
import type { Row, Run } from '../src/core/run/run.ts'
import { drive } from '../src/runtime/drive/drive.ts'
import { memoryStore } from '../src/runtime/store/memory-store.ts'

const SEEDS = Array.from({ length: 200 }, (_, index) => index + 1)

interface RingRun {
  readonly seed: number
  readonly run: Run
  readonly rows: readonly Row[]
}

/** Read once: only its binding belongs to a run. */
const loaded = loadSpecs(resolve(import.meta.dirname, '../graphs/ring.yaml'))

async function ringRun(seed: number): Promise<RingRun> {
  const store = memoryStore()
  const graph = await bindLoaded(await loaded)
  const run = await drive(await nodePorts({ graph, store, clock: virtualClock() }), 'ring', {
    start: { input: {}, seed },
  })
  return { seed, run, rows: await store.rows('ring') }
}

describe('graphs/ring.yaml with the seeds 1 to 200', () => {
  let runs: readonly RingRun[] = []
  beforeAll(async () => {
    runs = await Promise.all(SEEDS.map(ringRun))
  }, 60_000)
  const reachingE = () =>
    runs.filter(({ run }) => run.ended?.outcome === 'success' && run.snapshot.value === 'E')

  test('every run ends within its bound', () => {
    expect(
      runs.filter(
        ({ run }) => !run.ended || run.watch.account.spent.steps > run.policy.limits.steps,
      ),
    ).toEqual([])
  })

  test('at least 95 % reach E, and each run names the finding that caused its escape', () => {
    const out = reachingE()
    expect(out.length).toBeGreaterThanOrEqual(190)
    for (const { rows } of out) {
      const escape = rows.find(({ verdict }) => verdict.kind === 'escape')?.verdict
      expect(escape?.kind === 'escape' && escape.because[0]?.reason.code).toBeTruthy()
    }
  })

  test('at least 30 runs escape a persistent failure of B, and at least 30 escape the loop', () => {
    const leaving = (from: string, kind: string) =>
      reachingE().filter(({ rows }) =>
        rows.some(
          ({ verdict }) =>
            verdict.kind === 'escape' &&
            verdict.route.rung === 'alternative' &&
            verdict.route.from === from &&
            verdict.because[0]?.kind === kind,
        ),
      ).length
    expect(leaving('B', 'failure')).toBeGreaterThanOrEqual(30)
    expect(leaving('B', 'loop')).toBeGreaterThanOrEqual(30)
  })

  test('the same seed gives the same journal, byte for byte', async () => {
    for (const { seed, rows } of runs.slice(0, 20))
      expect(JSON.stringify((await ringRun(seed)).rows)).toBe(JSON.stringify(rows))
  })

  test('other seeds give other journals', () => {
    expect(new Set(runs.map(({ rows }) => JSON.stringify(rows.slice(1)))).size).toBeGreaterThan(20)
  })
})
