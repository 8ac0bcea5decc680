/** The timeline of a thread says in words what the watchdog found and which way out it took, and what a person has changed. */
import { expect, test } from 'vitest'
import type { Row } from '../../src/core/run/run.ts'
import { lineOf } from '../../src/faces/cli/print/line.ts'
import { draw, PIPE } from '../../src/faces/cli/print/layout.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { calling, portsOf, START } from '../runtime/desk.ts'

test('an answer has its person, its note and the arguments that it edited', () => {
  const resume = {
    ...{ type: 'resume', effect: 'ask#1', decision: 'edited', at: 1 },
    ...{ output: { amount: 80 }, note: 'The half\nis enough', by: 'ada' },
  } as const
  const row = { seq: 7, event: resume, findings: [], verdict: { kind: 'continue' }, edges: [] }
  expect(draw(lineOf(row as Row, { startedAt: 0 }), PIPE)).toContain(
    'answered: edited by ada  {"amount": 80}  The half is enough',
  )
})

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
