/** Recorded agents in a store: `show` prints them like other threads, and store errors do not affect them. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { recorder as recorderOf } from '../src/runtime/journal/recorder.ts'
import { createRuntime, defineGraph, memoryStore, recorder, sqliteStore } from '../src/index.ts'
import { expectRefused, newDesks } from './cli/desk.ts'
import { foreignOutcome } from '../src/core/watch/wrapped/turn.ts'
import {
  defineDetector,
  rethinkMessage,
  stopMessage,
  type Turn,
  type Watchdog,
  type WatchdogOptions,
  type WatchdogState,
  watchdog,
} from '../src/watchdog.ts'
import type { ThreadTally } from '../src/index.ts'
import { start } from './durability/process.ts'

const root = resolve(import.meta.dirname, '..')
const newDesk = newDesks()

/** An agent that searches for the same thing until it is stopped. */
function stuck(options: WatchdogOptions, turns = 20) {
  const monitor = watchdog(options)
  for (let turn = 0; turn < turns && monitor.state.ended === undefined; turn++) {
    const at = 1_000_000 + turn * 1_000
    monitor.beforeModelCall(at)
    monitor.afterModelTurn({
      at,
      text: '',
      calls: [
        {
          tool: 'search',
          args: { key: 'sk-abcdefghijklmnopqrstuvwx' },
          result: 'nothing',
          outcome: { began: at, ended: at + 1 },
        },
      ],
    })
  }
  return monitor
}

