/** `escapement effects`: the ledger of a thread, for people and as JSON. */
import { expect, it } from 'vitest'
import { expectRefused, GOOD, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const WRITES = spec(`
nodes:
  A: { use: tool, tool: mine, args: { to: x }, on: { done: E, error: E } }
  E: { final: success }
tools:
  mine: { use: ./mine.mjs#mine, reversible: true }
`)

const TOOL = `export const mine = { name: 'mine', description: '', parameters: {}, effects: 'write', idempotent: false, timeout: 1000, parse: args => args, execute: async () => 'done' }\n`

it('prints the effects, and what can still be done about them', async () => {
  const desk = newDesk()
  desk.file('mine.mjs', TOOL)
  await desk.type('run', desk.file('writes.yaml', WRITES), '--thread', 't')
  expect(await desk.type('effects', 't')).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /\n +3 {2}\S+ \S+Z {2}reversible {2}mine {2}\{"to":"x"\} +A#1\/1 {2}took effect\n$/,
    ),
  })
  const { effects } = JSON.parse((await desk.type('effects', 't', '--json')).out) as {
    effects: unknown
  }
  expect(effects).toEqual([
    {
      call: 'A#1/1',
      tool: 'mine',
      args: '{"to":"x"}',
      seq: 3,
      at: expect.any(Number),
      kind: 'reversible',
      became: { code: 'effect-applied' },
    },
  ])
})

it('reports an empty ledger and an unknown thread', async () => {
  const desk = newDesk()
  await desk.type('run', desk.file('good.yaml', GOOD), '--thread', 't')
  expect((await desk.type('effects', 't')).out).toBe('t has no external effects\n')
  expectRefused(await desk.type('effects', 'other'), /thread 'other' does not exist/)
})
