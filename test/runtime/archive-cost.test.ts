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
import type { AgentMachine } from '../../src/core/graph/agent-machine.ts'
import { type Budget, charge, COST_MAX } from '../../src/core/graph/cel/cost.ts'
import { importThreads } from '../../src/runtime/drive/copy.ts'
import { ARCHIVE_COST_MAX, ROW_COST_MAX } from '../../src/runtime/drive/archive-folder.ts'
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
    /^thread 't' cannot be replayed: the conditions, schemas and channels of the archive cost more than 100000000 steps of CEL up to event \d+$/,
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
    /^thread 't' cannot be replayed: the conditions, schemas and channels of the archive cost more than 100000000 steps of CEL up to event \d+$/,
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
      /^thread 't' cannot be replayed: the conditions, schemas and channels of event \d+ cost more than 20000000 steps of CEL$/,
    )
  },
)
