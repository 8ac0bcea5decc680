/** Every included graph is valid, cannot be trapped, and runs to an end or to a question. */
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bindLoaded, loadSpecs } from '../src/host/drive/load.ts'
import { virtualClock } from '../src/testing/clock.ts'
import { nodePorts } from '../src/adapters/node/ports.ts'
import { lint } from '../src/core/graph/lint/lint.ts'
import { drive } from '../src/runtime/drive/drive.ts'
import { memoryStore } from '../src/runtime/store/memory-store.ts'

const root = resolve(import.meta.dirname, '..')
const graphs = readdirSync(resolve(root, 'graphs')).filter(
  file => file.endsWith('.yaml') && !/\.(script|scenario)\.yaml$/.test(file),
)

/** What a graph must be given. */
const INPUT: Readonly<Record<string, { readonly topic: string }>> = {
  'approval.yaml': { topic: 'our new release' },
}

/** Graphs that, run once, wait for a person. */
const ASKING: readonly string[] = ['approval.yaml', 'night.yaml']

describe.each(graphs)('graphs/%s', file => {
  test('has no lint errors', async () => {
    const loaded = await loadSpecs(resolve(root, 'graphs', file))
    expect(
      lint(loaded.spec, loaded).filter(
        ({ severity, accepted }) => severity === 'error' && !accepted,
      ),
    ).toEqual([])
  })

  test('runs to an end or to a question', async () => {
    const graph = await bindLoaded(await loadSpecs(resolve(root, 'graphs', file)), {
      workspace: root,
    })
    const run = await drive(
      nodePorts({ graph, store: memoryStore(), clock: virtualClock() }),
      'thread',
      {
        start: { input: INPUT[file] ?? {}, seed: 4 },
      },
    )
    expect(run.ended?.outcome ?? run.pending.map(({ type }) => type)).toEqual(
      ASKING.includes(file) ? ['interrupt'] : 'success',
    )
  })
})

test('in graphs/incident.yaml, one region escapes its loop, and the other continues', async () => {
  const store = memoryStore()
  const graph = await bindLoaded(await loadSpecs(resolve(root, 'graphs/incident.yaml')), {
    workspace: root,
  })
  await drive(nodePorts({ graph, store, clock: virtualClock() }), 'thread', {
    start: { input: {}, seed: 4 },
  })
  const rows = await store.rows('thread')
  const escape = rows.find(({ verdict }) => verdict.kind === 'escape')
  expect(
    escape?.verdict.kind === 'escape' && [
      escape.verdict.route.rung,
      escape.verdict.because[0]?.kind,
    ],
  ).toEqual(['alternative', 'loop'])
  expect(rows.flatMap(({ edges }) => edges).filter(edge => edge.includes('communicate'))).toEqual([
    'incident.handling.communicate.announce:done>inform',
    'incident.handling.communicate.inform:done>informed',
  ])
})

test('in graphs/services.yaml, the recursion is found before a service starts inside itself, and both end', async () => {
  const store = memoryStore()
  const graph = await bindLoaded(await loadSpecs(resolve(root, 'graphs/services.yaml')), {
    workspace: root,
  })
  const run = await drive(nodePorts({ graph, store, clock: virtualClock() }), 'order', {
    start: { input: { part: 'nut' }, seed: 4 },
  })
  expect(run.ended).toMatchObject({ outcome: 'success', result: { stock: 4, price: 3 } })
  expect((await store.threads()).map(({ thread, outcome }) => [thread, outcome])).toEqual([
    ['order', 'success'],
    ['order/available#1/1', 'success'],
  ])
  const inner = await store.rows('order/available#1/1')
  const found = inner.flatMap(({ findings }) =>
    findings.map(({ detector, members }) => [detector, members]),
  )
  expect(found).toEqual([['recursion', ['price', 'stock']]])
})

test('in graphs/supervisor.yaml, the workers succeed, and the loop belongs to the supervisor', async () => {
  const store = memoryStore()
  const graph = await bindLoaded(await loadSpecs(resolve(root, 'graphs/supervisor.yaml')), {
    workspace: root,
  })
  const run = await drive(nodePorts({ graph, store, clock: virtualClock() }), 'thread', {
    start: { input: {}, seed: 4 },
  })
  expect(run.ended).toMatchObject({
    outcome: 'success',
    result: { verdict: expect.stringContaining('reason') },
  })
  expect(run.snapshot.context.notes).toMatchObject([
    { ok: true },
    { ok: true },
    { ok: false, reason: 'failure: failure' },
  ])
  const escapes = async (thread: string) =>
    (await store.rows(thread)).flatMap(({ verdict }) =>
      verdict.kind === 'escape' ? [verdict.because[0]?.members] : [],
    )
  expect(await escapes('thread')).toEqual([['writer', 'critic']])
  const children = (await store.threads())
    .map(({ thread }) => thread)
    .filter(thread => thread !== 'thread')
  expect(children).toHaveLength(8)
  expect((await Promise.all(children.map(escapes))).flat()).toEqual([])
})
