/** Workers of two machines on one Postgres database: one may be killed at any moment, and the other continues its threads. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openStore } from '../../src/host/drive/stored.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { isConflict } from '../../src/runtime/store/store.ts'
import { newDatabase, npmPostgres } from '../fixture/postgres.ts'
import { fastPorts } from './fast-ports.ts'
import { cleanUp, KILLS, killOne, opened, started, TIMEOUT } from './fleet.ts'
import { newFolders } from './folders.ts'
import { here } from './process.ts'

const url = await npmPostgres()
const newFolder = newFolders()
cleanUp()

describe('two workers on one database', () => {
  it.each(KILLS)(
    'complete all threads when one is killed: every step is in the journal once (kill %i)',
    { timeout: TIMEOUT },
    nth => killOne(url, here('fixture/fleet.ts'), nth),
  )

  it('leave the thread of a killed process on another machine until its lease ends', async () => {
    const folder = newFolder()
    const database = await newDatabase(url)
    process.env.WORLD = folder
    const args = [here('fast-ports.ts'), folder, database]
    const killed = started(args, { env: { WORLD: folder } })
    const store = opened(await openStore(database))
    await expect
      .poll(async () => (await store.rows('t')).some(({ event }) => event.type === 'tool.called'), {
        timeout: 60_000,
      })
      .toBe(true)
    killed.child.kill('SIGKILL')
    await killed.ended
    const until = (await store.thread('t'))?.lease?.until ?? 0
    const elsewhere = {
      ...(await fastPorts(folder, store)),
      owner: 'elsewhere/1/other',
      isOwnerDead: () => false,
    }
    writeFileSync(join(folder, 'open'), '')
    for (;;) {
      const run = await drive(elsewhere, 't').catch(error => {
        if (!isConflict(error)) throw error
      })
      if (run) {
        expect(run.ended).toMatchObject({ outcome: 'success' })
        break
      }
      expect(elsewhere.clock.now()).toBeLessThan(until + 1_000)
      await pause(5)
    }
    expect(elsewhere.clock.now()).toBeGreaterThanOrEqual(until)
    const epochs = (await store.rows('t')).flatMap(({ event }) =>
      event.type === 'turn.started' ? [event.epoch] : [],
    )
    expect(epochs).toEqual([1, 2])
  })
})
