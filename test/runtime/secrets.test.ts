/** Secrets in reasons, policies and explanations are redacted in the journal, as in values. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, test } from 'vitest'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { defineClassifier, defineDetector, defineRung } from '../../src/core/watch/detect/custom.ts'
import { defineGraph } from '../../src/host/definition/define-graph.ts'
import { grep, readFile } from '../../src/kit/tools/files.ts'
import { workspaceAt } from '../../src/kit/workspace.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { cancelWithoutGraph } from '../../src/runtime/child/cancel-without-graph.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { redactCommand } from '../../src/runtime/people/inbox.ts'
import { redactor } from '../../src/runtime/redaction/redact.ts'
import { replay } from '../../src/runtime/store/replay.ts'
import { fork } from '../../src/runtime/drive/copy.ts'
import type { Node, Ports, Task } from '../../src/runtime/ports.ts'
import { done, failing } from '../../src/runtime/outcome.ts'
import { recorder } from '../../src/runtime/journal/recorder.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { watchdog } from '../../src/watchdog.ts'
import { calling, portsOf, START } from './desk.ts'

/** Written in two parts: scanners of repositories would report the whole. */
const SECRET = ['sk-', 'abcdefghijklmnopqrstuvwx'].join('')

async function storedIn({ store }: Pick<Ports, 'store'>, thread: string): Promise<string> {
  return JSON.stringify([await store.rows(thread), await store.thread(thread)])
}

async function expectMasked(ports: Pick<Ports, 'store'>, thread: string): Promise<void> {
  const stored = await storedIn(ports, thread)
  expect(stored).toContain('[redacted]')
  expect(stored).not.toContain(SECRET)
}

const hanging = () =>
  calling(
    ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )

it('in the reason with which a signal cancels a thread', async () => {
  const ports = portsOf(hanging())
  const stop = new AbortController()
  const driven = drive(ports, 't', { ...START, signal: stop.signal })
  await pause(10)
  stop.abort(new Error(`the key ${SECRET} was revoked`))
  expect((await driven).ended?.outcome).toBe('cancelled')
  await expectMasked(ports, 't')
})

it('in the bytes of a buffer that a tool returns', async () => {
  const content = Buffer.from(`key ${SECRET}`)
  const ports = portsOf(
    calling(async () => ({ content })),
    { redact: redactor([SECRET]) },
  )
  await drive(ports, 't', START)
  await expectMasked(ports, 't')
  expect(await storedIn(ports, 't')).not.toContain(Buffer.from(SECRET).join())
})

it('in the reason with which a thread without a graph is cancelled', async () => {
  const ports = portsOf(hanging())
  const leave = new AbortController()
  const driven = drive(ports, 't', { ...START, leave: leave.signal }).catch(() => {})
  await pause(10)
  leave.abort(new Error('left'))
  await driven
  await cancelWithoutGraph(ports, 't', `the key ${SECRET} was revoked`)
  await expectMasked(ports, 't')
})

it('in the label and in the detail of a notification', async () => {
  const { spec } = readSpec({
    escapement: 1,
    id: 'labelled',
    start: 'A',
    nodes: {
      A: { use: './a.ts#a', on: { done: 'Q' } },
      Q: { use: 'human', question: 'Continue?', on: { 'human.approved': 'E' } },
      E: { final: 'success' },
    },
  })
  const graph = bindGraph(spec as NonNullable<typeof spec>, {
    workspace: '.',
    model: () => Promise.reject(new Error('no model')) as never,
    nodes: { A: async () => done(`label ${SECRET}`, {}) },
  })
  const send = async () => `posted with ${SECRET}`
  const notifiers = [{ name: 'desk', timeout: 1_000, attempts: 1, send }]
  const ports = portsOf(graph, { notifiers })
  await drive(ports, 't', START)
  const rows = await ports.store.rows('t')
  expect(rows.map(({ event }) => event)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'node.done', label: 'label [redacted]' }),
      expect.objectContaining({ type: 'notified', detail: 'posted with [redacted]' }),
    ]),
  )
  await expectMasked(ports, 't')
})

