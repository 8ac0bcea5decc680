/** `escapement sim`: exit codes, a stored thread, worker threads, and bad input. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { draw, PIPE } from '../../src/faces/cli/print/layout.ts'
import { monteBlocks } from '../../src/faces/cli/print/simulate.ts'
import { loadScenario } from '../../src/simulate.ts'
import type { PolicyFigures } from '../../src/simulate/monte/figures.ts'
import type { MonteReport } from '../../src/simulate/monte/report.ts'
import { expectRefused, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const GRAPH = spec(`
nodes:
  A: { use: tool, tool: search, args: {}, out: {}, on: { done: E } }
  E: { final: success }
tools:
  search: { use: flaky, with: { p: 0 } }
`)

const scenario = (rest: string) => `scenario: 1
name: search
graph: ./graph.yaml
seeds: 6
${rest}`

/** A folder with the graph, a scenario and a fake system. */
function deskWith(rest: string, system = 'export const shop = () => ({})') {
  const desk = newDesk()
  desk.file('graph.yaml', GRAPH)
  desk.file('system.mjs', system)
  desk.file('search.scenario.yaml', scenario(rest))
  return { ...desk, sim: (...args: string[]) => desk.type('sim', ...args) }
}

const DOWN =
  'faults: [{ id: down, on: tool:search, how: { first: 1 }, what: { error: transient } }]'

