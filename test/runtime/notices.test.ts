/** Notices of open questions, and answers that arrive while no process drives. */
import { expect, it } from 'vitest'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import type { Notifier } from '../../src/runtime/notifier.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { portsOf, START } from './desk.ts'

/** Asks a person, who has an hour. */
function asking(): Graph {
  const { spec } = readSpec({
    escapement: 1,
    id: 'asking',
    start: 'Q',
    nodes: {
      Q: { use: 'human', question: 'Continue?', deadline: '1h', on: { 'human.approved': 'E' } },
      E: { final: 'success' },
    },
  })
  return bindGraph(spec as NonNullable<typeof spec>, {
    workspace: '.',
    model: () => Promise.reject(new Error('no model')) as never,
  })
}

it('a notifier that exceeds its time is aborted', async () => {
  let reason: unknown
  const send: Notifier['send'] = (_, { signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason
        reject(reason)
      })
    })
  const notifiers = [{ name: 'desk', timeout: 20, attempts: 1, send }]
  const ports = portsOf(asking(), { notifiers })
  await drive(ports, 't', START)
  expect(reason).toMatchObject({ name: 'TimeoutError' })
  const rows = await ports.store.rows('t')
  expect(rows.at(-1)?.event).toMatchObject({ type: 'notified', ok: false, attempts: 1 })
})

it.each([
  ['nothing', undefined, ''],
  ['an object', { a: 1 }, '{"a":1}'],
  ['a number that is not JSON', 5n, ''],
])('a notifier that returns %s has notified, once', async (_, answer, detail) => {
  let sent = 0
  const send = async () => {
    sent++
    return answer as unknown as string
  }
  const ports = portsOf(asking(), {
    notifiers: [{ name: 'desk', timeout: 1_000, attempts: 1, send }],
  })
  for (const _ of [1, 2]) await drive(ports, 't', sent === 0 ? START : {})
  expect(sent).toBe(1)
  const rows = await ports.store.rows('t')
  expect(rows.at(-1)?.event).toMatchObject({ type: 'notified', ok: true, detail })
})

it('an answer from a process whose clock is ahead is in time', async () => {
  const store = memoryStore()
  const graph = asking()
  const minute = 60_000
  await drive(portsOf(graph, { store, clock: virtualClock(0) }), 't', START)
  const answer = { type: 'resume', effect: 'Q#1', decision: 'approved', at: 120 * minute } as const
  await store.submit('t', 'answer', answer)
  const run = await drive(portsOf(graph, { store, clock: virtualClock(minute) }), 't')
  expect(await store.command('t', 'answer')).toEqual({ state: 'done' })
  expect(run.ended?.outcome).toBe('success')
})
