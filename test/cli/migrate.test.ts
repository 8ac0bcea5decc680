/** `migrate`: waiting threads of an earlier version of a graph, at the command line and over HTTP. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createApp } from '../../src/http.ts'
import { createRuntime, type Graph, memoryStore } from '../../src/index.ts'
import { expectRefused, newDesks } from './desk.ts'

const newDesk = newDesks()
const INDEX = fileURLToPath(new URL('../../src/index.ts', import.meta.url))

const MODULE = `
import { defineGraph } from '${INDEX}'
const answers = { 'human.approved': 'end', 'human.rejected': 'end', 'human.expired': 'end' }
const desk = (node, channel, more) => defineGraph({
  id: 'desk',
  start: node,
  input: [channel],
  channels: { [channel]: { type: 'string' } },
  nodes: { [node]: { use: 'human', question: 'Good?', on: answers }, end: { final: 'success' } },
  ...more,
})
export const before = desk('ask', 'text')
export const after = desk('approve', 'letter', {
  migrate: ({ channels }) => channels.text === 'secret' ? undefined : { node: 'approve', channels: { letter: channels.text } },
})
`

test('migrate moves the threads of an earlier version, and names those that it refuses', async () => {
  const desk = newDesk()
  desk.file('desk.mjs', MODULE)
  for (const [thread, text] of [
    ['a', 'one'],
    ['b', 'secret'],
    ['c', 'three'],
  ])
    await desk.type(
      'run',
      './desk.mjs#before',
      '--thread',
      thread as string,
      '--input',
      JSON.stringify({ text }),
    )
  const to = ['--graph', './desk.mjs#after']
  expectRefused(await desk.type('migrate', ...to), 'name threads, or use --all-stale')
  const preview = await desk.type('migrate', '--all-stale', '--dry-run', ...to)
  expect(preview.out).toMatch(/a +possible +ask → approve +letter, text/)
  expect(preview.out).toMatch(/b +refused +migrate of graph 'desk' returned no destination/)
  const one = await desk.type('migrate', 'a', ...to, '--json')
  expect([one.code, JSON.parse(one.out)]).toMatchObject([
    0,
    [{ thread: 'a', applied: true, migration: { node: { from: 'ask', to: 'approve' } } }],
  ])
  const all = await desk.type('migrate', '--all-stale', ...to)
  expect(all.code).toBe(1)
  expect(all.out).toMatch(/c +migrated/)
  expect((await desk.type('show', 'a')).out).toContain('migrated to approve of version')
  expect((await desk.type('show', 'a', '--rejudge')).out).toContain('decide the same')
  const { out } = await desk.type('show', 'a', '--rejudge', '--json')
  expect(JSON.parse(out)).toMatchObject({ rejudged: [] })
  expect((await desk.type('show', 'a', '--at', '0')).code).toBe(0)
  expect((await desk.type('resume', 'a', '--decision', 'approved', ...to)).code).toBe(0)
}, 60_000)

test('the service migrates a thread, with a preview', async () => {
  const { after, before } = await modules()
  const store = memoryStore()
  const old = createRuntime({ store, graphs: [before] })
  await (await old.start(before, { text: 'one' }, { thread: 'a' })).resume()
  await old.close()
  const runtime = createRuntime({ store, graphs: [after] })
  const app = createApp(runtime, { anonymous: 'operate' })
  const command = async (body: object) => {
    const headers = { 'content-type': 'application/json' }
    const url = 'http://localhost/v1/threads/a/commands'
    const response = await app.fetch(
      new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }),
    )
    return [response.status, await response.json()] as const
  }
  const migration = { node: { from: 'ask', to: 'approve' }, channels: ['letter', 'text'] }
  const { seq } = await runtime.thread('a').summary()
  expect(await command({ do: 'migrate', preview: true })).toMatchObject([200, { seq, migration }])
  expect(await command({ do: 'migrate' })).toMatchObject([200, { seq: seq + 1, migration }])
  expect(await command({ do: 'migrate' })).toMatchObject([409, { code: 'already-migrated' }])
  expect(await command({ do: 'migrate', graph: 'x' })).toMatchObject([
    409,
    { code: 'unknown-name' },
  ])
  await runtime.close()
})

async function modules(): Promise<{ before: Graph; after: Graph }> {
  const desk = newDesk()
  desk.file('desk.mjs', MODULE)
  return import(`${desk.folder}/desk.mjs`)
}
