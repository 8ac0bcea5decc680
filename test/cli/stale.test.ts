/** `threads --stale`: open threads of other versions of a graph, after a deploy. */
import { expect, test } from 'vitest'
import { newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const ASKING = (deadline: string) =>
  spec(`
nodes:
  A: { use: human, question: Go on?, deadline: ${deadline}, on: { human.approved: E, human.rejected: F, human.expired: F } }
  E: { final: success }
  F: { final: failure }
`)

test('threads --stale lists the open threads of other versions of the graphs', async () => {
  const desk = newDesk()
  desk.file('ask.yaml', ASKING('1h'))
  for (const thread of ['old', 'done']) await desk.type('run', 'ask.yaml', '--thread', thread)
  await desk.type('cancel', 'done')
  expect((await desk.type('threads', '--stale', 'ask.yaml', '--json')).out).toBe('[]\n')
  desk.file('ask.yaml', ASKING('2h'))
  await desk.type('run', 'ask.yaml', '--thread', 'new')
  const { out } = await desk.type('threads', '--stale', 'ask.yaml', '--json')
  expect(JSON.parse(out)).toMatchObject([{ thread: 'old', status: 'waiting', detail: 'A' }])
  expect((await desk.type('threads', '--stale', 'ask.yaml')).out).toContain('old')
  expect((await desk.type('threads', '--stale', 'none')).code).toBe(2)
})
