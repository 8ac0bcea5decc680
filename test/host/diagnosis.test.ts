/** Why a thread is stuck, how it has ended, and commands to a thread whose process has ended. */
import { expect, it } from 'vitest'
import { nodePorts, OWNER } from '../../src/adapters/node/ports.ts'
import type { Row } from '../../src/core/run/run.ts'
import { diagnose } from '../../src/host/diagnosis.ts'
import { NOTHING_SPENT } from '../../src/core/watch/event/call-event.ts'
import { resultOf } from '../../src/host/thread/result.ts'
import { storedHost, submitLater } from '../../src/host/drive/stored.ts'
import type { ThreadHandle } from '../../src/host/thread/thread.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { asking } from './graphs.ts'

it('lists the last five findings, the latest first', async () => {
  const rows = [1, 2, 3, 4, 5, 6, 7].map(seq => ({
    seq,
    event: { type: 'node.done', at: seq },
    findings: [{ id: `loop ${seq}`, kind: 'loop', reason: { code: 'text', params: { text: '' } } }],
    verdict: { kind: 'continue' },
    edges: [],
  }))
  const handle = {
    state: async () => ({ status: 'active', lessons: [], questions: [] }),
    rows: async () => rows as unknown as readonly Row[],
  }
  const { loops, because } = await diagnose(handle as unknown as ThreadHandle, 9_007)
  expect(loops.map(({ seq }) => seq)).toEqual([7, 6, 5, 4, 3])
  expect(because).toContain('its last event was 9s ago')
})

it('a result contains the lessons as sentences', () => {
  const lesson = { code: 'text', params: { text: 'search does not help' } } as const
  expect(resultOf({ lessons: [lesson], spent: NOTHING_SPENT }).lessons).toEqual([
    'search does not help',
  ])
})

it('a command to a thread whose process has ended is queued at once', async () => {
  const [store, graph] = [memoryStore(), asking()]
  await drive(nodePorts({ graph, store }), 't', { start: { input: { goal: 'x' }, seed: 1 } })
  const [host, , ...rest] = OWNER.split('/')
  const owner = [host, 4_194_303, ...rest, 1].join('/')
  const now = Date.now()
  await store.lease('t', { owner, now, until: now + 60_000, isOwnerDead: () => false })
  const command = { type: 'pause' } as const
  const late = AbortSignal.timeout(2_000)
  expect(await submitLater(storedHost({ store }), 't', command, late)).toEqual({ graph: 'asking' })
  expect(late.aborted).toBe(false)
})
