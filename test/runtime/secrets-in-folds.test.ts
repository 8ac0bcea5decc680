/** What custom parts return and throw is masked in every fold of a journal: in forks, checkpoints, replays and the states of wrapped agents. */
import { assign, createMachine } from 'xstate'
import { beforeAll, expect, it } from 'vitest'
import { parseSpec } from '../../src/core/graph/spec/read.ts'
import { refold } from '../../src/core/advance.ts'
import type { Run } from '../../src/core/run/run.ts'
import { defineDetector, defineRung } from '../../src/core/watch/detect/custom.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { defineGraph } from '../../src/host/definition/define-graph.ts'
import { fork } from '../../src/runtime/drive/copy.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Graph, Task } from '../../src/runtime/ports.ts'
import { redactor } from '../../src/runtime/redaction/redact.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { replay } from '../../src/runtime/store/replay.ts'
import { watchdog } from '../../src/watchdog.ts'
import { portsOf, START } from './desk.ts'

/** One secret of the environment, and one of a known form: written in two parts, because scanners of repositories would report the whole. */
const KNOWN = 'simplesecretvalue4242'
const TOKEN = ['github_', 'pat_11ABCDEFG0123456789_abcdefghijklmnopqrstuvwxyz'].join('')
const TEXT = `boom ${KNOWN} ${TOKEN}`

beforeAll(() => {
  process.env.FOLDED_PASSWORD = KNOWN
  return () => delete process.env.FOLDED_PASSWORD
})

const expectClean = (value: unknown) => {
  const text = JSON.stringify(value)
  expect(text).toContain('boom [redacted]')
  expect(text).not.toContain(KNOWN)
  expect(text).not.toContain(TOKEN)
}

const detector = (name: string, observe: (state: unknown) => readonly [unknown, unknown]) =>
  defineDetector({ name, version: 1, start: 0, sees: ['answered'], observe } as never)

const boom = () => {
  throw new Error(TEXT)
}

const work = async (task: Task) => {
  await task.call('unknown', {})
  return task.call('unknown', { again: true })
}

const graphWith = (parts: object, escape = {}): Graph =>
  defineGraph({
    ...{ id: 'watched', start: 'A', parts, escape },
    nodes: { A: { use: work, on: { done: 'E', error: 'E' } }, E: { final: 'success' } },
  } as never)

/** All runs that folds of a thread return, and the checkpoint of its fork. */
async function foldsOf(graph: Graph) {
  const ports = portsOf(graph, { store: memoryStore() })
  const driven = await drive(ports, 't', START)
  const replayed = await replay(graph.machine, ports.store, 't')
  expect(replayed).toEqual(driven)
  const forked = await fork(ports, { thread: 't', as: 'f', effects: 'refuse' })
  const rows = await ports.store.rows('t')
  const { checkpoint } = (await ports.store.load('f')) ?? {}
  expect(checkpoint).toBeDefined()
  return { driven, replayed, forked, rows, checkpoint }
}

it('the error of a detector', async () => {
  const folds = await foldsOf(graphWith({ detectors: [detector('broken', boom)] }))
  const { rows: _, ...runs } = folds
  for (const run of Object.values(runs)) expectClean(run)
})

it('the state of a detector', async () => {
  const keeping = detector('keeping', () => [{ kept: TEXT }, undefined])
  const { driven, forked, checkpoint } = await foldsOf(graphWith({ detectors: [keeping] }))
  for (const run of [driven, forked, checkpoint]) expectClean(run)
})

it('the finding of a detector, with its id and its members', async () => {
  const found = { kind: 'stall', id: TEXT, members: [TEXT], summary: TEXT, repeats: 3 }
  const finding = detector('finding', () => [1, found])
  const folds = await foldsOf(graphWith({ detectors: [finding] }, { ladder: ['stop'] }))
  for (const fold of Object.values(folds)) expectClean(fold)
})

it('the error of a rung, in the judgement of a replay too', async () => {
  const finding = detector('finding', () => [1, { kind: 'stall', summary: 'stuck', repeats: 3 }])
  const rungs = [
    defineRung({ name: 'broken', version: 1, choose: boom }),
    defineRung({ name: 'refusing', version: 1, choose: () => TEXT }),
  ]
  const graph = graphWith(
    { detectors: [finding], rungs },
    { ladder: ['broken', 'refusing', 'stop'] },
  )
  const { rows } = await foldsOf(graph)
  expectClean(rows)
})

it('a secret with blanks at the cut of a text', async () => {
  process.env.SPACED_PASSPHRASE = 'horse (battery) staple'
  const long = (max: number) =>
    `boom ${'word '.repeat(max).slice(0, max - 20)} horse (battery) staple`
  const parts = {
    detectors: [
      detector('finding', () => [1, { kind: 'stall', summary: long(300), repeats: 3 }]),
      detector('broken', () => {
        throw new Error(long(200))
      }),
    ],
    rungs: [defineRung({ name: 'refusing', version: 1, choose: () => long(300) })],
  }
  const folds = await foldsOf(graphWith(parts, { ladder: ['refusing', 'stop'] }))
  delete process.env.SPACED_PASSPHRASE
  expect(JSON.stringify(folds)).toContain('boom word')
  expect(JSON.stringify(folds)).not.toContain('horse')
})

it('the error of a hand-written statechart, in its end too', async () => {
  const machine = createMachine({
    id: 'assigned',
    initial: 'A',
    context: {},
    states: {
      A: {
        entry: { type: 'invoke', params: { node: 'A' } },
        on: { done: { target: 'E', actions: assign(() => boom()) } },
      },
      E: { type: 'final' },
    },
  })
  const spec = parseSpec({
    ...{ escapement: 1, id: 'assigned', machine: './m.ts#assigned', nodes: { A: { use: 'pass' } } },
  })
  const graph = bindGraph(spec, { machine: machine as never })
  const ports = portsOf(graph, { store: memoryStore() })
  const driven = await drive(ports, 't', START)
  expect(driven.ended?.outcome).toBe('error')
  const rows = await ports.store.rows('t')
  const before = await replay(graph.machine, ports.store, 't', driven.seq - 1)
  expectClean(driven)
  expectClean(rows)
  expectClean(refold(graph.machine, before as Run, rows.at(-1) as never))
})

it('the state of a watchdog around a wrapped agent, with the secrets of its recorder', () => {
  const record = Object.assign(() => {}, { redact: redactor([KNOWN]) })
  const detectors = [
    detector('broken', boom),
    detector('keeping', () => [{ kept: TEXT }, undefined]),
  ]
  const monitor = watchdog({ parts: { detectors }, record })
  monitor.beforeModelCall(0)
  const outcome = { began: 0, ended: 1 }
  const calls = [{ tool: 'look', args: {}, result: 'none', outcome }]
  monitor.afterModelTurn({ text: 'Looking.', calls, at: 1 })
  expectClean(monitor.state)
})
