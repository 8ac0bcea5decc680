/** Exit codes. Code 5 (another process drives the thread) is tested in test/durability. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { tokenOf } from '../../src/host/simulation/token.ts'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { here } from '../durability/process.ts'
import { expectRefused, GOOD, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const FAILED = GOOD.replace('final: success', 'final: failure')
const ASKS = GOOD.replace(
  'use: pass, on: { done: E }',
  'use: human, question: Go on?, deadline: 1h, on: { human.approved: E, human.rejected: E, human.expired: E }',
)
/** Goes round until something happens that never does. */
const ROUND = spec(`
channels: { n: { type: integer, default: 0 } }
nodes:
  A: { use: pass, when: { over: n > 5 }, on: { done: A, done.over: E } }
  E: { final: success }
`)
const BACKOFF = spec(`
nodes:
  A: { use: tool, tool: down, args: {}, on: { done: E, error: E } }
  E: { final: success }
tools:
  down: { use: flaky, with: { p: 1 }, retry: { base: 1m, attempts: 5 } }
`)

describe('the exit code', () => {
  it.each([
    ['0: the goal is reached', GOOD, 0, 'good-thread: success (goal)'],
    ['1: it ended without the goal', FAILED, 1, 'good-thread: failure (failure)'],
    ['3: it waits for a person', ASKS, 3, 'good-thread: waiting for a person'],
    ['4: the escape mechanism stopped it', ROUND, 4, 'good-thread: stopped (loop)'],
  ])('%s', async (_, spec, code, expected) => {
    const desk = newDesk()
    const said = await desk.exec('run', desk.file('spec.yaml', spec), '--thread', 'good-thread')
    expect({ code: said.code, err: said.err }).toEqual({ code, err: '' })
    expect(said.out).toContain(expected)
  })

  it('2: a model without a key or an endpoint, before a thread starts', async () => {
    const desk = newDesk()
    const file = desk.file(
      'spec.yaml',
      spec(`
nodes:
  A: { use: model, model: fast, prompt: Answer., on: { done: E } }
  E: { final: success }
channels: { messages: { reducer: append } }
models: { fast: { id: small } }
`),
    )
    for (let times = 0; times < 2; times++)
      expectRefused(
        await desk.exec('run', file, '--thread', 't'),
        /no endpoint is configured for the model small: set OPENAI_API_KEY/,
      )
    expect((await desk.exec('threads')).out).toContain('no threads')
  })

  it('2: a store that does not exist', async () => {
    const desk = newDesk()
    const gone = ['--store', 'gone/threads.db']
    expectRefused(await desk.exec('threads', ...gone), /gone\/threads\.db: file not found/)
    expectRefused(await desk.exec('tick', ...gone), /gone\/threads\.db: file not found/)
    expect((await desk.exec('run', desk.file('spec.yaml', GOOD), ...gone)).code).toBe(0)
    expect((await desk.exec('threads', ...gone)).code).toBe(0)
  })

  it.each([
    ['an unknown command', ['fly'], /unknown command 'fly'/],
    ['a command of other tools', ['diff', 'a', 'b'], /unknown command 'diff'\n.*\n.*Compare/],
    ['another one', ['ls'], /unknown command 'ls'\n.*\n +→ escapement threads/],
    ['an unknown option', ['run', 'spec.yaml', '--fast'], /unknown option '--fast'/],
    ['no spec', ['run'], /missing required argument 'spec'/],
    ['a spec that is not there', ['run', 'nowhere.yaml'], /nowhere.yaml: file not found/],
    [
      'an answer that is none',
      ['resume', 't', '--decision', 'maybe'],
      /Allowed choices are approved, rejected/,
    ],
    [
      'a thread that is not there',
      ['resume', 'missing'],
      /thread 'missing' does not exist in this store/,
    ],
    [
      'a seed that is not a number',
      ['run', 'spec.yaml', '--seed', 'lucky'],
      /--seed expects a whole number, not 'lucky'/,
    ],
  ])('2: %s', async (_, args, expected) => {
    const desk = newDesk()
    desk.file('spec.yaml', GOOD)
    expectRefused(await desk.exec(...args), expected)
  })

  const DEEP = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  it.each([
    [
      'a module whose top-level await does not end',
      ['run', 'spec.yaml'],
      {
        'spec.yaml': GOOD.replace('use: pass', 'use: ./hang.ts#node'),
        'hang.ts': 'await new Promise(() => {})\nexport const node = () => ({})\n',
      },
      /'.\/hang.ts' cannot be loaded: its top-level `await` does not end/,
    ],
    [
      'an export with a getter that throws',
      ['lint', './getter.mjs'],
      { 'getter.mjs': "export default { get spec() { throw new Error('boo') } }\n" },
      /getter.mjs.*'default' in '.\/getter.mjs' cannot be read: boo/,
    ],
    [
      'a setting with a path of 20,001 steps',
      ['run', 'spec.yaml', '--set', `${'a.'.repeat(20_000)}b=1`],
      { 'spec.yaml': GOOD },
      /has 20001 steps; expected at most 100/,
    ],
    [
      'a setting with a path of 20,000 characters',
      ['run', 'spec.yaml', '--set', `${'['.repeat(20_000)}=1`],
      { 'spec.yaml': GOOD },
      /--set \[{80}….*: has a path of 20000 characters; expected at most 1000/,
    ],
    [
      'a setting that contains itself',
      ['run', 'spec.yaml', '--set', 'limits=&a [*a]'],
      { 'spec.yaml': GOOD },
      /--set limits=&a \[\*a\]: /,
    ],
    [
      'a module that throws no error',
      ['run', 'spec.yaml'],
      {
        'spec.yaml': GOOD.replace('use: pass', 'use: ./null.ts#node'),
        'null.ts': 'throw null\n',
      },
      /'.\/null.ts' cannot be loaded: null/,
    ],
    ...[
      ['whose toString throws', '{ toString() { throw 1 } }'],
      ['without a prototype', 'Object.create(null)'],
    ].map(
      ([name, thrown]) =>
        [
          `a module that throws an object ${name}`,
          ['run', 'spec.yaml'],
          {
            'spec.yaml': GOOD.replace('use: pass', 'use: ./odd.mjs#node'),
            'odd.mjs': `throw ${thrown}\n`,
          },
          /'.\/odd.mjs' cannot be loaded: an error without a message was thrown/,
        ] as const,
    ),
    [
      'a module that ends the process',
      ['run', 'spec.yaml'],
      {
        'spec.yaml': GOOD.replace('use: pass', 'use: ./exit.ts#node'),
        'exit.ts': 'process.exit(0)\n',
      },
      /'.\/exit.ts' ended the process while it was loaded/,
    ],
    [
      'a module with a line break in its name that ends the process',
      ['run', 'a\nerror: b\u001b.mjs#graph'],
      { 'a\nerror: b\u001b.mjs': 'process.exit(0)\n' },
      /'.\/a\\nerror: b\\u001b.mjs' ended the process while it was loaded/,
    ],
    [
      'a module whose timer throws while it loads',
      ['run', 'spec.yaml'],
      {
        'spec.yaml': GOOD.replace('use: pass', 'use: ./late.ts#node'),
        'late.ts':
          "setTimeout(() => { throw new Error('late') }, 10)\nawait new Promise(end => setTimeout(end, 5_000))\n",
      },
      /'.\/late.ts' cannot be loaded: late/,
    ],
    [
      'a module with a promise that fails while it loads',
      ['run', 'spec.yaml'],
      {
        'spec.yaml': GOOD.replace('use: pass', 'use: ./lost.ts#node'),
        'lost.ts':
          "Promise.reject(new Error('lost'))\nawait new Promise(end => setTimeout(end, 5_000))\n",
      },
      /'.\/lost.ts' cannot be loaded: lost/,
    ],
    ...(
      [
        ['null', 'null', /'.\/then.mjs' cannot be loaded: its export 'then' makes it a promise/],
        ['a number', '5', /'.\/then.mjs' cannot be loaded: its export 'then' makes it a promise/],
        [
          'a proxy that throws',
          "new Proxy({}, { ownKeys() { throw new Error('its keys') } })",
          /'.\/then.mjs' cannot be read: its keys/,
        ],
      ] as const
    ).map(
      ([name, value, expected]) =>
        [
          `a module that is a promise of ${name}`,
          ['run', 'spec.yaml'],
          {
            'spec.yaml': GOOD.replace('use: pass', 'use: ./then.mjs#node'),
            'then.mjs': `export const node = () => ({})\nexport const then = end => end(${value})\n`,
          },
          expected,
        ] as const,
    ),
    [
      'an export that throws when it is read',
      ['run', 'spec.yaml'],
      {
        'spec.yaml': GOOD.replace('use: pass', 'use: ./proxy.mjs#node'),
        'proxy.mjs':
          "export const node = new Proxy(() => ({}), { get() { throw new Error('its fields') } })\n",
      },
      /spec.yaml.*nodes\.A\.use: 'node' in '.\/proxy.mjs' cannot be read: its fields/,
    ],
    [
      'a tool whose creation throws no error',
      ['run', 'spec.yaml'],
      {
        'spec.yaml': `${GOOD}\ntools: { t: { use: ./tool.mjs#tool } }\n`,
        'tool.mjs': 'export const tool = () => { throw null }\n',
      },
      /spec.yaml.*tools\.t: null/,
    ],
    [
      'a token whose policy is not a name',
      ['sim', 'run', tokenOf({ folder: '.', scenario: {}, policy: {} as string, seed: 1 })],
      {},
      /\(the token\): is cut or was changed/,
    ],
    [
      'a trace that is nested too deeply',
      ['watch', 'trace.json'],
      { 'trace.json': `{"resourceSpans":[{"scopeSpans":[{"spans":[{"x":${DEEP}}]}]}]}` },
      /trace.json:1: is nested deeper than 1000 levels/,
    ],
    [
      'an archive that is nested too deeply',
      ['import', 'deep.gz'],
      { 'deep.gz': gzipSync(`{"format":"escapement","version":1,"threads":${DEEP}}\n`) },
      /deep.gz: line 1 is nested deeper than 1000 levels/,
    ],
    [
      'a condition that is nested too deeply',
      ['run', 'spec.yaml'],
      {
        'spec.yaml': GOOD.replace(
          'use: pass',
          `use: pass, when: { big: "${'('.repeat(9_000)}1${')'.repeat(9_000)} > 0" }`,
        ),
      },
      /spec.yaml:\d+:\d+: nodes\.A\.when\.big: CEL: Exceeded maxDepth/,
    ],
    [
      'an input that is nested too deeply',
      ['run', 'spec.yaml', '--input', '@deep.json'],
      { 'spec.yaml': GOOD, 'deep.json': `{"n":${DEEP}}` },
      /input: n\[0\].* is nested deeper than 1000 levels/,
    ],
  ] as const)('2: %s', async (_, args, files, expected) => {
    const desk = newDesk()
    for (const [name, content] of Object.entries(files)) desk.file(name, content)
    const { code, err } = await desk.exec(...args)
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(expected) })
  })

  it.each([
    ['run', 'the fake system or the graph ended the process'],
    ['shrink', 'the fake system or the graph ended the process'],
    ['monte', /policy default, seed 1.* Look for process.exit in the fake system/],
    ['explore', /policy default, seed 1.* Look for process.exit in the fake system/],
  ])('2: `sim %s` with a fake system that ends the process', async (command, expected) => {
    const desk = newDesk()
    desk.file(
      'graph.yaml',
      spec(`
nodes:
  A: { use: tool, tool: t, on: { done: E } }
  E: { final: success }
tools: { t: { use: flaky, with: { p: 0, latency: 1 } } }
`),
    )
    desk.file('exit.mjs', 'export const shop = () => ({ tools: { t: () => process.exit(0) } })\n')
    desk.file(
      'exit.scenario.yaml',
      'scenario: 1\nname: a\ngraph: ./graph.yaml\nsystem: ./exit.mjs#shop\nseeds: 1\n',
    )
    const began = performance.now()
    const said = await desk.exec('sim', command, 'exit.scenario.yaml')
    expectRefused(said, expected)
    // A worker that ends would count as hung after 30 s.
    expect(performance.now() - began).toBeLessThan(20_000)
  })

  it('130: cancelled by SIGINT while a tool ignores the signal: the wait is as short as for other tools', async () => {
    const desk = newDesk()
    const running = desk.start(
      'run',
      here('../cli/fixture/deaf.yaml'),
      '--thread',
      't',
      '--store',
      'threads.db',
      '--json',
    )
    await untilIn(join(desk.folder, 'threads.db'), 'tool.called')
    const began = performance.now()
    running.child.kill('SIGINT')
    expect(await running.ended).toMatchObject({
      code: 130,
      err: '',
      out: expect.stringContaining('cancelled'),
    })
    expect(performance.now() - began).toBeLessThan(8_000)
  })

  it('130: cancelled by SIGINT during the wait for another attempt, and the journal records it', async () => {
    const desk = newDesk()
    const running = desk.start(
      'run',
      desk.file('spec.yaml', BACKOFF),
      '--thread',
      't',
      '--store',
      'threads.db',
      '--json',
    )
    await untilIn(join(desk.folder, 'threads.db'), 'call.waiting')
    const began = performance.now()
    running.child.kill('SIGINT')
    const { code, out, err } = await running.ended
    expect(performance.now() - began).toBeLessThan(1_500)
    expect({ code, err }).toEqual({ code: 130, err: '' })
    expect(JSON.parse(out)).toMatchObject({
      outcome: 'cancelled',
      reason: 'interrupted by the user',
    })
    const store = sqliteStore({ file: join(desk.folder, 'threads.db') })
    expect((await store.rows('t')).at(-1)).toMatchObject({
      event: { type: 'cancel' },
      ended: { outcome: 'cancelled' },
    })
    expect((await store.thread('t'))?.lease).toBeUndefined()
    await store.close()
  })

  it('130: cancelled by SIGINT sent twice within a few ms', async () => {
    const desk = newDesk()
    const args = ['--thread', 't', '--store', 'threads.db', '--json']
    const running = desk.start('run', here('../cli/fixture/deaf.yaml'), ...args)
    await untilIn(join(desk.folder, 'threads.db'), 'tool.called')
    for (const time of [0, 10]) {
      await pause(time)
      running.child.kill('SIGINT')
    }
    const { code, out } = await running.ended
    expect(code).toBe(130)
    expect(JSON.parse(out)).toMatchObject({ outcome: 'cancelled' })
  })

  it('a SIGINT more than 2 s after the first ends a process that hangs', async () => {
    // A database that accepts connections and never answers.
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const store = `postgres://a@127.0.0.1:${port}/a`
    const running = newDesk().start('threads', '--store', store)
    const [socket] = (await once(server, 'connection')) as [Socket]
    const interrupt = async (after: number) => {
      await pause(after)
      running.child.kill('SIGINT')
      return Promise.race([running.ended.then(() => 'ended'), pause(500, 'running')])
    }
    expect(await interrupt(0)).toBe('running')
    expect(await interrupt(0)).toBe('running')
    expect(await interrupt(1_500)).toBe('ended')
    socket.destroy()
    server.close()
  })

  it.each([
    ['SIGTERM', [0]],
    ['SIGTERM, sent twice within a few ms', [0, 10]],
    ['SIGTERM, sent three times', [0, 5, 25]],
  ])(
    '143: left by %s; the thread is not cancelled and can be resumed at once',
    async (_, times) => {
      const desk = newDesk()
      const running = desk.start(
        'run',
        desk.file('spec.yaml', BACKOFF),
        '--thread',
        't',
        '--store',
        'threads.db',
        '--json',
      )
      await untilIn(join(desk.folder, 'threads.db'), 'call.waiting')
      const began = performance.now()
      for (const time of times) {
        await pause(time)
        running.child.kill('SIGTERM')
      }
      expect(await running.ended).toMatchObject({
        code: 143,
        out: '',
        err: expect.stringMatching(
          /^error: terminated\n +→ escapement resume t --store threads.db\n$/,
        ),
      })
      expect(performance.now() - began).toBeLessThan(1_500)
      const store = sqliteStore({ file: join(desk.folder, 'threads.db') })
      expect((await store.rows('t')).at(-1)).toMatchObject({ event: { type: 'turn.left' } })
      expect(await store.thread('t')).toMatchObject({ status: 'active' })
      expect(await store.thread('t')).not.toHaveProperty('lease')
      await store.close()
    },
  )
})

async function untilIn(file: string, type: string): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 20) {
    await pause(20)
    const store = sqliteStore({ file })
    const rows = await store.rows('t')
    await store.close()
    if (rows.at(-1)?.event.type === type) return
  }
  throw new Error(`there was no ${type}`)
}

it.each(['SIGTERM', 'SIGINT'] as const)(
  '2: %s while a module is loaded, although the module keeps the process alive',
  async signal => {
    const desk = newDesk()
    const hang = `setInterval(() => {}, 1000)
console.log('loading')
await new Promise(() => {})
export default 1
`
    desk.file('hang.mjs', hang)
    const running = desk.start('run', './hang.mjs')
    await running.line('loading')
    running.child.kill(signal)
    const { code, err } = await running.ended
    expect(err).toContain(`'./hang.mjs' cannot be loaded: ${signal} while it was loaded`)
    expect(code).toBe(2)
  },
)