describe('a recorded agent', () => {
  test('is shown with its escapes and its spending, listed, and driven only by its own framework', async () => {
    const desk = newDesk()
    const store = sqliteStore({ file: join(desk.folder, 'threads.db') })
    const { record, flush } = recorder(store)
    stuck({ agent: 'helper', thread: 'ticket-42', record })
    await flush()
    await store.close()
    const shown = await desk.type('show', 'ticket-42', '--store', 'threads.db')
    expect(shown).toMatchObject({ code: 0, err: '' })
    expect(shown.out).toMatch(
      /^✗ ticket-42: stopped \(loop\): search ran 3 times.*\n {2}escapes +event 12 loop \(sequence\): search ran 3 times.* → rethink: helper → helper\n/,
    )
    expect(shown.out).toMatch(
      /\n {2}spent {5}6 steps · 6 tool calls · 6 model calls · .*\n {12}6\/100 steps · .* in this round\n/,
    )
    expect(shown.out).toMatch(/ {2}way out +stop \(loop\)/)
    expect(shown.out).toMatch(
      / {2}edge +none: the next model call carries the lesson\n {2}next +helper#4 performed from event 13\n/,
    )
    expect(shown.out).toMatch(
      / {2}edge +none: the thread was ended\n {2}next +the thread ended: stopped \(loop\)\n/,
    )
    expect(shown.out).not.toContain('sk-abcdefgh')
    expect(readFileSync(join(desk.folder, 'threads.db'), 'latin1')).not.toContain('sk-abcdefgh')
    const early = await desk.type(
      'show',
      'ticket-42',
      '--store',
      'threads.db',
      '--at',
      '5',
      '--json',
    )
    expect(JSON.parse(early.out)).toMatchObject({ status: 'active', events: 6, escapes: [] })
    expect((await desk.type('threads', '--store', 'threads.db')).out).toMatch(
      /^ticket-42 +helper +stopped +loop/m,
    )
    const [listed] = JSON.parse(
      (await desk.type('threads', '--store', 'threads.db', '--json')).out,
    ) as { tally: ThreadTally }[]
    expect(listed?.tally).toMatchObject({
      finding: { signature: { kind: 'loop', members: ['search'] }, period: 1 },
      rungs: expect.arrayContaining(['rethink', 'stop']),
      spent: { steps: 6 },
    })
    // `show` folds the same journal with its watchdog.
    const whole = await desk.type('show', 'ticket-42', '--store', 'threads.db', '--json')
    const { tally, watch } = JSON.parse(whole.out).run
    const { steps, tokens, usd } = watch.account.spent
    expect(listed?.tally).toEqual({ ...tally, spent: { steps, tokens, usd } })
    expectRefused(
      await desk.type('resume', 'ticket-42', '--store', 'threads.db'),
      /'ticket-42' was recorded from an agent in another framework/,
    )
    expectRefused(
      await desk.type('show', 'ticket-42', '--store', 'threads.db', '--rejudge'),
      /needs the graph of the thread/,
    )
  })

  test('in observe mode has no step limit, and shows none', async () => {
    const desk = newDesk()
    const store = sqliteStore({ file: join(desk.folder, 'threads.db') })
    const { record, flush } = recorder(store)
    stuck({ record, policy: { mode: 'observe' } }, 5)
    await flush()
    await store.close()
    expect((await desk.type('show', 'agent', '--store', 'threads.db')).out).toMatch(
      /\n {2}spent {5}5 steps · 5 tool calls · 5 model calls · 30 tokens( · \S+)?\n/,
    )
  })

  test('rests after its answer, and works again with the next message', async () => {
    const desk = newDesk()
    const store = sqliteStore({ file: join(desk.folder, 'threads.db') })
    const { record, flush } = recorder(store)
    const monitor = stuck({ record }, 2)
    const shown = async () => {
      await flush()
      return [
        (await desk.type('threads', '--store', 'threads.db')).out.match(
          /^agent +agent +(\S+ +.*?) {2,}\d+ {2}/m,
        )?.[1],
        (await desk.type('show', 'agent', '--store', 'threads.db')).out.split('\n')[0],
      ]
    }
    expect(await shown()).toEqual(['active  agent', '⟳ agent: at work'])
    monitor.beforeModelCall(1_100_000)
    monitor.afterModelTurn({ at: 1_100_000, text: 'There is nothing.' })
    expect(await shown()).toEqual(['waiting  for a message', '? agent: waiting for a message'])
    monitor.userMessage('And elsewhere?', 1_200_000)
    expect(await shown()).toEqual(['active  agent', '⟳ agent: at work'])
    await store.close()
  })

  test('reports a broken custom detector or classifier', async () => {
    const desk = newDesk()
    const store = sqliteStore({ file: join(desk.folder, 'threads.db') })
    const { record, flush } = recorder(store)
    const boom = () => {
      throw new Error('it has no key sk-abcdefghijklmnopqrstuvwx')
    }
    const detector = defineDetector({
      name: 'own',
      version: 1,
      start: 0,
      sees: ['answered'],
      observe: boom,
    })
    const monitor = stuck(
      {
        record,
        parts: { detectors: [detector], classifier: { name: 'mine', version: 1, classify: boom } },
      },
      2,
    )
    const permit = monitor.permit('search', 1_100_000, 0)
    if (permit.kind === 'go')
      monitor.afterModelTurn({
        at: 1_100_000,
        text: '',
        calls: [
          {
            tool: 'search',
            args: {},
            outcome: monitor.settle(permit, 1_100_000, { error: new Error('no') }),
          },
        ],
      })
    await flush()
    await store.close()
    const { out } = await desk.type('show', 'agent', '--store', 'threads.db')
    expect(out).toMatch(
      /\n {2}broken +detector own failed at event 4, 3 times in total: it has no key \S+\n +classifier mine failed at event 11/,
    )
    expect(out).not.toContain('sk-abc')
  })

  test('waits for a person while a question is open', async () => {
    const desk = newDesk()
    const store = sqliteStore({ file: join(desk.folder, 'threads.db') })
    const { record, flush } = recorder(store)
    const monitor = stuck(
      {
        record,
        policy: {
          escape: { ladder: ['review', 'stop'], review: { deadline: 60_000, otherwise: 'stop' } },
        },
      },
      3,
    )
    await flush()
    expect((await store.thread('agent'))?.status).toBe('waiting')
    expect((await desk.type('show', 'agent', '--store', 'threads.db')).out).toMatch(
      /^\? agent: waiting for a person\n[\s\S]* {2}question +The agent is stuck.* {2}agent#3/,
    )
    monitor.resolveReview('approved', 1_010_000)
    await flush()
    expect((await store.thread('agent'))?.status).toBe('active')
    await store.close()
  })

  test('that restarts under the name of another run stays separate from it', async () => {
    const store = memoryStore()
    const first = recorder(store)
    stuck({ record: first.record })
    await first.flush()
    const rows = await store.rows('agent')
    const second = recorder(store)
    stuck({ record: second.record })
    await expect(second.flush()).rejects.toThrow("thread 'agent' already exists")
    expect(await store.rows('agent')).toEqual(rows)
  })

  test.each([
    ['by another recorder', true],
    ['by the same one', false],
  ])('that restarts while the other run is active stays separate from it: %s', async (_, apart) => {
    const store = memoryStore()
    const first = recorder(store)
    const one = stuck({ record: first.record }, 2)
    await first.flush()
    const rows = await store.rows('agent')
    const second = apart ? recorder(store) : first
    const other = watchdog({ record: second.record })
    for (let turn = 0; turn < 9; turn++) {
      other.beforeModelCall(turn)
      other.afterModelTurn({ at: turn, text: `turn ${turn}` })
      // Between two turns of a real agent, what was recorded is stored.
      await second
        .flush()
        .catch(error => expect(String(error)).toContain("thread 'agent' already exists"))
    }
    expect(await store.rows('agent')).toEqual(rows)
    one.beforeModelCall(2_000_000)
    await first.flush()
    expect((await store.rows('agent')).length - rows.length).toBe(apart ? 1 : 0)
  })

  test('is shown while it works and after its process was killed, and another process continues with the stored state', async () => {
    const desk = newDesk()
    const file = join(desk.folder, 'threads.db')
    const program = `
      import { recorder, sqliteStore } from ${JSON.stringify(join(root, 'src/index.ts'))}
      import { watchdog } from ${JSON.stringify(join(root, 'src/watchdog.ts'))}
      const { record, flush } = recorder(sqliteStore({ file: ${JSON.stringify(file)} }))
      const monitor = watchdog({ agent: 'helper', thread: 'ticket-9', record })
      for (let turn = 0; ; turn++) {
        monitor.beforeModelCall(Date.now())
        monitor.afterModelTurn({ at: Date.now(), text: '', calls: [{ tool: 'page', args: { from: turn }, result: 'page ' + turn, outcome: { began: Date.now(), ended: Date.now() } }] })
        await flush()
        if (turn === 1) console.log(JSON.stringify(monitor.state) + '\\nready')
        await new Promise(resolve => setTimeout(resolve, turn < 1 ? 0 : 600_000))
      }`
    const running = start(['--input-type=module', '-e', program])
    await running.line('ready')
    const shown = await desk.type('show', 'ticket-9', '--store', file, '--json')
    expect(JSON.parse(shown.out)).toMatchObject({ status: 'active', events: 9 })
    running.child.kill('SIGKILL')
    await running.ended
    expect((await desk.type('show', 'ticket-9', '--store', file, '--json')).out).toBe(shown.out)
    const store = sqliteStore({ file })
    const { record, flush } = recorder(store)
    watchdog({
      agent: 'helper',
      thread: 'ticket-9',
      record,
      state: JSON.parse(running.lines()[0] ?? '') as WatchdogState,
    }).beforeModelCall(Date.now())
    await flush()
    expect((await store.rows('ticket-9')).map(({ seq }) => seq)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    ])
    await store.close()
  })

  test('continues in another process with the stored state', async () => {
    const store = memoryStore()
    const [first, second, whole] = [recorder(store), recorder(store), recorder(store)]
    const { state } = stuck({ record: first.record }, 2)
    await first.flush()
    const monitor = watchdog({ state, record: second.record })
    monitor.beforeModelCall(1_002_000)
    await second.flush()
    stuck({ thread: 'whole', record: whole.record }, 2)
    await whole.flush()
    expect((await store.rows('agent')).map(({ event }) => event.type)).toEqual([
      ...(await store.rows('whole')).map(({ event }) => event.type),
      'model.called',
    ])
  })

  test('continues without a working store', async () => {
    const store = { ...memoryStore(), append: () => Promise.reject(new Error('the disk is full')) }
    const { record, flush } = recorderOf({
      store,
      wall: () => 0,
      owner: 'a/1/x',
      isOwnerDead: () => false,
      redact: value => value,
    })
    expect(stuck({ record }).state.ended).toBe('loop')
    await expect(flush()).rejects.toThrow('the disk is full')
  })

  test('stores the rows of a failed write with the next one', async () => {
    let isFull = true
    const memory = memoryStore()
    const append: typeof memory.append = async (...batches) => {
      if (isFull) throw new Error('the disk is full')
      return memory.append(...batches)
    }
    const { record, flush } = recorder({ ...memory, append })
    const monitor = stuck({ record }, 2)
    await expect(flush()).rejects.toThrow('the disk is full')
    isFull = false
    monitor.beforeModelCall(1_002_000)
    await flush()
    const rows = await memory.rows('agent')
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index))
    expect(rows.at(-1)?.event).toMatchObject({ type: 'model.called', at: 1_002_000 })
  })
})

