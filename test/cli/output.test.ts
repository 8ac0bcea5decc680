/** What commands print: JSON for programs, short output for pipes, and the history on request. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { here } from '../durability/process.ts'
import { expectRefused, GOOD, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const ASKS = spec(`
input: [order]
channels: { order: { type: object } }
nodes:
  A: { use: pass, on: { done: ask } }
  ask: { use: human, question: Go on?, deadline: 1h, on: { human.approved: E, human.rejected: E, human.expired: E } }
  E: { final: success }
`)
const ORDER = '{"order":{"clocks":3}}'

/** The thread `t` waits for an answer. */
async function asked() {
  const desk = newDesk()
  desk.file('asks.yaml', ASKS)
  const said = await desk.type('run', 'asks.yaml', '--thread', 't', '--input', ORDER, '--json')
  expect(said).toMatchObject({ code: 3, err: '' })
  return { ...desk, said }
}

function jsonLines(text: string): readonly unknown[] {
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as unknown)
}

describe('--json', () => {
  it('prints one object for a thread, with any command', async () => {
    const { said, type } = await asked()
    expect(JSON.parse(said.out)).toMatchObject({
      thread: 't',
      status: 'waiting',
      outcome: null,
      questions: [{ id: 'ask#1', question: 'Go on?' }],
    })
    const show = await type('show', 't', '--json')
    expect(JSON.parse(show.out)).toMatchObject({
      thread: 't',
      status: 'waiting',
      run: { snapshot: { context: { order: { clocks: 3 } } } },
    })
    expect(JSON.parse((await type('threads', '--json')).out)).toMatchObject([
      { thread: 't', graph: 'trial', status: 'waiting', detail: 'ask' },
    ])
    const resume = await type('resume', 't', '--decision', 'approved', '--json')
    expect({ code: resume.code, ...(JSON.parse(resume.out) as object) }).toMatchObject({
      code: 0,
      status: 'ended',
      outcome: 'success',
      result: { order: { clocks: 3 } },
    })
  })

  it('prints the same object for cancel and tick, one line for each thread', async () => {
    const { type } = await asked()
    const cancel = await type('cancel', 't', '--json', '--reason', 'enough')
    expect({ code: cancel.code, ...(JSON.parse(cancel.out) as object) }).toMatchObject({
      code: 130,
      outcome: 'cancelled',
      reason: 'enough',
    })
    for (const thread of ['u', 'v'])
      await type(
        'run',
        'asks.yaml',
        '--thread',
        thread,
        '--input',
        ORDER,
        '--set',
        'nodes.ask.deadline=200ms',
      )
    await pause(200)
    const tick = await type('tick', '--json')
    expect(jsonLines(tick.out)).toMatchObject([
      { thread: 'u', outcome: 'success' },
      { thread: 'v', outcome: 'success' },
    ])
  })

  it('prints the chart, the findings or the schema of a spec', async () => {
    const desk = newDesk()
    const file = desk.file('asks.yaml', ASKS)
    expect(JSON.parse((await desk.type('draw', file, '--json')).out)).toHaveProperty('states')
    expect(JSON.parse((await desk.type('lint', file, '--json')).out)).toMatchObject({
      file,
      findings: expect.any(Array),
    })
    expect(JSON.parse((await desk.type('schema', '--json')).out)).toMatchObject({
      $id: expect.stringContaining('graph'),
    })
  })
})

describe('the history of a thread', () => {
  it('is exported as one row per line', async () => {
    const { type, folder } = await asked()
    const { code, out, err } = await type('export', 't')
    const rows = jsonLines(out) as readonly { seq: number; event: { type: string } }[]
    expect({ code, err, seqs: rows.map(({ seq }) => seq) }).toEqual({
      code: 0,
      err: '',
      seqs: rows.map((_, seq) => seq),
    })
    expect(rows.map(({ event }) => event.type)).toEqual([
      'thread.started',
      'turn.started',
      'node.done',
    ])
    const piped = 'set -o pipefail; "$0" "$1" export t | head -1'
    expect(
      execFileSync('bash', ['-c', piped, process.execPath, here('../../src/main.ts')], {
        cwd: folder,
        encoding: 'utf8',
      }),
    ).toBe(`${out.split('\n')[0]}\n`)
  })

  it('is shown as of an event', async () => {
    const { type } = await asked()
    const then = JSON.parse((await type('show', 't', '--at', '1', '--json')).out)
    expect(then).toMatchObject({
      events: 2,
      status: 'active',
      outcome: null,
      state: { working: 'A' },
      questions: [],
    })
    expect((await type('show', 't', '--at', '1')).out).toMatch(/^⟳ t: at work\n/)
    expectRefused(
      await type('show', 't', '--at', 'noon'),
      `--at expects a whole number, not 'noon'`,
    )
    expectRefused(await type('show', 'u'), `thread 'u' does not exist in this store`)
  })
})

