/** `breakers`: what operators see of the breakers that all processes share, and how they change them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import type { Breaker } from '../../src/core/watch/failure/breaker.ts'
import { escapement, here, startEscapement } from '../durability/process.ts'
import { externalSystemIn } from '../durability/external-system.ts'
import { newFolders } from '../durability/folders.ts'
import { expectRefused, newDesks, spec } from './desk.ts'

const newDesk = newDesks()
const newFolder = newFolders()

const DOWN = spec(`
nodes:
  A: { use: tool, tool: api, on: { done: E, error: F } }
  E: { final: success }
  F: { final: failure }
tools: { api: { use: flaky, with: { p: 1, class: persistent, message: HTTP 401 }, breaker: { threshold: 1 } } }
`)

async function failed() {
  const desk = newDesk()
  desk.file('down.yaml', DOWN)
  expect(await desk.type('run', 'down.yaml')).toMatchObject({ code: 1 })
  return desk
}

describe('breakers', () => {
  it('lists the breakers that all runs on a store share, and closes one by the name of its tool', async () => {
    const { type } = await failed()
    expect((await type('breakers')).out).toMatch(
      /^BREAKER +STATE +FAILURES +NEXT\ntrial\/tool:api +open +1 +next attempt in \d+s\n$/,
    )
    expect(JSON.parse((await type('breakers', '--open', '--json')).out)).toMatchObject([
      { resource: 'trial/tool:api', state: 'open', failures: 1, retryAt: expect.any(Number) },
    ])
    expect(
      (await type('run', 'down.yaml', '--thread', 'second', '--progress', 'always')).err,
    ).toContain('api refused: breaker open')
    expect((await type('breakers', '--reset', 'api')).out).toMatch(
      /\ntrial\/tool:api +closed +0\n$/,
    )
    expect(await type('breakers', '--open')).toMatchObject({ code: 0, out: 'no breakers\n' })
    expect(
      (await type('run', 'down.yaml', '--thread', 'third', '--progress', 'always')).err,
    ).toContain('api failed')
  })

  it('do not affect a run with a seed, which has its own gate', async () => {
    const { type } = await failed()
    expect(
      (await type('run', 'down.yaml', '--seed', '1', '--progress', 'always')).err,
    ).not.toContain('refused')
  })

  it('opens one by hand for a given time', async () => {
    const { type } = await failed()
    const [tripped] = JSON.parse(
      (await type('breakers', '--trip', 'other/model:fast', '--for', '10m', '--json')).out,
    ) as [Breaker & { openedAt: number; retryAt: number }]
    expect(tripped).toMatchObject({ resource: 'other/model:fast', state: 'open', failures: 0 })
    expect(tripped.retryAt - tripped.openedAt).toBe(600_000)
  })

  it('makes one half-open by hand: with no time to wait, the next call is the probe', async () => {
    const { file, type } = await failed()
    file('up.yaml', DOWN.replace('p: 1', 'p: 0'))
    await type('breakers', '--trip', 'api', '--for', '10m')
    expect((await type('run', 'up.yaml', '--thread', 'early', '--json')).out).not.toContain(
      'halfOpened',
    )
    await type('breakers', '--trip', 'api', '--for', '0s')
    expect(await type('run', 'up.yaml', '--thread', 'probe')).toMatchObject({ code: 0 })
    const rows = (await type('export', 'probe')).out
    expect(rows).toContain('"circuit.halfOpened"')
    expect(rows).toContain('"circuit.closed"')
    expect((await type('breakers', '--open')).out).toBe('no breakers\n')
  })

  it('reports an invalid breaker name', async () => {
    const { type } = await failed()
    expectRefused(
      await type('breakers', '--reset', 'ipa'),
      "unknown breaker 'ipa'; known breakers: trial/tool:api",
    )
    await type('breakers', '--trip', 'other/tool:api')
    expectRefused(
      await type('breakers', '--reset', 'api'),
      "'api' is ambiguous; name one of: other/tool:api, trial/tool:api",
    )
    expectRefused(
      await type('breakers', '--trip', 'fast'),
      'for another one, use GRAPH/tool:NAME or GRAPH/model:NAME',
    )
    expectRefused(await type('breakers', '--trip', 'api', '--reset', 'api'), 'give one of them')
    expectRefused(
      await type('breakers', '--trip', 'other/tool:api', '--for', 'ever'),
      "--for 'ever': expected a duration such as 250ms, 30s, 10m, 1h or 1d, at most 36500d",
    )
  })
})

describe('two processes on one file', { timeout: 30_000 }, () => {
  it('allow one probe, and refuse the other call until it returns', async () => {
    const folder = newFolder()
    const file = join(folder, 'threads.db')
    const store = sqliteStore({ file })
    await store.changeBreaker('slow/tool:patient', () => ({
      state: 'open',
      failures: 3,
      openedAt: 0,
      retryAt: 1,
    }))
    const run = (thread: string) => [
      'run',
      here('fixture/slow.yaml'),
      '--thread',
      thread,
      '--store',
      file,
      '--progress',
      'always',
    ]
    const env = { WORLD: folder }
    const prober = startEscapement(run('prober'), { env })
    while (externalSystemIn(folder).visits().length === 0) await pause(10)
    const other = await escapement(run('other'), { env })
    expect(other).toMatchObject({
      code: 1,
      err: expect.stringContaining('patient refused: breaker open'),
    })
    expect(externalSystemIn(folder).visits()).toHaveLength(1)
    writeFileSync(join(folder, 'open'), '')
    expect(await prober.ended).toMatchObject({ code: 0 })
    expect(await store.breaker('slow/tool:patient')).toEqual({ state: 'closed', failures: 0 })
    expect(await escapement(run('third'), { env })).toMatchObject({ code: 0 })
    await store.close()
  })

  it('that killed its probe leaves the next probe to another process after the timeout', async () => {
    const folder = newFolder()
    const file = join(folder, 'threads.db')
    const store = sqliteStore({ file })
    await store.changeBreaker('slow/tool:patient', () => ({
      state: 'open',
      failures: 3,
      openedAt: 0,
      retryAt: 1,
    }))
    const run = (thread: string) => [
      'run',
      here('fixture/slow.yaml'),
      '--thread',
      thread,
      '--store',
      file,
    ]
    const prober = startEscapement(run('prober'), { env: { WORLD: folder } })
    while (externalSystemIn(folder).visits().length === 0) await pause(10)
    prober.child.kill('SIGKILL')
    await prober.ended
    const lost = await store.breaker('slow/tool:patient')
    expect(lost).toMatchObject({ state: 'half-open', retryAt: expect.any(Number) })
    writeFileSync(join(folder, 'open'), '')
    expect(await escapement(run('early'), { env: { WORLD: folder } })).toMatchObject({ code: 1 })
    await store.changeBreaker('slow/tool:patient', before => ({
      ...(before as Breaker & { state: 'half-open' }),
      retryAt: 1,
    }))
    expect(await escapement(run('late'), { env: { WORLD: folder } })).toMatchObject({ code: 0 })
    expect(await store.breaker('slow/tool:patient')).toEqual({ state: 'closed', failures: 0 })
    await store.close()
  })
})
