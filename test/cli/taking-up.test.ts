/** A thread that another command resumes keeps its workspace, its random seed and its clock. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectRefused, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const ASKS = spec(`
channels: { said: {} }
nodes:
  A: { use: human, question: Go on?, deadline: 1h, on: { human.approved: R, human.rejected: F, human.expired: F } }
  R: { use: tool, tool: look, args: { path: note.txt }, out: { said: . }, on: { done: E, error: F } }
  E: { final: success }
  F: { final: failure }
tools:
  look: { use: read_file }
`)

describe('two threads of one graph', () => {
  it('keep separate workspaces', async () => {
    const desk = newDesk()
    desk.file('spec.yaml', ASKS)
    for (const name of ['one', 'two']) {
      mkdirSync(join(desk.folder, name))
      writeFileSync(join(desk.folder, name, 'note.txt'), `the note of ${name}`)
      expect(
        (await desk.type('run', 'spec.yaml', '--thread', name, '--workspace', name)).code,
      ).toBe(3)
    }
    for (const name of ['two', 'one']) {
      const { code, out } = await desk.type('resume', name, '--decision', 'approved', '--json')
      expect({ code, said: JSON.stringify(JSON.parse(out).result) }).toEqual({
        code: 0,
        said: expect.stringContaining(`the note of ${name}`),
      })
    }
  })

  it('keep separate files, although the specs are equal', async () => {
    const desk = newDesk()
    const tool = (said: string) =>
      `export const mine = { name: 'mine', description: '', parameters: {}, effects: 'read', idempotent: true, timeout: 1000, parse: args => args, execute: async () => '${said}' }\n`
    const asks = ASKS.replace('args: { path: note.txt }', 'args: {}').replace(
      'read_file',
      './mine.mjs#mine',
    )
    for (const name of ['one', 'two']) {
      mkdirSync(join(desk.folder, name))
      writeFileSync(join(desk.folder, name, 'mine.mjs'), tool(`the tool of ${name}`))
      writeFileSync(join(desk.folder, name, 'spec.yaml'), asks)
      expect((await desk.type('run', `${name}/spec.yaml`, '--thread', name)).code).toBe(3)
    }
    const { out } = await desk.type('resume', 'two', '--decision', 'approved', '--json')
    expect(JSON.parse(out).result).toMatchObject({ said: 'the tool of two' })
  })
})

describe('a known thread', () => {
  it.each([
    [['--seed', '7'], /--seed is only for a new thread/],
    [['--workspace', '.'], /--workspace is only for a new thread/],
    [['--input', '{}'], /--input is only for a new thread/],
    [['--clock', 'virtual'], /was started with the system clock/],
  ])('rejects %j', async (options, expected) => {
    const desk = newDesk()
    desk.file('spec.yaml', ASKS)
    await desk.type('run', 'spec.yaml', '--thread', 't')
    expectRefused(await desk.type('run', 'spec.yaml', '--thread', 't', ...options), expected)
  })
})

describe('a thread in virtual time', () => {
  it('stays in it: its questions stay open until they are answered', async () => {
    const desk = newDesk()
    desk.file('spec.yaml', ASKS.replace('on: { done: E, error: F }', 'on: { done: E, error: E }'))
    expect((await desk.type('run', 'spec.yaml', '--thread', 't', '--clock', 'virtual')).code).toBe(
      3,
    )
    expect((await desk.type('resume', 't')).code).toBe(3)
    expectRefused(
      await desk.type('resume', 't', '--clock', 'system'),
      /was started with the virtual clock/,
    )
    expect((await desk.type('resume', 't', '--decision', 'approved')).code).toBe(0)
  })
})
