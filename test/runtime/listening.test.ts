/** A graph that never waits for an external system: the drive still receives commands. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { portsOf, START } from './desk.ts'

/** Goes round as fast as it can, ten million times. */
function racing(): Graph {
  const read = readSpec({
    escapement: 1,
    id: 'racing',
    start: 'A',
    nodes: {
      A: { use: 'pass', on: { done: 'B' } },
      B: { use: 'pass', on: { done: 'A' } },
      E: { final: 'success' },
    },
    limits: { steps: 10_000_000 },
    detect: { recurrence: false },
  })
  if (!read.spec) throw new Error(JSON.stringify(read.faults))
  return bindGraph(read.spec, {
    workspace: '.',
    model: () => Promise.reject(new Error('no model')) as never,
  })
}

it('receives a signal', async () => {
  const cancel = new AbortController()
  const timer = setTimeout(() => cancel.abort(new Error('enough')), 50)
  const run = await drive(portsOf(racing()), 't', { ...START, signal: cancel.signal })
  clearTimeout(timer)
  expect(run.ended).toMatchObject({ outcome: 'cancelled', reason: 'enough' })
})

it('receives a command of another process', async () => {
  const ports = portsOf(racing())
  const driven = drive(ports, 't', START)
  await pause(50)
  await ports.store.submit('t', 'one', { type: 'cancel', reason: 'said by hand' })
  expect((await driven).ended).toMatchObject({ outcome: 'cancelled', reason: 'said by hand' })
})
