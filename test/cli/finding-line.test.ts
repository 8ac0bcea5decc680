/** The timeline of a thread says in words what the watchdog found, what it cost, and which way out it took. */
import { expect, test } from 'vitest'
import { lineOf } from '../../src/faces/cli/print/line.ts'
import { draw, PIPE } from '../../src/faces/cli/print/layout.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { calling, portsOf, START } from '../runtime/desk.ts'

test('a finding and its escape are lines of the timeline', async () => {
  const graph = calling(async () => Promise.reject(Object.assign(new Error('no'), { status: 401 })))
  const ports = portsOf(graph, { clock: virtualClock(0) })
  await drive(ports, 't', START)
  const rows = await ports.store.rows('t')
  const text = draw(
    rows.flatMap(row => lineOf(row, { startedAt: 0 })),
    PIPE,
  )
  expect(text).toContain("⟳ failure  node 'A' failed: no (401)")
  expect(text).toContain('→ stop')
})
