/** Runs calls of models, and reads what its thread has booked for them. */
import type { AnyModel } from '../../src/host/definition/model-from.ts'
import { createRuntime, defineGraph, memoryStore, modelFrom } from '../../src/index.ts'
import type { ModelOptions } from '../../src/kit/model.ts'
import type { Model, Task } from '../../src/runtime/ports.ts'
import type { Store } from '../../src/runtime/store/store.ts'

export const price = { input: 1_000, output: 1_000 }
export const request = { system: 's'.repeat(4_000), messages: [], tools: [] }
/** The estimated tokens of the request: it has 4,002 characters. */
export const INPUT = 1_001

export const answering = (ask: Model['ask']): Model => ({ id: 'm', timeout: 60_000, price, ask })

type Version = 'v2' | 'v3'
type Streams = Readonly<{ version?: Version; options?: ModelOptions }>

/** A model of the AI SDK with this stream. */
export const streaming = (
  stream: (signal: AbortSignal) => AsyncIterable<object> | Iterable<object>,
  { version = 'v3', options = {} }: Streams = {},
): Model => {
  const doStream = async ({ abortSignal }: { abortSignal: AbortSignal }) => {
    return { stream: ReadableStream.from(stream(abortSignal)) }
  }
  const model = { specificationVersion: version, modelId: 'm', doStream } as AnyModel
  return modelFrom(model, { price, ...options })
}

export type Work = (task: Task) => Promise<unknown>

/** Runs two nodes on models, and returns the usage in the rows of its thread. */
export async function spend(
  models: Readonly<Record<string, Model>>,
  [first = task => task.ask('a', request), second = async () => {}]: readonly Work[] = [],
  store: Store = memoryStore(),
) {
  const uses = { tools: {}, graphs: {}, models: Object.keys(models) }
  const nodeOf = (work: Work) =>
    Object.assign(async (task: Task) => void (await work(task)), { uses }) as never
  const graph = defineGraph({
    id: 'g',
    start: 'n',
    retry: { attempts: 1 },
    limits: { usd: 100 },
    models,
    nodes: {
      n: { use: nodeOf(first), on: { done: 'm', error: 'f' } },
      m: { use: nodeOf(second), on: { done: 'e', error: 'f' } },
      e: { final: 'success' },
      f: { final: 'failure' },
    },
  })
  const runtime = createRuntime({ store, graphs: [graph] })
  const thread = await runtime.start(graph, {})
  await thread.result()
  const rows = await thread.rows()
  await runtime.close()
  return rows.flatMap(({ event }) => {
    const { type, usage } = event as { type: string; usage?: { input: number; output: number } }
    return /^model\.(done|failed)|call\.late/.test(type)
      ? [[type, usage?.input, usage?.output]]
      : []
  })
}
