/** The conditions, schemas and channels of an archive: each row is folded with those of its graph. The graph and the channels may be forged. */
import { expect, test } from 'vitest'
import { nodeOwner } from '../../src/adapters/node/ports.ts'
import {
  createRuntime,
  defineGraph,
  done,
  memoryStore,
  node,
  virtualClock,
} from '../../src/index.ts'
import type { Graph, Json } from '../../src/index.ts'
import type { AgentMachine } from '../../src/core/graph/agent-machine.ts'
import { type Budget, charge, COST_MAX } from '../../src/core/graph/cel/cost.ts'
import { importThreads } from '../../src/runtime/drive/copy.ts'
import {
  ARCHIVE_COST_MAX,
  ArchiveFolder,
  ROW_COST_MAX,
} from '../../src/runtime/drive/archive-folder.ts'
import { parseArchive } from '../../src/runtime/store/archive-parser.ts'

/** A computed pattern costs 200 steps for each character and each instruction, whether the process knows it or not. */
const PATTERN = 'a'.repeat(2_000)
/** Laps whose evaluations together cost more than an archive may. */
const MANY = Math.ceil(ARCHIVE_COST_MAX / (400 * PATTERN.length)) + 1

interface Options {
  readonly laps: number
  readonly progress?: string
  readonly when?: Readonly<Record<string, string>>
  /** The machine that folds the archive. */
  readonly fold?: (machine: AgentMachine) => AgentMachine
  /** Starts a second round. */
  readonly message?: boolean
}

/** Imports the archive of a thread that has counted to `laps`. Also the number of pauses. */
async function importOf({ laps, progress, when, fold, message }: Options, signal?: AbortSignal) {
  const count = node({}, async ({ input }) =>
    Number(input.n) >= laps ? done('full', { n: Number(input.n) }) : { n: Number(input.n) + 1 },
  )
  const graph = defineGraph({
    id: 'g',
    start: 'count',
    input: ['p'],
    channels: { n: { type: 'number', default: 0 }, p: { type: 'string', default: '' } },
    limits: { steps: 10_000 },
    mode: 'observe',
    ...(progress !== undefined && { progress }),
    nodes: {
      count: {
        use: count,
        in: ['n'],
        out: ['n'],
        ...(when && { when }),
        on: { done: 'count', 'done.full': 'end' },
      },
      end: { final: 'success' },
    },
  })
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph], clock: virtualClock() })
  const thread = await runtime.start(graph, { p: PATTERN }, { thread: 't' })
  await thread.drive()
  if (message) {
    await thread.send({ p: PATTERN, n: 0 })
    await thread.drive()
  }
  const store = memoryStore()
  let pauses = 0
  const ports = {
    ...nodeOwner(),
    store,
    machineOf: async () => fold?.(graph.machine) ?? graph.machine,
    pause: async () => void pauses++,
    ...(signal && { signal }),
  }
  const imported = importThreads(ports, await parseArchive(withoutBreaks(thread.archive())))
  const error = await imported.then(
    () => undefined,
    (error: Error) => error,
  )
  await runtime.close()
  return { error, pauses, stored: (await store.threads()).length }
}

async function* withoutBreaks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield line.trimEnd()
}

test.each([
  ['progress', { progress: "n + ('a'.matches(p) ? 1.0 : 0.0)" }],
  ['labels', { when: { found: "n < 0 || 'a'.matches(p)" } }],
])('%s that cost too much together are refused, with the thread and the event', async (_, of) => {
  const { error, stored } = await importOf({ ...of, laps: MANY })
  expect(error).toMatchObject({ name: 'BadArchive' })
  expect(error?.message).toMatch(
    /^thread 't' cannot be replayed: the conditions, schemas, channels and regions of the archive cost more than 100000000 steps of CEL up to event \d+$/,
  )
  expect(stored).toBe(0)
})

test('conditions of a shorter thread are imported, and each one that takes long is followed by a pause', async () => {
  const laps = Math.floor(MANY / 2)
  const { error, pauses, stored } = await importOf({
    laps,
    progress: "n + ('a'.matches(p) ? 1.0 : 0.0)",
  })
  expect([error, stored]).toEqual([undefined, 1])
  expect(pauses).toBeGreaterThanOrEqual(laps)
  expect(ARCHIVE_COST_MAX).toBeGreaterThanOrEqual(20 * COST_MAX)
})

test('a progress whose channels stay as they are is measured once', async () => {
  const { error } = await importOf({ laps: 2 * MANY, progress: "'a'.matches(p) ? 1.0 : 0.0" })
  expect(error).toBeUndefined()
})

type Charged = 'start' | 'restart' | 'checkInput' | 'applyOutput' | 'hashOf' | 'measure'

/** The machine with a method that costs `cost` more. Its last parameter is the budget. */
const withCost = (method: Charged, cost: number) => (machine: AgentMachine) => {
  const work = machine[method] as (...values: readonly unknown[]) => unknown
  const charged = (...values: readonly unknown[]) => {
    charge(values.at(-1) as Budget, cost)
    return work(...values)
  }
  return { ...machine, [method]: charged }
}