it('in the custom key of a scope, which stays distinct', async () => {
  const { spec } = readSpec({
    escapement: 1,
    id: 'shop',
    start: 'A',
    nodes: { A: { use: './a.ts#a', on: { done: 'E' } }, E: { final: 'success' } },
    limits: { scopes: { customer: { per: '1h', toolCalls: 5 } } },
  })
  const graph = bindGraph(spec as NonNullable<typeof spec>, {
    workspace: '.',
    model: () => Promise.reject(new Error('no model')) as never,
    nodes: { A: async () => ({}) },
  })
  const ports = portsOf(graph)
  const keys = { a: SECRET, b: SECRET, c: `${SECRET}z` }
  for (const [thread, customer] of Object.entries(keys)) {
    await drive(ports, thread, { start: { ...START.start, keys: { customer } } })
    await expectMasked(ports, thread)
  }
  const shares = await ports.store.shares()
  expect(JSON.stringify(shares)).not.toContain(SECRET)
  const [a, b, c] = shares.map(({ key }) => key)
  expect(a).toBe(b)
  expect(a).not.toBe(c)
})

it('in the custom keys of a policy change, which stay different', () => {
  const keyed = (key: string) => ({ limits: { scopes: { customer: { key, toolCalls: 5 } } } })
  const redact = redactor([SECRET])
  const [a, b, c] = [SECRET, SECRET, `${SECRET}z`].map(key =>
    JSON.stringify(redactCommand(redact, { type: 'policy.change', change: keyed(key) })),
  )
  expect(a).not.toContain(SECRET)
  expect(a).toBe(b)
  expect(a).not.toBe(c)
  // The inbox is redacted when a command is submitted, and again when it is taken.
  expect(JSON.stringify(redactCommand(redact, JSON.parse(a as string)))).toBe(a)
})

it('in the input of a child that is not started', async () => {
  const bound = (parts: object, nodes: Readonly<Record<string, Node>>, graphs = {}) => {
    const { spec } = readSpec({ escapement: 1, start: 'A', ...parts })
    return bindGraph(spec as NonNullable<typeof spec>, {
      workspace: '.',
      model: () => Promise.reject(new Error('no model')) as never,
      nodes,
      graphs,
    })
  }
  const nodes = { A: { use: './a.ts#a', on: { done: 'E' } }, E: { final: 'success' } }
  const child = bound({ id: 'child', nodes }, { A: async () => 1 })
  const run = async (task: Task) => (await task.run('child', { [SECRET]: 1 })).reason
  const root = bound({ id: 'root', nodes, graphs: { child: './c.yaml' } }, { A: run }, { child })
  const ports = portsOf(root)
  await drive(ports, 't', START)
  await expectMasked(ports, 't')
})

it('in the failure with which a node ends', async () => {
  const { spec } = readSpec({
    escapement: 1,
    id: 'failing',
    start: 'A',
    nodes: { A: { use: './a.ts#a', on: { error: 'E' } }, E: { final: 'failure' } },
  })
  const failure = { name: 'ServiceError', message: `the key ${SECRET} is not valid` }
  const kind = { class: 'persistent', scope: 'request', rule: 'own' } as const
  const graph = bindGraph(spec as NonNullable<typeof spec>, {
    workspace: '.',
    model: () => Promise.reject(new Error('no model')) as never,
    nodes: { A: async () => failing({ ...failure, ...kind }) },
  })
  const ports = portsOf(graph)
  await drive(ports, 't', START)
  await expectMasked(ports, 't')
})

it('in the error of a custom classifier', async () => {
  const { spec } = readSpec({
    escapement: 1,
    id: 'classified',
    start: 'A',
    nodes: { A: { use: './a.ts#a', on: { error: 'E' } }, E: { final: 'failure' } },
    parts: { classifier: './parts.ts#own' },
  })
  const classifier = defineClassifier({
    name: 'own',
    version: 1,
    classify: () => {
      throw new Error(`no class for ${SECRET}`)
    },
  })
  const graph = bindGraph(spec as NonNullable<typeof spec>, {
    workspace: '.',
    model: () => Promise.reject(new Error('no model')) as never,
    nodes: { A: async () => Promise.reject(new Error('HTTP 500')) },
    own: { classifier },
  })
  const ports = portsOf(graph)
  await drive(ports, 't', START)
  await expectMasked(ports, 't')
})