/** A model may invent the name of a tool, and write a whole call into it. */
describe('a secret in the name of a tool or in a rejection is redacted', () => {
  const SECRET = 'sk-abcdefghijklmnopqrstuvwx'
  const tool = `http_get?token=${SECRET}`
  const NOT_FOUND = { error: new Error(`unknown tool ${tool}`) }

  const calls: Readonly<Record<string, (monitor: Watchdog, at: number) => Omit<Turn, 'at'>>> = {
    'that answers': (monitor, at) => answered(monitor, at, undefined),
    'that fails': (monitor, at) => answered(monitor, at, NOT_FOUND),
    'with an open breaker': (monitor, at) => {
      const permit = monitor.permit(tool, at, 0)
      if (permit.kind === 'no') expect(permit.why).not.toContain(SECRET)
      const failure = { error: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) }
      const outcome = permit.kind === 'no' ? permit.outcome : monitor.settle(permit, at, failure)
      return { text: '', calls: [{ tool, args: {}, outcome }] }
    },
    'that a person rejects': (_, at) => {
      const outcome = foreignOutcome(at, `not with ${SECRET}`)
      return { text: '', calls: [{ tool, args: {}, outcome }] }
    },
    'that waits': (monitor, at) => {
      const outcome = { began: at, ended: at }
      monitor.afterWaitingCalls([{ id: `c${at - 1}`, tool, args: {}, outcome }])
      return { text: '', waiting: [{ id: `c${at}`, tool, args: {} }] }
    },
  }

  function answered(monitor: Watchdog, at: number, thrown: { error: unknown } | undefined) {
    const permit = monitor.permit(tool, at, 0)
    const outcome = permit.kind === 'no' ? permit.outcome : monitor.settle(permit, at, thrown)
    return { text: '', calls: [{ tool, args: {}, result: 'ok', outcome }] }
  }

  test.each(Object.keys(calls))('of a call %s', async name => {
    const store = memoryStore()
    const { record, flush } = recorder(store)
    const monitor = watchdog({ record })
    const told: unknown[] = []
    for (let at = 1; at < 20 && monitor.state.ended === undefined; at++) {
      monitor.beforeModelCall(at)
      const turn = calls[name]?.(monitor, at) ?? { text: '' }
      const verdict = monitor.afterModelTurn({ ...turn, at })
      if (verdict.kind === 'escape') told.push(rethinkMessage(verdict))
      told.push(JSON.parse(JSON.stringify(monitor.state)), stopMessage(monitor.state))
    }
    await flush()
    expect(monitor.state.ended).toBeDefined()
    expect(JSON.stringify(told)).not.toContain(SECRET)
    expect(JSON.stringify(await store.rows('agent'))).not.toContain(SECRET)
  })
})