describe('sim run', () => {
  test('stores an ordinary thread that show prints', async () => {
    const desk = deskWith(DOWN)
    const { code, out } = await desk.sim('run', 'search.scenario.yaml', '--seed', '3')
    expect(out).toMatch(/^success {2}seed 3, policy default: the goal is reached\n/)
    expect(out).toMatch(/tool:search call 1 {2}down/)
    expect(code).toBe(0)
    const shown = await desk.type('show', 'search-default-3')
    expect(shown.out).toMatch(/search failed, attempt 1: 503/)
  })

  test('of an edited scenario stores the run beside the earlier one, and names it', async () => {
    const desk = deskWith(DOWN)
    const run = (...more: readonly string[]) =>
      desk.sim('run', 'search.scenario.yaml', '--seed', '3', ...more)
    expect((await run()).out).toMatch(/next {2}.*escapement show search-default-3$/m)
    const again = await run()
    expect([again.code, again.out]).toEqual([
      0,
      expect.stringMatching(/next {2}.*escapement show search-default-3-2$/m),
    ])
    expect((await desk.type('show', 'search-default-3-2')).code).toBe(0)
    expect(JSON.parse((await run('--json')).out).thread).toBe('search-default-3-3')
    expectRefused(
      await run('--thread', 'search-default-3'),
      "thread 'search-default-3' already exists",
    )
  })

  test.each([
    ['', '--thread expects a name'],
    [' ', '--thread expects a name'],
    ['a\u202eb', String.raw`the name 'a\u202eb' has control characters`],
    ['a\nb', String.raw`the name 'a\nb' has control characters`],
    ['a/A#1/1', "the name 'a/A#1/1' is reserved for a child thread"],
  ])('refuses the name %j as `run` does, before the run', async (name, message) => {
    const desk = deskWith(DOWN)
    expectRefused(await desk.sim('run', 'search.scenario.yaml', '--thread', name), message)
    expectRefused(await desk.type('run', 'graph.yaml', '--thread', name), message)
    expect((await desk.type('threads')).out).toContain('no threads')
  })

  test('refuses the name of a scenario that no thread can have', async () => {
    const desk = deskWith(DOWN)
    const file = desk.file(
      'named.scenario.yaml',
      scenario(DOWN).replace('name: search', String.raw`name: "a\nb"`),
    )
    const message = String.raw`the name 'a\nb-default-1' has control characters`
    expectRefused(await desk.sim('run', file), message)
  })

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('ends at %s beside a tool that never settles', async (signal, code) => {
    const desk = deskWith('')
    desk.file(
      'hang.mjs',
      "export const hang = { name: 'hang', description: '', parameters: {}, effects: 'read', timeout: 600_000, parse: args => args, execute: () => { console.log('called'); return new Promise(() => {}) } }\n",
    )
    desk.file('graph.yaml', GRAPH.replace('flaky, with: { p: 0 }', './hang.mjs#hang'))
    const running = desk.start('sim', 'run', 'search.scenario.yaml')
    await running.line('called')
    running.child.kill(signal)
    expect((await running.ended).code).toBe(code)
  })

  test('warns of a tool that writes and is called for real, in each command', async () => {
    const desk = deskWith('system: ./system.mjs#shop')
    desk.file(
      'mail.mjs',
      "export const mail = { name: 'mail', description: '', parameters: {}, effects: 'write', idempotent: true, timeout: 100, parse: args => args, execute: async () => 1 }\n",
    )
    desk.file(
      'graph.yaml',
      `${GRAPH.replace('on: { done: E }', 'on: { done: M }').replace('  E:', '  M: { use: tool, tool: mail, args: {}, out: {}, on: { done: E } }\n  E:')}  mail: { use: ./mail.mjs#mail }\n`,
    )
    const warning = 'warning: tools.mail writes, and each run calls it for real'
    const file = 'search.scenario.yaml'
    const one = ['--workers', '1']
    for (const args of [
      ['run', file],
      ['monte', file, '--seeds', '2', ...one],
      ['explore', file, ...one],
      ['shrink', file],
    ])
      expect((await desk.sim(...args)).err).toContain(warning)
    desk.file('fake.mjs', 'export const shop = () => ({ tools: { mail: () => 1 } })\n')
    desk.file('search.scenario.yaml', scenario('system: ./fake.mjs#shop'))
    expect((await desk.sim('monte', file, '--seeds', '2', ...one)).err).not.toContain('warning')
  })

  test('stores secrets redacted, as run does', async () => {
    const desk = deskWith(
      'system: ./system.mjs#shop',
      `export const shop = () => ({ tools: { search: () => ({ header: 'Authorization: Bearer abcdefgh12345678ijklmnop' }) } })`,
    )
    await desk.sim('run', 'search.scenario.yaml', '--seed', '3')
    const stored = (await desk.type('export', 'search-default-3')).out
    expect(stored).toContain('Authorization')
    expect(stored).not.toContain('abcdefgh12345678ijklmnop')
  })

  test('shows no secret that a fake system reveals, in any mode', async () => {
    const key = 'Authorization: Bearer abcdefgh12345678ijklmnop'
    const system = `export const shop = () => ({ tools: { search: () => { throw Object.assign(new Error('401 ${key}'), { status: 401 }) } } })`
    const desk = deskWith('system: ./system.mjs#shop', system)
    const file = 'search.scenario.yaml'
    const one = ['--workers', '1', '--json']
    const outputs = [
      await desk.sim(
        'monte',
        file,
        '--seeds',
        '3',
        '--report',
        'r.html',
        '--report',
        'r.md',
        ...one,
      ),
      await desk.sim('explore', file, ...one),
      await desk.sim('shrink', file, '--json'),
    ].map(({ out }) => out)
    expect(readdirSync(desk.folder)).toEqual(expect.arrayContaining(['r.html', 'r.md']))
    const written = readdirSync(desk.folder).map(name => readFileSync(join(desk.folder, name)))
    expect(outputs.join('')).toContain('[redacted]')
    expect(outputs.join('')).not.toContain('abcdefgh12345678')
    expect(written.filter(text => text.includes('abcdefgh12345678'))).toHaveLength(1)
  })

  test('prints JSON, and has exit code 1 for a violated condition', async () => {
    const desk = deskWith(`${DOWN}\noracle: { never: [injected.down > 0] }`)
    const { code, out } = await desk.sim('run', 'search.scenario.yaml', '--json')
    expect(JSON.parse(out)).toMatchObject({
      outcome: 'success',
      violations: [{ rule: 'never', condition: 'injected.down > 0' }],
    })
    expect(code).toBe(1)
  })
})

