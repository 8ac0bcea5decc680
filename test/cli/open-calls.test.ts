/** `show` of a thread whose call has no answer yet, and after its process has left or lost it. */
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { createRuntime, type Runtime } from '../../src/host/runtime.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { asking } from '../host/graphs.ts'
import { newDesks } from './desk.ts'

const newDesk = newDesks()
const open: { readonly runtime: Runtime; readonly store: Store }[] = []
const closeAll = async () => {
  for (const { runtime, store } of open.splice(0)) {
    await runtime.close()
    await store.close()
  }
}
afterEach(closeAll)

it('prints the call at the end of the timeline, until its process leaves it', async () => {
  const desk = newDesk()
  const entered = Promise.withResolvers<void>()
  const graph = asking(({ signal }) => {
    entered.resolve()
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const store = sqliteStore(join(desk.folder, 'own.db'))
  const runtime = createRuntime({ store, graphs: [graph] })
  open.push({ runtime, store })
  await runtime.start(graph, { goal: 'x' }, { thread: 't' })
  await entered.promise
  const show = async (...more: string[]) =>
    (await desk.type('show', 't', '--store', 'own.db', ...more)).out
  expect(await show()).toMatch(/^ +2 +\d+ms {2}work +work \{\}: called, no answer yet$/m)
  expect(await show('--at', '1')).not.toContain('no answer yet')
  await closeAll()
  expect(await show()).toContain('left in order')
  expect(await show()).not.toContain('no answer yet')
})

it('prints no call that was answered', async () => {
  const desk = newDesk()
  const store = sqliteStore(join(desk.folder, 'own.db'))
  const runtime = createRuntime({ store, graphs: [asking()] })
  open.push({ runtime, store })
  const thread = await runtime.start(asking(), { goal: 'x' }, { thread: 't' })
  for await (const _ of thread.events({ until: 'waiting' }));
  const { out } = await desk.type('show', 't', '--store', 'own.db')
  expect(out).toContain('Go on?')
  expect(out).not.toContain('no answer yet')
})
