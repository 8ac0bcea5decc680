/** `escapement tick`: runs due work thread by thread. */
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const ASKS = spec(`
nodes:
  ask: { use: human, question: Go on?, deadline: 1s, on: { human.approved: A, human.rejected: A, human.expired: A } }
  A: { use: tool, tool: mine, args: {}, on: { done: E, error: E } }
  E: { final: success }
tools:
  mine: { use: ./mine.mjs#mine }
`).replace('start: A', 'start: ask')

const TOOL = `export const mine = { name: 'mine', description: '', parameters: {}, effects: 'read', idempotent: true, timeout: 1000, parse: args => args, execute: async () => 'done' }\n`

describe('tick', () => {
  it('reports a thread that cannot continue and continues with the others', async () => {
    const desk = newDesk()
    for (const [thread, tool] of [
      ['lost', 'theirs.mjs'],
      ['well', 'mine.mjs'],
    ] as const) {
      const asks = desk.file(`${thread}.yaml`, ASKS.replace('./mine.mjs', `./${tool}`))
      desk.file(tool, TOOL)
      expect((await desk.type('run', asks, '--thread', thread)).code).toBe(3)
    }
    copyFileSync(join(desk.folder, 'theirs.mjs'), join(desk.folder, 'kept.mjs'))
    rmSync(join(desk.folder, 'theirs.mjs'))
    await pause(1_000)
    const first = await desk.type('tick')
    expect(first).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^✓ well: success \(goal\)\n/),
    })
    expect(first.err).toMatch(/^error: thread 'lost': .*file '\.\/theirs\.mjs' not found\n$/)
    copyFileSync(join(desk.folder, 'kept.mjs'), join(desk.folder, 'theirs.mjs'))
    expect(await desk.type('tick')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^✓ lost: success \(goal\)\n/),
    })
  })

  it('with --json prints one line for each thread, also for one that cannot continue', async () => {
    const desk = newDesk()
    for (const [thread, tool] of [
      ['lost', 'theirs.mjs'],
      ['well', 'mine.mjs'],
    ] as const) {
      const asks = desk.file(`${thread}.yaml`, ASKS.replace('./mine.mjs', `./${tool}`))
      desk.file(tool, TOOL)
      await desk.type('run', asks, '--thread', thread)
    }
    rmSync(join(desk.folder, 'theirs.mjs'))
    await pause(1_000)
    const { code, out } = await desk.type('tick', '--json')
    expect(code).toBe(1)
    expect(
      out
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toMatchObject([
      { thread: 'lost', error: expect.stringContaining('theirs.mjs') },
      { thread: 'well', outcome: 'success' },
    ])
  })
})
