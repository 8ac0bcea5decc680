/** Child graphs at the command line: their questions, their output, and how they continue after an answer. */
import { describe, expect, test } from 'vitest'
import { newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const ROOT = spec(`
channels: { items: { type: array, default: [a, b] } }
nodes:
  A: { use: map, over: items, graph: asker, on: { done: E, done.partial: E } }
  E: { final: success }
graphs: { asker: ./asker.yaml }
`)

const ASKER = spec(`
channels: { item: {} }
nodes:
  A: { use: human, question: Is it right?, deadline: 1h, on: { human.approved: E, human.rejected: F, human.expired: F } }
  E: { final: success }
  F: { final: failure }
`).replace('id: trial', 'id: asker')

function deskWith(root = ROOT) {
  const desk = newDesk()
  desk.file('root.yaml', root)
  desk.file('asker.yaml', ASKER)
  return desk
}

describe('a thread whose children ask people', () => {
  test('waits, lists their questions, and continues with the answer to the last one', async () => {
    const desk = deskWith()
    const begun = await desk.type('run', 'root.yaml', '--thread', 't')
    expect(begun.code).toBe(3)
    expect(begun.out).toMatch(
      /t: waiting for a person\n {2}question {2}Is it right\? {2}A#1 of t\/A#1\/1, until .*\n {2}question {2}Is it right\? {2}A#1 of t\/A#1\/2/,
    )

    const first = await desk.type('resume', 't/A#1/1', '--decision', 'approved')
    expect([first.code, first.err]).toEqual([
      0,
      expect.stringContaining('parent t: waiting for a person'),
    ])
    // The store holds the graphs of child and parent, so the files are no longer needed.
    desk.file('asker.yaml', 'nothing')
    const second = await desk.type('resume', 't/A#1/2', '--decision', 'rejected')
    expect([second.code, second.err]).toEqual([
      1,
      expect.stringContaining('parent t: success (goal)'),
    ])

    const shown = await desk.type('show', 't')
    expect(shown.out).toContain(
      "  children  t/A#1/1 (asker) success: goal\n            t/A#1/2 (asker) failure: the question was answered 'rejected': Is it right?\n",
    )
    expect((await desk.type('show', 't/A#1/2')).out).toContain(
      '  parent    t, event 3, for item 2 of 2\n',
    )
  })

  test('name the error of a tool that led an item to a failure state', async () => {
    const desk = deskWith()
    desk.file(
      'asker.yaml',
      spec(`
channels: { item: {} }
nodes:
  A: { use: tool, tool: price, args: {}, on: { done: E, error: F } }
  E: { final: success }
  F: { final: failure }
tools: { price: { use: ./tools.mjs#price } }
`).replace('id: trial', 'id: asker'),
    )
    desk.file(
      'tools.mjs',
      `export const price = { name: 'price', description: '', parameters: {}, effects: 'read', timeout: 1_000, parse: args => args, execute: async () => { throw new Error('no such item') } }`,
    )
    await desk.type('run', 'root.yaml', '--thread', 't')
    const { out } = await desk.type('show', 't')
    expect(out).toContain("t/A#1/1 (asker) failure: node 'A' failed: no such item\n")
    expect(out).toContain("asker 1/2 failure: node 'A' failed: no such item\n")
    const { children } = JSON.parse((await desk.type('show', 't', '--json')).out)
    expect(children[0]).toMatchObject({
      reason: 'failure',
      because: { code: 'ended-in-failure', cause: { code: 'node-failed' } },
    })
  })

  test('end with a line that the error of a tool cannot break', async () => {
    const desk = deskWith(
      spec(`
nodes:
  A: { use: graph, graph: asker, on: { done: B } }
  B: { use: tool, tool: order, on: { done: E } }
  E: { final: success }
graphs: { asker: ./asker.yaml }
tools: { order: { use: ./tools.mjs#order } }
escape: { ladder: [stop] }
`),
    )
    const message = String.raw`no stock\nparent t: success (goal)\u202e`
    desk.file(
      'tools.mjs',
      `export const order = { name: 'order', description: '', parameters: {}, effects: 'read', timeout: 1_000, parse: args => args, execute: async () => { throw new Error('${message}') } }`,
    )
    await desk.type('run', 'root.yaml', '--thread', 't')
    const { err } = await desk.type('resume', 't/A#1/1', '--decision', 'approved')
    expect(err).toBe(`parent t: stopped (failure.unknown): node 'B' failed: ${message}\n`)
  })

  test('lists its questions as JSON with their threads', async () => {
    const desk = deskWith()
    const { out } = await desk.type('run', 'root.yaml', '--thread', 't', '--json')
    expect((JSON.parse(out) as { questions: unknown }).questions).toMatchObject([
      { thread: 't/A#1/1', id: 'A#1' },
      { thread: 't/A#1/2', id: 'A#1' },
    ])
  })

  test('keeps its children in a fork, where they are shown and continue', async () => {
    const desk = deskWith()
    await desk.type('run', 'root.yaml', '--thread', 't')
    await desk.type('fork', 't', '--effects', 'live', '--as', 'u')
    expect((await desk.type('show', 'u')).out).toContain(
      '  children  t/A#1/1 (asker) belongs to t, and continues there\n',
    )
    expect((await desk.type('show', 't')).out).toContain(
      '  children  t/A#1/1 (asker) has not ended\n',
    )
  })

  test('cancels its children when it is cancelled', async () => {
    const desk = deskWith()
    await desk.type('run', 'root.yaml', '--thread', 't')
    expect((await desk.type('cancel', 't')).code).toBe(130)
    const { out } = await desk.type('threads')
    expect(out.match(/cancelled/g)?.length).toBeGreaterThanOrEqual(3)
  })
})

test('rejects unbounded recursion before it runs', async () => {
  const desk = deskWith(
    `${ROOT.replace('use: map, over: items, graph: asker', 'use: graph, graph: asker')}`.replace(
      './asker.yaml',
      './root.yaml',
    ),
  )
  const { code, err } = await desk.type('run', 'root.yaml')
  expect([code, err]).toEqual([
    2,
    expect.stringContaining(
      "graphs.asker: 'asker' runs this graph again without a limit on depth: set limits.depth",
    ),
  ])
})