describe('sim monte', () => {
  const monte = (rest: string, ...args: string[]) =>
    deskWith(rest).sim('monte', 'search.scenario.yaml', '--workers', '1', ...args)

  const reportOf = async (rest: string) => {
    const { out } = await monte(rest)
    return { out, report: JSON.parse((await monte(rest, '--json')).out) as MonteReport }
  }

  test('exit code 0: the gates hold, and the figures have intervals', async () => {
    const rest = `${DOWN}
policies: { default: {}, once: { retry: { attempts: 1 } } }
gates: [default.success.count == 6, diff.once.success.difference == 1.0]`
    const { code, out, err } = await monte(rest)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/default {2}100\.0 % \[61\.0, 100\.0\]/)
    expect(out).toMatch(/default against once: goal \+100\.0 points/)
    expect(out).toMatch(/✓ default\.success\.count == 6/)
    expect(out).toMatch(/scripted models and simulated faults; not comparable/)
  })

  test('wrong options end before the first run', async () => {
    const into = join('missing', 'report.html')
    const { code, err } = await monte(DOWN, '--report', into)
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('--report missing: folder not found'),
    })
    const { sim } = deskWith(DOWN)
    expect(await sim('monte', 'search.scenario.yaml', '--workers', '0')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--workers expects at least 1'),
    })
  })

  test('the column of loops has a share only where there is one', async () => {
    const rest = `${DOWN}\npolicies: { default: {}, once: { retry: { attempts: 1 } } }`
    const { report, out } = await reportOf(rest)
    expect(out).toMatch(/VIRTUAL TIME$/m)
    const found = { count: 3, of: 6, rate: 0.5, low: 0.2, high: 0.8 }
    const { default: tested, once } = report.policies as Record<'default' | 'once', PolicyFigures>
    const table = (other: PolicyFigures) => {
      const blocks = monteBlocks(
        { ...report, policies: { default: { ...tested, loops: found }, once: other } },
        { runs: 1, steps: 1, seconds: 1 },
      )
      return draw(blocks, PIPE)
    }
    expect(table(once)).toMatch(/LOOPS FOUND\ndefault .* 50\.0 %\nonce .* {2}–$/m)
    expect(table({ ...once, trueLoops: found })).toMatch(/LOOPS FOUND\n.*\nonce .* {2}0$/m)
  })

  test('exit code 1: a gate does not hold', async () => {
    const { code, out } = await monte(`${DOWN}\ngates: [default.success.low >= 0.99]`)
    expect(out).toMatch(
      /✗ default\.success\.low >= 0\.99 \(it is 0\.61; the rate itself is 1: more/,
    )
    expect(code).toBe(1)
  })

  test('exit code 3: a condition that should be true sometimes never is', async () => {
    const { code, out } = await monte(`oracle: { sometimes: ["'loop' in findings"] }`)
    expect(out).toMatch(/VACUOUS never true: 'loop' in findings/)
    expect(code).toBe(3)
  })

  test('exit code 4: a seed gives two journals', async () => {
    const system = 'export const shop = () => ({ tools: { search: () => Math.random() } })'
    const desk = deskWith('system: ./system.mjs#shop', system)
    const { code, out } = await desk.sim('monte', 'search.scenario.yaml', '--workers', '1')
    expect(out).toMatch(/NONDETERMINISTIC seed 1 gave two journals/)
    expect(out).toMatch(
      /event \d+, tool\.done search: event\.result is 0\.\d+ in one journal, and 0\.\d+ in the other/,
    )
    expect(code).toBe(4)
  })

  test('exit code 130: an interrupted command ends at once', async () => {
    const system = "export const shop = () => (console.log('ready'), {})"
    const desk = deskWith('system: ./system.mjs#shop', system)
    const running = desk.start('sim', 'monte', 'search.scenario.yaml', '--seeds', '200000')
    await running.line('ready', 5)
    running.child.kill('SIGINT')
    const { code, err } = await running.ended
    expect(err).toMatch(/interrupted by the user/)
    expect(code).toBe(130)
  })

  test('writes a report as JSON', async () => {
    const desk = deskWith(DOWN)
    await desk.sim('monte', 'search.scenario.yaml', '--seeds', '5-8', '--report', 'out.json')
    const { readFileSync } = await import('node:fs')
    const report = JSON.parse(readFileSync(`${desk.folder}/out.json`, 'utf8'))
    expect(report).toMatchObject({ verdict: 'met', seeds: 4, tested: 'default' })
    expect(report.policies.default.success).toMatchObject({ count: 4, of: 4, rate: 1 })
  })
})

