/** Reviews at the terminal: `show` prints the evidence, and `resume` accepts each answer or reports why not. */
import { describe, expect, it } from 'vitest'
import { expectRefused, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const CIRCLES = spec(`
nodes:
  A: { use: tool, tool: mine, args: { to: x }, on: { done: A, error: E } }
  B: { use: pass, on: { done: E } }
  E: { final: success }
tools:
  mine: { use: ./mine.mjs#mine }
escape:
  ladder: [review, stop]
  alternatives: { A: [B] }
  review: { deadline: 1h, to: team, escalate: [{ to: lead, after: 10m }] }
`)

const TOOL = `export const mine = { name: 'mine', description: '', parameters: {}, effects: 'read', idempotent: true, timeout: 1000, parse: args => args, execute: async () => 'same' }\n`

async function asked() {
  const desk = newDesk()
  desk.file('mine.mjs', TOOL)
  expect(await desk.type('run', desk.file('circles.yaml', CIRCLES), '--thread', 't')).toMatchObject(
    { code: 3 },
  )
  return desk
}

const CONFIRMED = spec(`
nodes:
  A: { use: tool, tool: mine, args: { to: x }, on: { done: E } }
  E: { final: success }
tools:
  mine: { use: ./mine.mjs#mine }
`)

describe('the approval of a call', () => {
  it('lists the node once, and prints the command that answers', async () => {
    const desk = newDesk()
    desk.file('mine.mjs', TOOL.replace('parse:', "confirm: () => 'Go on?', parse:"))
    const { out } = await desk.type('run', desk.file('spec.yaml', CONFIRMED), '--thread', 't')
    expect(out).toMatch(
      /\n +next +escapement show t +shows the evidence and the possible answers\n +escapement resume t --decision approved +answers the question\n$/,
    )
    const listed = JSON.parse((await desk.type('threads', '--json')).out)
    expect(listed).toMatchObject([{ thread: 't', detail: 'A' }])
  })
})

describe('a question of the ladder', () => {
  it('is shown with its laps, its answers and its next recipient', async () => {
    const desk = await asked()
    const { out } = await desk.type('show', 't')
    expect(out).toMatch(/^\? review#1 asks team: The agent is stuck/m)
    expect(out).toMatch(/laps +3, exactly the same\n +3: mine \{"to":"x"\} → "same"/)
    expect(out).toMatch(/--rung alternative --to B +→ B, then B#1\n/)
    expect(out).toMatch(/else +at \S+ \S+Z → the end: stopped \(review\.expired\)\n/)
    expect(out).toMatch(/moves on to lead at \S+ \S+Z\n/)
    const { reviews } = JSON.parse((await desk.type('show', 't', '--json')).out) as {
      reviews: { id: string; options: { rung?: string; leads: unknown }[] }[]
    }
    expect(reviews.map(({ id }) => id)).toEqual(['review#1'])
    expect(reviews[0]?.options).toContainEqual({
      decision: 'approved',
      rung: 'alternative',
      to: 'B',
      leads: { in: ['B'], next: ['B#1'] },
    })
  })

  it('accepts a rung as its answer, and rejects one that does not apply', async () => {
    const desk = await asked()
    expectRefused(
      await desk.type('resume', 't', '--rung', 'rollback'),
      /refused: question 'review#1' cannot be answered with rollback: no savepoint is available/,
    )
    expectRefused(
      await desk.type('resume', 't', '--decision', 'applied'),
      /refused: question 'review#1' expects one of: approved, dismiss, rejected, stop/,
    )
    for (const answer of [
      '--decision rejected --to B',
      '--rung rollback --to B',
      '--decision approved --output 1',
    ])
      expectRefused(
        await desk.type('resume', 't', ...answer.split(' ')),
        /refused: question 'review#1' does not take (to|output) with '(approved|rejected)'/,
      )
    expectRefused(
      await desk.type('resume', 't', '--to', 'B'),
      /an answer needs --decision or --rung/,
    )
    expect((await desk.type('resume', 't', '--rung', 'sideways')).err).toMatch(
      /Allowed choices are rethink, alternative, rollback/,
    )
    expect(await desk.type('resume', 't', '--rung', 'alternative', '--to', 'B')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^✓ t: success \(goal\)/),
    })
  })

  it('may be answered by ending the thread, which does not count as a stop by the escape mechanism', async () => {
    const desk = await asked()
    expect(await desk.type('resume', 't', '--decision', 'stop')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^✗ t: stopped \(review\.stopped\)/),
    })
  })

  it('is not asked without a terminal if the policy has another ladder for that', async () => {
    const desk = newDesk()
    desk.file('mine.mjs', TOOL)
    const ladder = '  ladder: [review, stop]\n'
    const file = CIRCLES.replace(ladder, `${ladder}  unattended: { ladder: [stop] }\n`)
    const run = await desk.type('run', desk.file('circles.yaml', file), '--thread', 't')
    expect(run).toMatchObject({ code: 4, out: expect.stringContaining('t: stopped') })
  })

  it('may be answered by dismissing the repetition', async () => {
    const desk = await asked()
    // Nothing stops it now but the limit of its steps.
    expect(await desk.type('resume', 't', '--decision', 'dismiss')).toMatchObject({ code: 3 })
    expect((await desk.type('show', 't')).out).toMatch(
      /because +budget \(steps\): the limit of 100 steps is reached/,
    )
  })

  it('shows the thresholds that a dismissal has raised', async () => {
    const desk = await asked()
    await desk.type('resume', 't', '--decision', 'dismiss')
    const raised = /raised:? +\w+\.\w+ for \w+: 6 instead of 3, by dismissals/
    expect((await desk.type('show', 't')).out).toMatch(raised)
    expect((await desk.type('policy', 't')).out).toMatch(raised)
    expect(JSON.parse((await desk.type('policy', 't', '--json')).out).raised).toHaveLength(1)
  })
})
