/** `scopes`, and a job that a scheduler starts repeatedly, each time in a new process. */
import { describe, expect, it } from 'vitest'
import { expectRefused, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const JOB = spec(`
nodes:
  A: { use: tool, tool: api, on: { done: A } }
tools: { api: { use: flaky, with: { p: 0, result: nothing new } } }
limits: { steps: 40, scopes: { job: { toolCalls: 40 } } }
escape: { ladder: [review, stop], review: { deadline: 1h } }
accept: [cycle-without-exit nodes.A]
`)

async function started() {
  const desk = newDesk()
  desk.file('job.yaml', JOB)
  return {
    ...desk,
    run: (...args: readonly string[]) => desk.type('run', 'job.yaml', '--json', ...args),
  }
}

describe('a job that is started repeatedly', { timeout: 30_000 }, () => {
  it('is stopped at its third loop with the evidence of earlier threads, and then not started', async () => {
    const { run, type } = await started()
    const first = JSON.parse((await run('--thread', 'one')).out)
    expect(first).toMatchObject({ status: 'waiting', questions: [{ id: 'review#1' }] })
    expect(JSON.parse((await run('--thread', 'two')).out)).toMatchObject({
      outcome: 'stopped',
      reason: 'loop',
      escapes: [{ because: [{ earlier: [{ thread: 'one' }] }] }],
    })
    const third = await run('--thread', 'three')
    expect({ code: third.code, ...JSON.parse(third.out) }).toMatchObject({
      code: 4,
      outcome: 'stopped',
      reason: 'scope.held',
      spent: { toolCalls: 0 },
    })
    expect((await type('resume', 'one', '--decision', 'stop')).code).toBe(1)
    const fourth = JSON.parse((await run('--thread', 'four')).out)
    expect(fourth).toMatchObject({
      status: 'waiting',
      escapes: [
        {
          route: { rung: 'review' },
          because: [{ scope: 'job', earlier: [{ thread: 'one' }, { thread: 'two' }] }],
        },
      ],
    })
    expect((await type('show', 'four')).out).toMatch(
      /before {4}met by one at its event \d+, \S+ \S+Z, escaped by review\n {12}met by two at its event/,
    )
    expect((await type('resume', 'four')).out).toContain('(met before by one, two) → review')
    const scopes = await type('scopes')
    expect(scopes.out).toMatch(
      /^SCOPE +THREADS +WINDOW +SPENT\njob=trial +3 +1d +\d+ steps · 9\/40 tool calls · \S+\njob=trial {2}loop: .*; met by one, two, four\njob=trial {2}held: thread four asks \(review#1\): .*\n$/,
    )
    expect(await type('scopes', '--release', 'job=trial')).toMatchObject({
      code: 0,
      out: 'no scopes\n',
    })
    expect(JSON.parse((await run('--thread', 'five')).out)).toMatchObject({
      status: 'waiting',
      spent: { toolCalls: 3 },
    })
  })

  it('uses a given key, and rejects an invalid scope', async () => {
    const { run, type } = await started()
    await run('--thread', 'one', '--scope', 'job=eu')
    expect(JSON.parse((await type('scopes', '--json')).out)).toMatchObject([
      { scope: 'job', key: 'eu', threads: ['one'] },
    ])
    expectRefused(await run('--scope', 'jbo=eu'), "unknown scope 'jbo'; known scopes: job")
    expectRefused(await run('--scope', 'job'), "--scope 'job': expected SCOPE=KEY")
    expectRefused(
      await run('--thread', 'one', '--scope', 'job=us'),
      '--scope is only for a new thread',
    )
    expectRefused(
      await type('scopes', '--release', 'job=us'),
      "unknown scope 'job=us'; known scopes: job=eu",
    )
  })
})