describe('bad input is refused with its place', () => {
  const refused = async (rest: string, ...expected: (string | RegExp)[]) =>
    expectRefused(await deskWith(rest).sim('monte', 'search.scenario.yaml'), ...expected)

  test('an unknown target', () =>
    refused(
      'faults: [{ id: a, on: tool:serch, what: hang }]',
      "search.scenario.yaml:5:19: faults[0].on: the graph has no tool 'serch'; did you mean 'search'?",
    ))

  test('an impossible process', () =>
    refused(
      'faults: [{ id: a, on: tool:search, how: { outage: { at: 1m, for: 0s } }, what: hang }]',
      'faults[0].how.outage.for: expected a duration above 0',
    ))

  test('a condition with an error, at its column', () =>
    refused(
      'oracle: { always: [steps < ] }',
      /oracle\.always\[0\]: CEL: .* at column \d+ of `steps <`/,
    ))

  test('a gate that names an unknown figure, an unknown policy, or is a value', async () => {
    await refused(
      'gates: [default.sucess.low >= 0.9]',
      "search.scenario.yaml:5:9: gates[0]: `default.sucess.low >= 0.9`: the figure sucess is unknown; did you mean 'success'?",
    )
    await refused(
      'policies: { default: {}, once: {} }\ngates: [diff.onse.goal.low >= 0]',
      "the figure onse is unknown; did you mean 'once'?",
    )
    await refused('gates: [default.goal.low]', 'is a value; expected a condition')
  })

  test('a newer version', async () => {
    const desk = deskWith('')
    desk.file('newer.scenario.yaml', 'scenario: 2\nname: x\ngraph: ./graph.yaml\n')
    expectRefused(
      await desk.sim('monte', 'newer.scenario.yaml'),
      'newer.scenario.yaml:1:1: scenario: is written for version 2',
    )
  })

  test('an oracle that throws', () =>
    refused(
      'oracle: { always: [context.missing == 1] }',
      /policy default, seed \d+: the condition `context.missing == 1` failed after event 0: No such key: missing/,
    ))

  test('a policy with a fault', () =>
    refused(
      'policies: { default: { limits: { stepz: 3 } } }',
      "policies.default: limits.stepz: is unknown; did you mean 'steps'?",
    ))

  test('a graph, a system and a script that are missing', async () => {
    await refused('system: ./other.mjs#shop', "system: file './other.mjs' not found")
    await refused('models: { fast: ./a.yaml }', "models.fast: file './a.yaml' not found")
    const desk = deskWith('')
    desk.file('no.scenario.yaml', 'scenario: 1\nname: x\ngraph: ./no.yaml\n')
    expectRefused(await desk.sim('monte', 'no.scenario.yaml'), 'no.yaml: file not found')
  })

  test.each(['0', '9-1', '-3', 'x', '1000001', '1-1000001', '1-99999999999999999999'])(
    'the seeds %s',
    async seeds => {
      expectRefused(
        await deskWith('').sim('monte', 'search.scenario.yaml', `--seeds=${seeds}`),
        `--seeds '${seeds}': expected a number from 1 to 1000000, or FIRST-LAST of at most as many seeds`,
      )
    },
  )

  test('reports in another form', async () => {
    const desk = deskWith('')
    expectRefused(
      await desk.sim('monte', 'search.scenario.yaml', '--report', 'out.pdf'),
      '--report out.pdf: expected a file ending in .json, .html, .md, .xml',
    )
    expectRefused(
      await desk.sim('monte', 'search.scenario.yaml', '--inspector', 'http://127.0.0.1:4100'),
      '--inspector links the runs of an HTML report: expected --report FILE.html',
    )
    expectRefused(
      await desk.sim('monte', 'search.scenario.yaml', '--report', 'a.html', '--inspector', '4100'),
      "--inspector '4100': expected a URL",
    )
    expectRefused(
      await desk.sim('run', 'search.scenario.yaml', '--policy', 'other'),
      "--policy 'other': expected one of default",
    )
  })

  test('a fake system that never answers', async () => {
    const system = 'export const shop = () => ({ tools: { search: () => new Promise(() => {}) } })'
    const desk = deskWith('system: ./system.mjs#shop', system)
    expectRefused(
      await desk.sim('monte', 'search.scenario.yaml', '--seeds', '1'),
      "the tool 'search' of the fake system did not settle within 2 s of real time",
    )
  })
})

