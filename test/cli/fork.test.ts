/** `escapement fork`: another route from the middle of a thread, without repeating its work. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Desk, expectRefused, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const PAYS = spec(`
nodes:
  A: { use: tool, tool: look, on: { done: B } }
  B: { use: tool, tool: pay, on: { done: E, error.persistent: F } }
  E: { final: success }
  F: { final: failure }
tools:
  look: { use: ./tools.mjs#look }
  pay: { use: ./tools.mjs#pay, effects: write }
`)

/** What is really done stands in a file, with the key it was done under. */
const TOOLS = `
import { appendFileSync } from 'node:fs'
const note = (name, { idempotencyKey: key }) => appendFileSync('done.txt', name + ' ' + key + '\\n')
const tool = (name, effects) => ({ name, description: '', parameters: {}, effects, idempotent: false, timeout: 1000, parse: args => args, execute: async (_, call) => note(name, call) })
export const look = tool('look', 'read')
export const pay = tool('pay', 'write')
`

async function paid(): Promise<Desk> {
  const desk = newDesk()
  desk.file('pays.yaml', PAYS)
  desk.file('tools.mjs', TOOLS)
  expect((await desk.type('run', 'pays.yaml', '--thread', 't')).code).toBe(0)
  return desk
}

function done(desk: Desk): readonly string[] {
  return readFileSync(join(desk.folder, 'done.txt'), 'utf8').trim().split('\n')
}

describe('fork', () => {
  it('creates a separate thread, which `resume` continues with the effects that `--effects` allows', async () => {
    const desk = await paid()
    const before = (await desk.type('export', 't')).out
    for (const [effects, code, more] of [
      ['recorded', 0, []],
      ['refuse', 1, ['look refuse/A#1/1']],
      ['live', 0, ['look live/A#1/1', 'pay live/B#1/1']],
    ] as const) {
      const known = done(desk)
      const forked = await desk.type(
        'fork',
        't',
        '--at',
        '0',
        '--effects',
        effects,
        '--as',
        effects,
      )
      expect(forked).toMatchObject({
        code: 0,
        out: expect.stringContaining(`${effects}: at work`),
        err: expect.stringContaining(`escapement resume ${effects}`),
      })
      expect(done(desk)).toEqual(known)
      expect((await desk.type('resume', effects)).code).toBe(code)
      expect(done(desk)).toEqual([...known, ...more])
    }
    expect((await desk.type('export', 't')).out).toBe(before)
  })

  it('of an ended thread, names --at', async () => {
    const desk = await paid()
    const { err } = await desk.type('fork', 't', '--effects', 'refuse', '--as', 'end')
    expect(err).toContain('--at selects an earlier event')
    expect(err).not.toContain('escapement resume')
  })

  it('performs nothing, and neither does a look at an earlier event', async () => {
    const desk = await paid()
    const before = done(desk)
    for (const at of ['0', '3'])
      expect(
        (await desk.type('fork', 't', '--at', at, '--effects', 'live', '--as', `f${at}`)).code,
      ).toBe(0)
    for (const at of [0, 3]) {
      const { out } = await desk.type('show', 't', '--at', `${at}`, '--json')
      expect(JSON.parse(out)).toMatchObject({ outcome: null, run: { seq: at } })
    }
    expect((await desk.type('threads', '--json')).out).toContain('"f0"')
    expect(done(desk)).toEqual(before)
  })

  it('tries another policy with --set', async () => {
    const desk = await paid()
    await desk.type(
      'fork',
      't',
      '--at',
      '0',
      '--effects',
      'refuse',
      '--as',
      'short',
      '--set',
      'limits.steps=1',
    )
    const { code, out } = await desk.type('resume', 'short', '--json')
    expect(code).toBe(4)
    expect(JSON.parse(out)).toMatchObject({ reason: 'budget.steps' })
  })

  it('works while another process drives the parent, and does not affect it', async () => {
    const desk = newDesk()
    desk.file('pays.yaml', PAYS)
    desk.file(
      'tools.mjs',
      TOOLS.replace(
        'async (_, call) => note(name, call)',
        `async (_, call) => { if (name === 'pay') await new Promise(go => setTimeout(go, 800)); note(name, call) }`,
      ),
    )
    const running = desk.start('run', 'pays.yaml', '--thread', 't')
    for (
      let tries = 0;
      !(await desk.exec('export', 't')).out.includes('"B#1/1"') && tries < 40;
      tries++
    );
    expect(
      (await desk.exec('fork', 't', '--at', '3', '--effects', 'refuse', '--as', 'u')).code,
    ).toBe(0)
    expect((await desk.exec('resume', 'u')).code).toBe(1)
    expect((await running.ended).code).toBe(0)
  })

  it('names its missing options', async () => {
    const desk = await paid()
    expectRefused(await desk.type('fork', 't'), /--effects is required: refuse .* recorded .* live/)
    expectRefused(
      await desk.type('fork', 't', '--effects', 'dry'),
      /Allowed choices are refuse, recorded, live/,
    )
    expectRefused(
      await desk.type('fork', 't', '--effects', 'live', '--as', 't'),
      /thread 't' already exists/,
    )
    expectRefused(
      await desk.type('fork', 't', '--effects', 'live', '--as', ' '),
      /the fork needs a name/,
    )
    expectRefused(
      await desk.type('fork', 't', '--effects', 'live', '--at', '99'),
      /event 99 does not exist in thread 't'; its last event is 8/,
    )
    expectRefused(
      await desk.type('fork', 't', '--effects', 'live', '--at', 'x'),
      /--at expects a whole number/,
    )
    expectRefused(
      await desk.type('fork', 't', '--effects', 'live', '--set', 'limits.stepz=3'),
      /limits\.stepz: is unknown/,
    )
    expectRefused(
      await desk.type('fork', 'missing', '--effects', 'live'),
      /thread 'missing' does not exist/,
    )
  })
})