test('the work of all rows counts for the archive, and a row that takes long is followed by a pause', async () => {
  const laps = 50
  const cost = ARCHIVE_COST_MAX / laps
  const { error, stored } = await importOf({ laps, fold: withCost('applyOutput', cost) })
  expect(error?.message).toMatch(
    /^thread 't' cannot be replayed: the conditions, schemas, channels and regions of the archive cost more than 100000000 steps of CEL up to event \d+$/,
  )
  expect(stored).toBe(0)
  const half = await importOf({ laps, fold: withCost('applyOutput', cost / 2) })
  expect([half.error, half.stored]).toEqual([undefined, 1])
  expect(half.pauses).toBeGreaterThanOrEqual(laps)
})

test.each<Charged>(['start', 'restart', 'checkInput', 'applyOutput', 'hashOf', 'measure'])(
  'a row that costs too much in %s ends the import',
  async method => {
    const of = { laps: 1, progress: 'n', message: true }
    expect((await importOf({ ...of, fold: withCost(method, 1_000) })).error).toBeUndefined()
    const { error } = await importOf({ ...of, fold: withCost(method, ROW_COST_MAX + 1) })
    expect(error?.message).toMatch(
      /^thread 't' cannot be replayed: the conditions, schemas, channels and regions of event \d+ cost more than 20000000 steps of CEL$/,
    )
  },
)

/** Imports the archive of a thread of a graph. */
async function importOfGraph(graph: Graph) {
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph], clock: virtualClock() })
  const thread = await runtime.start(graph, {}, { thread: 't' })
  await thread.drive()
  const store = memoryStore()
  const ports = { ...nodeOwner(), store, machineOf: async () => graph.machine }
  const imported = importThreads(ports, await parseArchive(withoutBreaks(thread.archive())))
  const error = await imported.then(
    () => undefined,
    (error: Error) => error.message,
  )
  await runtime.close()
  return error
}

test.each([
  [100, undefined],
  [200_000, /^thread 't' cannot be replayed: the conditions, .* cost more than 20000000 steps/],
])(
  'a costly pattern over %d characters counts for the import',
  async (length, message) => {
    const graph = defineGraph({
      id: 'g',
      start: 'a',
      channels: { p: { type: 'string', pattern: '^[ab]*a[ab]{950}$|^a*$' } },
      nodes: {
        a: {
          use: node({}, async () => ({ p: 'a'.repeat(length) })),
          out: ['p'],
          on: { done: 'end' },
        },
        end: { final: 'success' },
      },
    })
    const error = await importOfGraph(graph)
    if (message) expect(error).toMatch(message)
    else expect(error).toBeUndefined()
  },
  60_000,
)

/** A graph with 100 regions, which it enters `laps` times. */
function wide(id: string, laps: number): Graph {
  const region = (at: number) => ({
    start: `r${at}`,
    nodes: {
      [`r${at}`]: { use: 'pass', on: { done: `e${at}` } },
      [`e${at}`]: { final: 'success' },
    },
  })
  const regions = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`s${at}`, region(at)]))
  const count = node({}, async ({ input }) =>
    Number(input.n) >= laps ? done('full', { n: Number(input.n) }) : { n: Number(input.n) + 1 },
  )
  return defineGraph({
    id,
    start: 'set',
    channels: { n: { type: 'number', default: 1 } },
    limits: { steps: 100_000 },
    mode: 'observe',
    nodes: {
      set: { regions, on: { done: 'count' } },
      count: { use: count, in: ['n'], out: ['n'], on: { done: 'set', 'done.full': 'end' } },
      end: { final: 'success' },
    },
  } as never)
}

test('a thread that enters 100 regions 40 times is imported', async () => {
  expect(await importOfGraph(wide('g', 40))).toBeUndefined()
}, 60_000)

test('the first entries into the regions of many graphs count for the import', async () => {
  const graphs = Array.from({ length: 40 }, (_, at) => wide(`g${at}`, 1))
  const runtime = createRuntime({ store: memoryStore(), graphs, clock: virtualClock() })
  const folded: Graph[] = [...graphs]
  const ports = {
    machineOf: async () => (folded.shift() as Graph).machine,
  }
  const errors: unknown[] = []
  const known = new Map<string, Json>()
  const folder = new ArchiveFolder(ports, known)
  for (const [at, graph] of graphs.entries()) {
    const thread = await runtime.start(graph, {}, { thread: `t${at}` })
    await thread.drive()
    const { threads, kept } = await parseArchive(withoutBreaks(thread.archive()))
    for (const [name, source] of kept) known.set(name, source)
    for (const each of threads) await folder.fold(each).catch(error => errors.push(error.message))
  }
  await runtime.close()
  expect(errors).toEqual([expect.stringMatching(/regions of the archive cost more than 100000000/)])
}, 120_000)