it('in the texts of custom detectors and rungs', async () => {
  const throwing = (name: string) =>
    defineDetector({
      name,
      version: 1,
      start: 0,
      sees: ['answered'],
      observe: () => {
        throw new Error(`no answer for ${SECRET}`)
      },
    })
  const finding = defineDetector({
    name: 'finding',
    version: 1,
    start: 0,
    sees: ['answered'],
    observe: state => [state, { kind: 'stall', summary: `the key ${SECRET} is old` }],
  })
  const refusing = defineRung({ name: 'refusing', version: 1, choose: () => `not with ${SECRET}` })
  const breaking = defineRung({
    name: 'breaking',
    version: 1,
    choose: () => {
      throw new Error(`no way with ${SECRET}`)
    },
  })
  const stopping = defineRung({
    name: 'stopping',
    version: 1,
    choose: () => ({ rung: 'stop', reason: `revoke ${SECRET}` }),
  })
  const graph = defineGraph({
    id: 'watched',
    start: 'A',
    escape: { ladder: ['refusing', 'breaking', 'stopping'] },
    parts: {
      detectors: [throwing('first'), throwing('second'), finding],
      rungs: [refusing, breaking, stopping],
    },
    nodes: {
      A: {
        use: async (task: Task) => task.report('going').then(() => task.call('unknown', {})),
        on: { done: 'E' },
      },
      E: { final: 'success' },
    },
  } as never)
  const ports = portsOf(graph)
  const run = await drive(ports, 't', START)
  const stored = await storedIn(ports, 't')
  for (const text of ['the key', 'not with', 'no way with', 'revoke'])
    expect(stored).toContain(`${text} [redacted]`)
  await expectMasked(ports, 't')
  expect(run.watch.detectorErrors).toMatchObject({
    'detector first': { times: expect.any(Number), why: 'no answer for [redacted]' },
  })
  expect(JSON.stringify(run)).not.toContain(SECRET)
  const replayed = await replay(graph.machine, ports.store, 't')
  expect({ ...replayed, watch: {} }).toEqual({ ...run, watch: {} })
})

test.each([0, 5, 12, 20, 25])(
  'at the end of the longest text of a custom part, %i characters before its cut',
  async before => {
    const text = (max: number) => `${'word '.repeat(max).slice(0, max - 1 - before)} ${SECRET} end`
    const finding = defineDetector({
      name: 'finding',
      version: 1,
      start: 0,
      sees: ['answered'],
      observe: state => [state, { kind: 'stall', summary: text(300) }],
    })
    const throwing = defineDetector({
      ...{ name: 'throwing', version: 1, start: 0, sees: ['answered'] },
      observe: () => {
        throw new Error(text(200))
      },
    })
    const graph = defineGraph({
      id: 'watched',
      start: 'A',
      parts: { detectors: [throwing, finding] },
      nodes: {
        A: { use: async (task: Task) => task.call('unknown', {}), on: { done: 'E' } },
        E: { final: 'success' },
      },
    } as never)
    const ports = portsOf(graph)
    const run = await drive(ports, 't', START)
    const stored = `${await storedIn(ports, 't')} ${JSON.stringify(run)}`
    expect(stored).toContain('word word')
    expect(stored).not.toContain(SECRET.slice(0, 4))
  },
)

it('in the question about a call', async () => {
  const graph = calling(async () => 'done')
  Object.assign(graph.tools.work as object, { confirm: () => `Work with ${SECRET}?` })
  const ports = portsOf(graph)
  const { pending } = await drive(ports, 't', START)
  expect(pending).toContainEqual(expect.objectContaining({ type: 'interrupt' }))
  await expectMasked(ports, 't')
})

it('in the policy of a fork', async () => {
  const ports = portsOf(calling(async () => 'done'))
  await drive(ports, 't', START)
  const change = { failures: { rules: [{ id: 'own', message: SECRET, class: 'transient' }] } }
  await fork(ports, { thread: 't', at: 1, as: 'f', effects: 'refuse', change })
  await expectMasked(ports, 'f')
})

it('in the explanation of an agent that reports that it is stuck', async () => {
  const graph = calling(async () => 'done')
  Object.assign(graph.tools.work as object, { stuck: () => `${SECRET} does not work` })
  const ports = portsOf(graph)
  await drive(ports, 't', START)
  await expectMasked(ports, 't')
})

test('in the reason with which the watch of a wrapped agent ends', async () => {
  const { redact } = portsOf(hanging())
  const store = memoryStore()
  const of = { store, redact, owner: 'test', wall: () => 0, isOwnerDead: () => false }
  const { record, flush } = recorder(of)
  const monitor = watchdog({ thread: 't', record })
  monitor.beforeModelCall(0)
  monitor.observe({ type: 'cancel', reason: `the key ${SECRET} was revoked`, at: 1 })
  await flush()
  await expectMasked({ store }, 't')
})

