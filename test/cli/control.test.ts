/** Commands that control a thread: breakpoints, steps, faults, dismissals and stops. */
import { describe, expect, it } from 'vitest'
import { newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const TWO = spec(`
nodes:
  A: { use: tool, tool: one, on: { done: B, error: F } }
  B: { use: tool, tool: one, on: { done: E, error: F } }
  E: { final: success }
  F: { final: failure }
tools: { one: { use: flaky, with: { p: 0 } } }
retry: { attempts: 1 }
`)

describe('control', () => {
  it('pauses before a breakpoint, steps, and continues with resume', async () => {
    const desk = newDesk()
    desk.file('two.yaml', TWO)
    const set = await desk.type('breakpoints', '--set', 'trial#A')
    expect(set).toMatchObject({ code: 0, out: 'trial#A\n' })
    const run = await desk.type('run', 'two.yaml', '--thread', 't')
    expect(run.code).toBe(3)
    expect(run.out).toContain('paused before A#1')
    expect((await desk.type('step', 't')).code).toBe(3)
    expect((await desk.type('show', 't')).out).toContain('single step')
    expect((await desk.type('resume', 't')).code).toBe(0)
    expect((await desk.type('breakpoints', '--clear', 'trial#A')).out).toBe('no breakpoints\n')
    expect((await desk.type('breakpoints', '--set', 'trial')).code).toBe(2)
  })

  it('steps to a state, also to one where a run ends, and refuses an unknown one', async () => {
    const desk = newDesk()
    desk.file('two.yaml', TWO)
    await desk.type('breakpoints', '--set', 'trial#A')
    await desk.type('run', 'two.yaml', '--thread', 't')
    const refused = await desk.type('step', 't', '--until', 'B', '--until', 'nowhere')
    expect(refused.code).toBe(2)
    const states = 'trial.working, A, B, review, stopped, cancelled, E, F'
    expect(refused.err).toContain(`the graph has no state 'nowhere'; its states: ${states}`)
    expect((await desk.type('show', 't')).out).toContain('paused before A#1')
    const step = await desk.type('step', 't', '--until', 'B', '--until', 'stopped')
    expect([step.code, step.out]).toEqual([3, expect.stringContaining('paused before B#1')])
  })

  it('refuses a node that the graph of the stored threads does not perform', async () => {
    const desk = newDesk()
    desk.file('two.yaml', TWO)
    const early = await desk.type('breakpoints', '--set', 'trial#nope')
    expect(early.code).toBe(0)
    expect(early.err).toContain("the store has no thread of the graph 'trial' yet")
    await desk.type('run', 'two.yaml', '--thread', 't')
    const refused = await desk.type('breakpoints', '--set', 'trial#nope')
    expect(refused.code).toBe(2)
    expect(refused.err).toContain("graph 'trial' performs no node 'nope'; its nodes: A, B")
    expect((await desk.type('breakpoints', '--clear', 'trial#nope')).out).toBe('no breakpoints\n')
    expect((await desk.type('breakpoints', '--set', 'trial#B')).out).toBe('trial#B\n')
  })

  it('pauses only the thread that a breakpoint names', async () => {
    const desk = newDesk()
    desk.file('two.yaml', TWO)
    const set = await desk.type('breakpoints', '--set', 'trial#A@u')
    expect(set).toMatchObject({ code: 0, out: 'trial#A in u\n' })
    expect((await desk.type('run', 'two.yaml', '--thread', 't')).code).toBe(0)
    expect((await desk.type('run', 'two.yaml', '--thread', 'u')).code).toBe(3)
  })

  it('pauses on a condition, which names the event', async () => {
    const desk = newDesk()
    desk.file('two.yaml', TWO)
    const when = "event.type == 'tool.called'"
    const set = await desk.type('breakpoints', '--set', 'trial@t', '--when', when)
    expect(set).toMatchObject({ code: 0, out: `trial when ${when} in t\n` })
    const run = await desk.type('run', 'two.yaml', '--thread', 't')
    expect(run.code).toBe(3)
    expect(run.out).toContain(`paused after event 2, which met ${when}`)
    expect((await desk.type('show', 't')).out).toContain(`breakpoint: paused, event 2 met ${when}`)
    // The last node ends, and no other one has to wait.
    expect((await desk.type('resume', 't')).code).toBe(0)
    const cleared = await desk.type('breakpoints', '--clear', 'trial@t', '--when', when)
    expect(cleared.out).toBe('no breakpoints\n')
  })

  it('refuses a condition that is not valid, with the position', async () => {
    const desk = newDesk()
    const refused = await desk.type('breakpoints', '--set', 'trial', '--when', 'spend.usd > 1')
    expect(refused.code).toBe(2)
    expect(refused.err).toContain('Unknown variable: spend at column 1')
    expect((await desk.type('breakpoints', '--when', 'true')).code).toBe(2)
    expect((await desk.type('breakpoints', '--set', 'a#b', '--when', 'true')).code).toBe(2)
  })

  it('answers the next call of a tool in place of the tool', async () => {
    const desk = newDesk()
    desk.file('two.yaml', TWO)
    await desk.type('breakpoints', '--set', 'trial#A@t')
    await desk.type('run', 'two.yaml', '--thread', 't')
    const inject = ['inject', 't', '--tool', 'one', '--result']
    expect(await desk.type(...inject, '{')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--result is not JSON'),
    })
    expect((await desk.type(...inject, '7', '--class', 'transient')).code).toBe(2)
    expect((await desk.type(...inject, '{"price": 7}')).code).toBe(3)
    await desk.type('resume', 't')
    const { out } = await desk.type('show', 't')
    expect(out).toContain('answer injected into one ×1')
    expect(out).toContain('one (by a person) → {"price": 7}')
  })

  it('forks a thread that starts paused, with an answer', async () => {
    const desk = newDesk()
    desk.file('two.yaml', TWO)
    await desk.type('run', 'two.yaml', '--thread', 't')
    const fork = ['fork', 't', '--at', '0', '--effects', 'live', '--as', 'f', '--paused']
    expect((await desk.type(...fork, '--answer', 'one=7')).err).toContain('expected tool:NAME=JSON')
    expect((await desk.type(...fork, '--set-channel', 'none=7')).err).toContain('channels.none')
    for (const [option, text, cited] of [
      ['--answer', 'tool:one={', '--answer tool:one is not JSON'],
      ['--answer', 'tool:one=@none', '--answer tool:one @none: file not found'],
      ['--set-channel', 'goal={', '--set-channel goal is not JSON'],
    ] as const) {
      const said = await desk.type(...fork, option, text)
      expect(said).toMatchObject({ code: 2, err: expect.stringContaining(cited) })
    }
    expect((await desk.type(...fork, '--answer', 'tool:one=7')).code).toBe(0)
    expect((await desk.type('show', 'f')).out).toContain('f: paused')
    expect((await desk.type('resume', 'f')).code).toBe(0)
    expect((await desk.type('show', 'f')).out).toContain('one (by a person) → 7')
  })

  it('injects a fault, and refuses what does not apply', async () => {
    const desk = newDesk()
    desk.file('two.yaml', TWO)
    await desk.type('breakpoints', '--set', 'trial#B')
    await desk.type('run', 'two.yaml', '--thread', 't')
    expect((await desk.type('inject', 't')).code).toBe(2)
    expect((await desk.type('dismiss', 't')).err).toContain('no such finding')
    expect((await desk.type('escape', 't', '--rung', 'rollback')).err).toContain('no savepoint')
    expect((await desk.type('pause', 't')).err).toContain('paused already')
    const args = ['--class', 'persistent', '--message', 'HTTP 500']
    expect((await desk.type('inject', 't', '--tool', 'one', ...args)).code).toBe(3)
    expect((await desk.type('resume', 't')).code).toBe(1)
    expect((await desk.type('show', 't')).out).toContain('HTTP 500')
    await desk.type('run', 'two.yaml', '--thread', 'u')
    expect((await desk.type('stop', 'u', '--reason', 'wrong customer')).code).toBe(4)
  })
})
