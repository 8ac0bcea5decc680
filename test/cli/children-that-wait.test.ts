/** A thread whose child asks a person or is paused: each message names the child and the command that continues it. */
import { describe, expect, test } from 'vitest'
import { newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const ROOT = spec(`
nodes:
  A: { use: graph, graph: asker, on: { done: E, error: E } }
  E: { final: success }
graphs: { asker: ./asker.yaml }
`)

const ASKER = spec(`
nodes:
  look: { use: tool, tool: look, args: {}, on: { done: A } }
  A: { use: human, question: Is it right?, deadline: 1h, on: { human.approved: E, human.rejected: F, human.expired: F } }
  E: { final: success }
  F: { final: failure }
tools: { look: { use: ./tools.mjs#look } }
`)
  .replace('id: trial', 'id: asker')
  .replace('start: A', 'start: look')

const TOOLS = `export const look = { name: 'look', description: '', parameters: {}, effects: 'read', timeout: 1_000, parse: args => args, execute: async () => 1 }`

function newFamily() {
  const desk = newDesk()
  desk.file('root.yaml', ROOT)
  desk.file('asker.yaml', ASKER)
  desk.file('tools.mjs', TOOLS)
  return desk
}

describe('a thread whose child asks a person', () => {
  test('names the child in `next` and in the error of an answer to itself', async () => {
    const desk = newFamily()
    const { out } = await desk.type('run', 'root.yaml', '--thread', 't')
    const next = `escapement resume t/A#1/1 --decision approved`
    expect(out).toContain('  next      escapement show t/A#1/1  shows the evidence')
    expect(out).toContain(next)
    expect((await desk.type('show', 't')).out).toContain(next)
    expect(await desk.type('resume', 't', '--decision', 'approved')).toMatchObject({
      code: 2,
      err: `error: this thread has no open question; open in its child threads: A#1 of t/A#1/1\n       → ${next}\n`,
    })
    const named = await desk.type('resume', 't', '--question', 'A#1', '--decision', 'approved')
    expect(named.err).toBe(
      `error: this thread has no open question 'A#1'; open in its child threads: A#1 of t/A#1/1\n       → ${next}\n`,
    )
  })
})

describe('a thread whose child is paused at a breakpoint', () => {
  test('says where it is paused, and continues with the command that it prints', async () => {
    const desk = newFamily()
    await desk.type('breakpoints', '--set', 'asker#look')
    const { out } = await desk.type('run', 'root.yaml', '--thread', 't')
    expect(out).toContain('? t: waiting for t/A#1/1, paused before look#1\n')
    expect(out).toContain('escapement resume t/A#1/1  continues the paused child thread\n')
    expect((await desk.type('resume', 't')).out).toContain('t/A#1/1, paused before look#1\n')
    expect((await desk.type('resume', 't', '--decision', 'approved')).err).toBe(
      'error: this thread has no open question; it waits for t/A#1/1, paused before look#1\n       → escapement resume t/A#1/1\n',
    )
    const continued = await desk.type('resume', 't/A#1/1')
    expect(continued.out).toContain('t/A#1/1: waiting for a person')
    expect((await desk.type('show', 't')).out).toContain('t: waiting for a person')
  })
})
