/** Forged rows of an archive: nothing in an event multiplies the work of its replay. */
import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { nodeOwner } from '../../src/adapters/node/ports.ts'
import { createRuntime, defineGraph, memoryStore, node, virtualClock } from '../../src/index.ts'
import type { Json } from '../../src/index.ts'
import { NOTHING_SPENT } from '../../src/core/watch/event/call-event.ts'
import { foldRows } from '../../src/runtime/store/replay.ts'
import { importThreads } from '../../src/runtime/drive/copy.ts'
import { parseArchive } from '../../src/runtime/store/archive-parser.ts'

const graph = defineGraph({
  id: 'g',
  start: 'A',
  nodes: { A: { use: node({}, async () => null), on: { done: 'end' } }, end: { final: 'success' } },
})
let lines: readonly (Readonly<Record<string, Json>> & { readonly event?: object })[] = []

beforeAll(async () => {
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph], clock: virtualClock() })
  const thread = await runtime.start(graph, {}, { thread: 't' })
  await thread.drive()
  const all: string[] = []
  for await (const line of thread.archive()) all.push(line)
  lines = all.slice(0, -1).map(line => JSON.parse(line))
  await runtime.close()
})

interface Start {
  readonly event: { readonly at: number; readonly policy: { readonly detect: object } }
}

interface Forgery {
  /** Events after the start of the node. */
  readonly events?: readonly object[]
  /** Further fields of their rows. */
  readonly row?: object
  /** Further fields of the policy. */
  readonly policy?: object
}

/** The archive of a thread in which more happened. */
async function* forged({ events = [], row, policy }: Forgery): AsyncGenerator<string> {
  const rows = lines.filter(({ event }) => event) as readonly { readonly event: object }[]
  const [first, started, ...rest] = structuredClone(rows) as unknown as readonly [
    Start,
    Start,
    ...Start[],
  ]
  const begun = {
    ...first,
    event: { ...first.event, policy: { ...first.event.policy, ...policy } },
  }
  const { at } = started.event
  const more = events.map(event => ({
    ...{ event: { at, effect: 'A#1', region: '', ...event }, findings: [], edges: [] },
    verdict: { kind: 'continue' },
    ...row,
  }))
  const all = [begun, started, ...more, ...rest].map((each, seq) => ({ ...each, seq }))
  const others = lines.filter(({ event }) => !event)
  const body = [
    { ...others[0], threads: [{ thread: 't', rows: all.length }] },
    ...others.slice(1),
    ...all,
  ].map(line => JSON.stringify(line))
  yield* body
  const sum = createHash('sha256').update(body.map(line => `${line}\n`).join(''))
  yield JSON.stringify({ sha256: sum.digest('hex') })
}

const errorOf = (work: Promise<unknown>): Promise<Error | undefined> =>
  work.then(
    () => undefined,
    (error: Error) => error,
  )

async function importOf(forgery: Forgery, pause = async () => {}) {
  const ports = { ...nodeOwner(), store: memoryStore(), machineOf: async () => graph.machine }
  return errorOf(importThreads({ ...ports, pause }, await parseArchive(forged(forgery))))
}

const texts = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `text ${at}`)

const CALL = { call: 'A#1/1', subject: 'look', key: 'k' }
const DIGEST = { digest: { hash: 'h', length: 1 }, effects: 'read' }
const CALLED = { ...CALL, type: 'tool.called', attempt: 1, effects: 'read', repeatable: true }
const DONE = { ...CALL, ...DIGEST, type: 'tool.done' }
const CHILD = { thread: 't/A#1/1', outcome: 'success', reason: 'goal', spent: NOTHING_SPENT }
const CHILD_DONE = { ...CALL, ...DIGEST, ...CHILD, type: 'child.done', result: 'text 1' }
const FINDING = {
  ...{ kind: 'loop', detector: 'sequence', region: '', id: 'x', members: [], states: [] },
  ...{ period: 1, repeats: 1, onset: 0, noticed: 1, events: [], burned: NOTHING_SPENT },
  reason: { code: 'no-savepoint' },
}

test('a child may quote three texts', async () => {
  expect(await importOf({ events: [{ ...CHILD_DONE, quoted: texts(3) }] })).toBeUndefined()
})

const LONG = 'x'.repeat(2_097_153)
const MANY = texts(10_001)
const dismiss = (of: object) => ({
  type: 'dismiss',
  finding: { id: 'x', signs: [], states: [], ...of },
})