test.each([
  ['an answer of the model', 16_384],
  ['arguments', 16_384],
  ['a result', 16_384],
  ['an error', 2_000],
] as const)('in %s of a wrapped agent, also where it is cut', async (where, limit) => {
  const { redact } = portsOf(hanging())
  const store = memoryStore()
  const of = { store, redact, owner: 'test', wall: () => 0, isOwnerDead: () => false }
  const { record, flush } = recorder(of)
  const monitor = watchdog({ thread: 't', record })
  const text = `${'x '.repeat(limit / 2 - 6)}${SECRET} and more${' x'.repeat(limit)}`
  const permit = monitor.permit('search', 1, 0)
  if (permit.kind === 'no') throw new Error(permit.why)
  const thrown = where === 'an error' ? { error: new Error(text) } : undefined
  const args = where === 'arguments' ? text : {}
  const result = where === 'a result' ? text : 'found'
  const call = { tool: 'search', args, result, outcome: monitor.settle(permit, 2, thrown) }
  monitor.beforeModelCall(0)
  const said = where === 'an answer of the model' ? text : 'Looking.'
  monitor.afterModelTurn({ text: said, calls: [call], at: 2 })
  await flush()
  const stored = await storedIn({ store }, 't')
  expect(stored).toContain('x x')
  expect(stored).not.toContain(SECRET.slice(0, 10))
})

test.each([
  ['grep', grep, { pattern: 'billing', path: '.', max: 9 }],
  ['read_file', readFile, { path: 'settings.json', from: 1, lines: 9 }],
] as const)('in a line that %s cuts', async (_, toolOf, args) => {
  const folder = mkdtempSync(join(tmpdir(), 'escapement-'))
  const before = 'x'.repeat(toolOf === grep ? 1_000 : 11_979)
  const line = `{"key": "${before} ${SECRET} ${'y'.repeat(40)} billing ${'z'.repeat(12_000)}"}`
  writeFileSync(join(folder, 'settings.json'), line)
  const tool = toolOf(workspaceAt(folder))
  const graph = calling(call => tool.execute(args, call))
  const ports = portsOf(graph)
  await drive(ports, 't', START)
  const stored = await storedIn(ports, 't')
  expect(stored).toContain(toolOf === grep ? 'billing' : 'xxxx')
  expect(stored).not.toContain(SECRET.slice(12))
  expect(stored).not.toContain(SECRET.slice(0, 10))
})

test('two secrets that are keys of one object stay two keys, also when they are redacted again', () => {
  const redact = redactor()
  const keys = ['a', 'b', 'c'].map(letter => `${SECRET}${letter.repeat(8)}`)
  const [first = '', second = '', third = ''] = keys
  const redacted = redact({ [first]: 1, x: 2, [second]: { [third]: 3 } })
  expect(redacted).toEqual({ '[redacted]': 1, x: 2, '[redacted] 2': { '[redacted]': 3 } })
  expect(redact(redacted)).toBe(redacted)
  expect(redact({ '[redacted] 2': 0, [first]: 1, [second]: 2 })).toEqual({
    '[redacted] 2': 0,
    '[redacted]': 1,
    '[redacted] 3': 2,
  })
})

test('in the message about a result that cannot be stored', async () => {
  const unreadable = {
    toJSON: () => {
      throw new Error(`the session ${SECRET} is closed`)
    },
  }
  const graph = calling(async () => unreadable)
  Object.assign(graph.tools.work as object, { effects: 'write', idempotent: true })
  const ports = portsOf(graph)
  await drive(ports, 't', START)
  expect(await storedIn(ports, 't')).toContain('took effect, but its result cannot be stored')
  await expectMasked(ports, 't')
})

test('a wrapped agent cannot take the name of a child thread', async () => {
  const { redact } = portsOf(hanging())
  const store = memoryStore()
  const of = { store, redact, owner: 'test', wall: () => 0, isOwnerDead: () => false }
  const { record, flush } = recorder(of)
  watchdog({ thread: 'p1/x#1/1', record }).beforeModelCall(0)
  await expect(flush()).rejects.toMatchObject({ code: 'reserved-name' })
  expect(await store.threads()).toEqual([])
})
