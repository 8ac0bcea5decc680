/** The commands that only read, on a thread that `recorder` stored for an agent of another framework. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { watchdog } from '../../src/core/watch/wrapped/watchdog.ts'
import { recorder, sqliteStore } from '../../src/index.ts'
import { expectRefused, newDesks } from './desk.ts'

const newDesk = newDesks()

async function recorded() {
  const desk = newDesk()
  const store = sqliteStore({ file: join(desk.folder, 'rec.db') })
  const { record, flush } = recorder(store)
  watchdog({ record, thread: 'rec' }).userMessage('hello', 1)
  await flush()
  await store.close()
  return desk
}

const MESSAGE =
  "thread 'rec' was recorded from an agent in another framework: it has no graph, and so no archive and no report."

describe('a recorded thread', () => {
  test('has no archive, and the message names the commands that read it', async () => {
    const desk = await recorded()
    const refused = await desk.type('export', 'rec', '--store', 'rec.db', '--out', 'rec.gz')
    expectRefused(refused, MESSAGE, '`escapement show`')
  })

  test('is exported as rows', async () => {
    const desk = await recorded()
    const { code, out } = await desk.type('export', 'rec', '--store', 'rec.db')
    expect([code, out]).toEqual([0, expect.stringMatching(/^\{.*"thread\.started".*\}\n$/)])
    expectRefused(await desk.type('export', 'rex', '--store', 'rec.db'), /thread 'rex'/)
  })
})
