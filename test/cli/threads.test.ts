/** `threads`: the list of a store, with its filters. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { expectRefused, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const LOOPING = fileURLToPath(new URL('../../graphs/agent.yaml', import.meta.url))

const ASKING = spec(`
nodes:
  A: { use: human, question: Go on?, deadline: 1h, on: { human.approved: E, human.rejected: E, human.expired: E } }
  E: { final: success }
`)

/** The names in the order of their last events: `b/loop`, `a/open`, `a/done`. */
async function deskWithThreads() {
  const desk = newDesk()
  const ask = desk.file('ask.yaml', ASKING)
  await desk.type('run', LOOPING, '--thread', 'b/loop')
  for (const thread of ['a/open', 'a/done']) await desk.type('run', ask, '--thread', thread)
  await desk.type('resume', 'a/done', '--decision', 'approved')
  return desk
}

test('threads lists the threads that match all filters', async () => {
  const desk = await deskWithThreads()
  const list = async (...filter: string[]) => {
    const { out } = await desk.type('threads', '--json', ...filter)
    return JSON.parse(out).map(({ thread }: { thread: string }) => thread)
  }
  expect(await list()).toEqual(['b/loop', 'a/open', 'a/done'])
  expect(await list('--latest', '9')).toEqual(['a/done', 'a/open', 'b/loop'])
  await desk.type('cancel', 'a/open')
  expect(await list('--latest', '2')).toEqual(['a/open', 'a/done'])
  expect(await list('--finding', 'loop')).toEqual(['b/loop'])
  expect(await list('--finding', 'any', '--graph', 'trial')).toEqual([])
  expect(await list('--min-usd', '0.0001')).toEqual(['b/loop'])
  expect(await list('--min-usd', '1')).toEqual([])
  expect(await list('--prefix', 'a/', '--outcome', 'success')).toEqual(['a/done'])
  expect(await list('--status', 'ended', '--outcome', 'cancelled')).toEqual(['a/open'])
  expect((await desk.type('threads', '--prefix', 'b')).out).toMatch(/^THREAD .*\nb\/loop .*\n$/)
})

test('show counts the refusals by an open breaker among the laps of a loop', async () => {
  const desk = newDesk()
  await desk.type('run', LOOPING, '--thread', 'loop')
  expect((await desk.type('show', 'loop')).out).toMatch(
    /evidence +3 laps × period 1, events 14–32 of search_docs; an open breaker\s+refused 2 of these calls\n/,
  )
})

test.each([
  [['--finding', 'lop'], 'Allowed choices are any, loop'],
  [['--min-usd', 'much'], 'expected a number, such as 0.5'],
  [['--latest', 'all'], '--latest expects a whole number'],
  [['--outcome', 'succes'], 'Allowed choices are success, failure, stopped, cancelled, error'],
  [['--status', 'open'], 'Allowed choices are active, waiting, ended'],
  [['--stale', 'graphs', '--prefix', 'a'], 'expected no filter'],
])('threads refuses %j', async (args, why) => {
  expectRefused(await newDesk().type('threads', ...args), why)
})