describe('a run', () => {
  it('prints its result in a pipe, and a line per turn on request', async () => {
    const desk = newDesk()
    const file = desk.file('good.yaml', GOOD)
    expect(await desk.type('run', file, '--thread', 't')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^✓ t: success \(goal\)\n/),
    })
    expect(await desk.type('run', file, '--thread', 'u', '--progress', 'always')).toMatchObject({
      code: 0,
      err: expect.stringMatching(/A +done → E/),
    })
  })

  it('takes its input from a file', async () => {
    const desk = newDesk()
    desk.file('order.json', ORDER)
    const { out } = await desk.type(
      'run',
      desk.file('asks.yaml', ASKS),
      '--input',
      '@order.json',
      '--thread',
      't',
      '--json',
    )
    expect(JSON.parse(out)).toMatchObject({ status: 'waiting' })
  })

  it('changes its spec by --set, before it is checked', async () => {
    const desk = newDesk()
    const ring = here('../../graphs/ring.yaml')
    const { code, out } = await desk.type(
      'run',
      ring,
      '--clock',
      'virtual',
      '--seed',
      '1',
      '--set',
      'limits.steps=2',
      '--json',
    )
    expect({ code, ...(JSON.parse(out) as object) }).toMatchObject({
      code: 4,
      reason: 'budget.steps',
    })
  })

  it('with the same seed and a virtual clock gives the same journal, byte for byte', async () => {
    const desk = newDesk()
    const journal = async (store: string) => {
      await desk.type(
        'run',
        here('../../graphs/ring.yaml'),
        '--clock',
        'virtual',
        '--seed',
        '7',
        '--thread',
        't',
        '--store',
        store,
      )
      return (await desk.type('export', 't', '--store', store)).out
    }
    expect(await journal('one.db')).toBe(await journal(join('deep', 'two.db')))
  })
})

describe('output of tools and models', () => {
  const EVIL = spec(`
nodes:
  A: { use: tool, tool: t, on: { done: E } }
  E: { final: success }
tools: { t: { use: flaky, with: { p: 1, class: unknown, message: "\\e[2J\\e]0;mine\\a all\\nis well" } } }
`)

  it('is shown on one line without control sequences', async () => {
    const desk = newDesk()
    const { out, err } = await desk.type(
      'run',
      desk.file('evil.yaml', EVIL),
      '--thread',
      't',
      '--progress',
      'always',
    )
    expect(err).toContain('t failed: [2J]0;mine all is well')
    const shown = await desk.type('show', 't')
    expect(out + err + shown.out).not.toMatch(/[^\P{Cc}\n]/u)
    expect((await desk.type('export', 't')).out).toContain('\\u001b[2J')
  })
})

describe('--progress', () => {
  it('prints the timeline that `show` does', async () => {
    const desk = newDesk()
    const { err } = await desk.type(
      'run',
      here('../../graphs/agent.yaml'),
      '--thread',
      't',
      '--clock',
      'virtual',
      '--seed',
      '1',
      '--progress',
      'always',
    )
    const live = err.split('\n').filter(line => /^ {0,4}\d+ {2,}\S+ {2}/.test(line))
    const { out } = await desk.type('show', 't')
    expect(live.length).toBeGreaterThan(20)
    expect(out.split('\n').filter(line => /^ {0,4}\d+ {2,}\S+ {2}/.test(line))).toEqual(live)
  })

  it('prints all that follows from an answer', async () => {
    const desk = newDesk()
    const asks = ASKS.replace('human.approved: E', 'human.approved: P').replace(
      '  E: { final',
      `${['P', 'Q', 'R', 'S', 'T'].map((node, at) => `  ${node}: { use: ./rest.mjs#rest, on: { done: ${'QRSTE'[at]} } }\n`).join('')}  E: { final`,
    )
    desk.file(
      'rest.mjs',
      'export const rest = () => new Promise(resolve => setTimeout(resolve, 2, {}))',
    )
    desk.file('asks.yaml', asks)
    await desk.type('run', 'asks.yaml', '--thread', 't', '--input', ORDER)
    const { out: before } = await desk.type('show', 't')
    const { err } = await desk.type(
      ...(['resume', 't', '--decision', 'approved', '--progress', 'always'] as const),
    )
    const eventsIn = (text: string) =>
      text.split('\n').filter(line => /^ {0,4}\d+ {2,}\S+ {2}/.test(line))
    const { out } = await desk.type('show', 't')
    expect(eventsIn(err)).toEqual(eventsIn(out).slice(eventsIn(before).length))
    expect(eventsIn(err).length).toBeGreaterThan(5)
  })
})

it('ends the demo with the reason in a folder without a project', async () => {
  const demo = [here('../../graphs/agent.yaml'), '--clock', 'virtual']
  const { out } = await newDesk().type('run', ...demo)
  expect(out).toContain('This folder has no README.md and no package.json.')
})

describe('control characters', () => {
  const HOSTILE = 'a\u001b[2Jb\u0085c\u009b31md\u202ee\u2066f'

  it('stay in --json and export as escapes', async () => {
    const desk = newDesk()
    desk.file('asks.yaml', ASKS)
    const input = JSON.stringify({ order: { note: HOSTILE } })
    await desk.type('run', 'asks.yaml', '--thread', 't', '--input', input)
    const shown = await desk.type('show', 't', '--json')
    const exported = await desk.type('export', 't')
    for (const { out } of [shown, exported]) {
      expect(out).not.toMatch(/[\u007f-\u009f\u202e\u2066]/)
      expect(out).toContain('\\u009b31m')
    }
    const [started] = jsonLines(exported.out) as { event: { input: unknown } }[]
    expect(started?.event.input).toEqual({ order: { note: HOSTILE } })
  })

  it('of a key in a spec forge no line of output', async () => {
    const desk = newDesk()
    const forged = 'error: all threads deleted'
    desk.file('bad.yaml', ASKS.replace('nodes:', `"x\\n${forged}\\u202e\\u200b": 1\nnodes:`))
    const { err, out } = await desk.type('lint', 'bad.yaml')
    expect((err + out).split('\n').filter(line => line.trim().startsWith(forged))).toEqual([])
    expect(err + out).toContain('x\\n')
    expect(err + out).not.toMatch(/[\u202e\u200b]/)
  })
})