test('a restored watch does not write to the thread of a graph', async () => {
  const store = memoryStore()
  const pause = { use: 'human', question: 'Pay?', deadline: '1h' } as const
  const pay = defineGraph({
    id: 'pay',
    start: 'prepare',
    nodes: {
      prepare: { use: 'pass', on: { done: 'ask' } },
      ask: {
        ...pause,
        on: { 'human.approved': 'end', 'human.rejected': 'end', 'human.expired': 'end' },
      },
      end: { final: 'success' },
    },
  })
  const runtime = createRuntime({ store, graphs: [pay] })
  const thread = await runtime.start(pay, {}, { thread: 'chat-7' })
  await expect.poll(async () => (await thread.summary()).status).toBe('waiting')
  const { seq } = await thread.summary()
  const before = watchdog({ thread: 'chat-7' })
  for (let at = 1; before.state.seq < seq; at++) before.userMessage(`message ${at}`, at * 100_000)
  const { record, flush } = recorder(store)
  const restored = watchdog({ thread: 'chat-7', record, state: before.state })
  restored.userMessage('forged', 9_000_000)
  await expect(flush()).rejects.toThrow("thread 'chat-7' already exists")
  expect((await store.rows('chat-7')).length).toBe(seq + 1)
  await runtime.close()
})

test('a restored watch continues its thread in another recorder', async () => {
  const store = memoryStore()
  const first = recorder(store)
  const { state } = stuck({ record: first.record }, 1)
  await first.flush()
  const second = recorder(store)
  watchdog({ record: second.record, state }).userMessage('Go on.', 2_000_000)
  await second.flush()
  expect((await store.thread('agent'))?.seq).toBe(state.seq + 1)
})

test('rows that wait for a failing store are limited, and the first error is reported', async () => {
  const store = memoryStore()
  const { append } = store
  store.append = () => Promise.reject(new Error('the disk is full'))
  const { record, flush } = recorder(store)
  const monitor = watchdog({ thread: 'long', record, policy: { mode: 'observe' } })
  for (let turn = 0; turn < 3_000; turn++) {
    const at = 1_000_000 + turn * 1_000
    monitor.beforeModelCall(at)
    const outcome = { began: at, ended: at + 1 }
    const calls = [{ tool: 'read', args: { turn }, result: turn, outcome }]
    monitor.afterModelTurn({ at, text: '', calls })
    if (turn % 500 === 0) await new Promise(setImmediate)
  }
  await expect(flush()).rejects.toThrow('the disk is full')
  store.append = append
  await flush()
  expect(await store.thread('long')).toBe(undefined)
})