test.each<[string, string, Forgery]>([
  ['event.quoted', '3 entries', { events: [{ ...CHILD_DONE, quoted: texts(4) }] }],
  ['event.result', '2097152 characters', { events: [{ ...CHILD_DONE, result: LONG }] }],
  ['event.result', '524288 characters', { events: [{ ...DONE, result: { text: LONG } }] }],
  ['event.args', '2097152 characters', { events: [{ ...CALLED, args: [LONG] }] }],
  ['event.subject', '2097152 characters', { events: [{ ...CALLED, args: {}, subject: LONG }] }],
  [
    'event.output',
    '8388608 characters',
    { events: [{ type: 'node.done', output: LONG.repeat(5) }] },
  ],
  ['event.finding.signs', '10000 entries', { events: [dismiss({ signs: MANY })] }],
  ['event.finding.states', '10000 entries', { events: [dismiss({ states: MANY })] }],
  ['event.finding.members', '10000 entries', { events: [dismiss({ members: MANY })] }],
  [
    'findings[0].members',
    '10000 entries',
    { events: [{ type: 'pause' }], row: { findings: [{ ...FINDING, members: MANY }] } },
  ],
  [
    'findings[0].reason',
    '2097152 characters',
    {
      events: [{ type: 'pause' }],
      row: { findings: [{ ...FINDING, reason: { code: 'custom', params: { text: LONG } } }] },
    },
  ],
  ['edges', '10000 entries', { events: [{ type: 'pause' }], row: { edges: MANY } }],
  [
    'detectorErrors',
    '10000 entries',
    {
      events: [{ type: 'pause' }],
      row: {
        detectorErrors: Object.fromEntries(
          MANY.map(name => [name, { since: 0, times: 1, why: '' }]),
        ),
      },
    },
  ],
  ['policy', '4194304 characters', { policy: { explore: texts(400_000) } }],
  [
    'policy.limits.scopes',
    '10000 scopes',
    {
      policy: {
        limits: { steps: 9, nodeCalls: 9, depth: 1, scopes: Object.fromEntries(entries(10_001)) },
      },
    },
  ],
])('%s of more than %s is refused', async (path, most, forgery) => {
  const error = await errorOf(parseArchive(forged(forgery)))
  expect(error).toMatchObject({ name: 'BadArchive' })
  expect(error?.message).toMatch(/^thread 't': row \d: /)
  expect(error?.message).toContain(`: ${path}: expected at most ${most}`)
})

function entries(count: number) {
  return texts(count).map(key => [key, { key, per: 1_000, loops: 3 }] as const)
}

test('a policy of 1,001 scopes, which a runtime writes, can be read', async () => {
  const scopes = texts(1_001).map((_, at) => [`scope${at}`, { steps: 5, per: '1h' }] as const)
  const end = { final: 'success' } as const
  const large = defineGraph({
    ...{ id: 'large', start: 'A', limits: { scopes: Object.fromEntries(scopes) } },
    nodes: { A: { use: node({}, async () => null), on: { done: 'end' } }, end },
  })
  const runtime = createRuntime({ store: memoryStore(), graphs: [large], clock: virtualClock() })
  const thread = await runtime.start(large, {}, { thread: 't' })
  await thread.drive()
  const written: string[] = []
  for await (const line of thread.archive()) written.push(line.trimEnd())
  async function* read() {
    yield* written
  }
  expect((await parseArchive(read())).threads).toHaveLength(1)
  await runtime.close()
})

test('a policy of 1,500,000 characters can be read', async () => {
  const tools = texts(9_000).map((_, at) => [`tool${at}`, { ignore: ['x'.repeat(150)] }] as const)
  expect(await importOf(withTool(Object.fromEntries(tools), {}))).toBeUndefined()
})

test('an import pauses after each long row', async () => {
  let pauses = 0
  const events = Array.from({ length: 16 }, () => ({ ...DONE, result: 'x'.repeat(70_000) }))
  const pause = async () => void pauses++
  expect(await importOf({ events }, pause)).toBeUndefined()
  expect(pauses).toBeGreaterThan(16)
})

/** How long the first rows of a forged archive take to fold, in ms. */
async function timeOf(forgery: Forgery): Promise<number> {
  const { threads } = await parseArchive(forged(forgery))
  const rows = threads[0]?.rows.slice(0, 2 + (forgery.events?.length ?? 0)) ?? []
  const start = performance.now()
  expect(foldRows(graph.machine, undefined, rows)?.seq).toBe(rows.length - 1)
  return performance.now() - start
}

/** Each spelling of a word, with letters of both cases. */
const spellings = (word: string): readonly string[] =>
  [...word].reduce<readonly string[]>(
    (all, letter) => all.flatMap(each => [each + letter, each + letter.toUpperCase()]),
    [''],
  )

const calledWith = (args: Json): Forgery => ({ events: [{ ...CALLED, args }] })
const named = (names: readonly string[]): Json => Object.fromEntries(names.map(name => [name, 1]))
const records = texts(20_000).map(text => ({ text, id: 1 }))
const within = (levels: number): Json =>
  Array.from({ length: levels }).reduce<Json>(inner => [{}, inner], records)
const withTool = (tools: Json, args: Json): Forgery => {
  const { event } = lines.find(({ event }) => event) as unknown as Start
  return { ...calledWith(args), policy: { detect: { ...event.policy.detect, tools } } }
}

test.each<[string, () => Forgery, () => Forgery]>([
  [
    'each spelling of a name',
    () => calledWith(named([...spellings('description'), ...texts(60_000)])),
    () => calledWith(named(texts(62_000))),
  ],
  [
    'lists of records inside each other',
    () => calledWith(within(250)),
    () => calledWith(within(4)),
  ],
  [
    'each argument beside many that are ignored',
    () =>
      withTool({ look: { ignore: texts(60_000) } }, named([...MANY, ...MANY.map(at => `${at}s`)])),
    () => withTool({ look: { ignore: ['note'] } }, named([...MANY, ...MANY.map(at => `${at}s`)])),
  ],
])(
  '%s takes little more time than other arguments',
  async (_, given, plain) => {
    const least = await timeOf(plain())
    expect(await timeOf(given())).toBeLessThan(8 * least + 500)
  },
  60_000,
)