describe('sim explore and sim shrink', () => {
  /** The way out of A reaches the goal without the search. */
  const BROKEN = GRAPH.replace(
    'tools:',
    `  B: { use: pass, on: { done: E } }
escape: { alternatives: { A: [B] } }
retry: { attempts: 1 }
tools:`,
  )
  const system = `export const shop = () => {
  let found = 0
  return { tools: { search: () => ({ found: ++found }) }, correct: () => found > 0 }
}`

  const broken = (rest: string) => {
    const desk = deskWith(`system: ./system.mjs#shop\n${rest}`, system)
    desk.file('graph.yaml', BROKEN)
    return desk
  }

  test('explore says what it covered, and has exit code 1 for a failure', async () => {
    const desk = broken('')
    const { code, out } = await desk.sim('explore', 'search.scenario.yaml', '--workers', '1')
    expect(out).toMatch(/✗ 1 failure in all tapes with at most 1 fault among the first 12 calls/)
    expect(out).toMatch(/silently wrong · goal {2}\d tapes?/)
    expect(code).toBe(1)
    const fine = deskWith('')
    const verified = await fine.sim('explore', 'search.scenario.yaml', '--workers', '1')
    expect(verified.out).toMatch(/^✓ verified all tapes with at most 1 fault/)
    expect(verified.code).toBe(0)
  })

  test('shrink writes a scenario that fails in the same way, a test, and a token', async () => {
    const desk = broken(DOWN)
    const { code, out } = await desk.sim('shrink', 'search.scenario.yaml', '--seed', '2', '--json')
    const { token, files } = JSON.parse(out)
    expect(code).toBe(1)
    expect(files).toEqual(['search-2.scenario.yaml', 'search-2.repro.test.ts'])
    const again = await desk.sim('run', 'search-2.scenario.yaml', '--seed', '2', '--json')
    expect(JSON.parse(again.out)).toMatchObject({ outcome: 'silently wrong' })
    const fromToken = await desk.sim('run', token, '--thread', 'token', '--json')
    expect(JSON.parse(fromToken.out)).toMatchObject({ outcome: 'silently wrong', seed: 2 })
    expectRefused(
      await desk.sim('shrink', 'search.scenario.yaml', '--seed', '2'),
      'search-2 already exists; --out names another folder',
    )
    const made = [
      'shrink',
      'search.scenario.yaml',
      '--seed',
      '2',
      '--out',
      'new/failures',
      '--json',
    ]
    expect(JSON.parse((await desk.sim(...made)).out).files).toEqual([
      'new/failures/search-2.scenario.yaml',
      'new/failures/search-2.repro.test.ts',
    ])
    expectRefused(
      await desk.sim('explore', 'search.scenario.yaml', '--calls', '0'),
      '--calls expects at least 1',
    )
    expectRefused(await desk.sim('run', 'esc1:abc'), '(the token): is cut or was changed')
  })
})

test('shrink keeps the faults whose number a condition reads', async () => {
  const rest = `
system: ./system.mjs#shop
oracle: { sometimes: [injected.slow > 0], never: ['injected.down > 0'] }
vary: { faults.other.what.latency: [1s, 2s] }
faults:
  - { id: slow, on: tool:search, what: { latency: 1s } }
  - { id: down, on: tool:search, how: { first: 1 }, what: { error: transient } }
  - { id: other, on: tool:search, when: { afterFault: down }, what: { latency: 1s } }
`
  const desk = deskWith(rest)
  expect((await desk.sim('shrink', 'search.scenario.yaml')).code).toBe(1)
  const { out, err } = await desk.sim('run', 'search-1.scenario.yaml', '--json')
  expect(err).toBe('')
  expect(JSON.parse(out).violations).toHaveLength(1)
  expect((await desk.sim('monte', 'search-1.scenario.yaml', '--seeds', '1')).err).not.toMatch(
    /error/,
  )
  const { subjects } = await loadScenario(join(desk.folder, 'search-1.scenario.yaml'))
  expect(subjects.default?.scenario.faults.map(({ id }) => id)).toEqual(['down', 'slow'])
})

test('a text of a tool cannot become code of the test that shrink writes', async () => {
  const text = 'down\\r globalThis.hacked = 1 \\u2028 globalThis.hacked = 2'
  const system = `export const shop = () => ({ tools: { search: () => { throw Object.assign(new Error('${text}'), { status: 400 }) } } })`
  const desk = deskWith('system: ./system.mjs#shop\noracle: { never: [toolCalls > 0] }', system)
  expect((await desk.sim('shrink', 'search.scenario.yaml')).code).toBe(1)
  const written = readFileSync(join(desk.folder, 'search-1.repro.test.ts'), 'utf8')
  expect(written.split(/[\r\n\u2028\u2029]/).filter(line => line.includes('hacked'))).toEqual([
    expect.stringMatching(/^\/\/ /),
  ])
})

describe('sim replay', () => {
  test('takes the way of a stored thread, and another one with a fault', async () => {
    const desk = deskWith('faults: [{ id: down, on: tool:search, what: { error: persistent } }]')
    await desk.type('run', 'graph.yaml', '--thread', 'real', '--seed', '1')
    const same = await desk.sim('replay', 'real')
    expect(same.out).toMatch(/^success .*the goal is reached\n/)
    expect(same.out).toMatch(/every event is that of the journal\n$/)
    expect(same.code).toBe(0)
    const other = await desk.sim('replay', 'real', '--scenario', 'search.scenario.yaml')
    expect(other.out).toMatch(/event \d+ is the first that differs from the journal/)
    expect(other.out).toMatch(/stopped clean/)
    expect((await desk.type('show', 'real')).out).toMatch(/real: success/)
    expectRefused(await desk.sim('replay', 'other'), "thread 'other' does not exist in this store")
  })
})
