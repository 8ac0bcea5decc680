/** Threads of an older build, with fewer fields than a run has today. */
import { expect, test } from 'vitest'
import { machineOfSpec } from '../../src/core/graph/agent-machine.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import type { Run } from '../../src/core/run/run.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import { POLICY } from '../../src/core/watch/policy/policy.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { replay } from '../../src/runtime/store/replay.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { nodePorts } from '../../src/adapters/node/ports.ts'

const SOURCE = {
  escapement: 1,
  id: 'old',
  start: 'A',
  nodes: {
    A: { use: 'pass', on: { done: 'B' } },
    B: { use: 'pass', on: { done: 'A' } },
    end: { final: 'success' },
  },
  limits: { steps: 300 },
  detect: { recurrence: false },
}

/** A thread of more than one checkpoint, and its machine. */
async function longThread() {
  const { spec } = readSpec(SOURCE)
  if (!spec) throw new Error('the spec is not sound')
  const machine = machineOfSpec(spec)
  const store = memoryStore()
  const graph = {
    machine,
    nodes: { A: async () => ({}), B: async () => ({}) },
    tools: {},
    models: {},
    source: SOURCE as Json,
  }
  const run = await drive(nodePorts({ graph, store, clock: virtualClock(0) }), 't', {
    start: { input: {}, seed: 1 },
  })
  return { machine, store, run }
}

test('ignores a checkpoint of another shape and folds the journal', async () => {
  const { machine, store, run } = await longThread()
  const older: Store = {
    ...store,
    async load(thread, seq) {
      const loaded = await store.load(thread, seq)
      if (!loaded?.checkpoint) return loaded
      const {
        shape: _,
        compensable: __,
        retries: ___,
        openBreakers: ____,
        ...rest
      } = loaded.checkpoint.run as unknown as Run
      return { ...loaded, checkpoint: { ...loaded.checkpoint, run: rest as unknown as Json } }
    },
  }
  expect((await store.load('t'))?.checkpoint).toBeDefined()
  expect(await replay(machine, older, 't')).toEqual(run)
})

test('adds the default of a newer setting to an old journaled policy', async () => {
  const { machine, store, run } = await longThread()
  const rows = await store.rows('t')
  const older = rows.map(row => {
    if (row.event.type !== 'thread.started') return row
    const {
      mode: _,
      rounds: __,
      escape: { rollback: ___, ...escape },
      ...policy
    } = row.event.policy
    return {
      ...row,
      event: { ...row.event, policy: { ...policy, escape } as unknown as typeof POLICY },
    }
  })
  const after = await replay(machine, { ...store, load: async () => ({ rows: older }) }, 't')
  expect(after?.policy).toEqual(run.policy)
  expect(after?.policy.escape.rollback).toEqual(POLICY.escape.rollback)
})
