/** The hosts that persist threads, each as its users run it: they drive a thread until it ends or only people can continue it. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import type { Run } from '../../src/core/run/run.ts'
import type { PersonEvent } from '../../src/core/watch/event/event.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { hostOf } from '../../src/host/runtime.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { replay } from '../../src/runtime/store/replay.ts'
import { isThreadExists, type Store } from '../../src/runtime/store/store.ts'

export type HostName = 'drive' | 'LangGraph' | 'XState' | 'DBOS'

export interface CarrierOptions {
  readonly graph: Graph
  readonly store: Store
  readonly folder: string
  /** The place of the store. DBOS needs a URL. */
  readonly place: string
}

export interface Carrier {
  drive(thread: string, start: { readonly input: object; readonly seed: number }): Promise<Run>
  /** Says it to the thread, and has the host continue it. */
  answer(thread: string, id: string, event: PersonEvent): Promise<unknown>
  close(): Promise<void>
}

type Open = (options: CarrierOptions) => Promise<Carrier>

const driven: Open = async ({ graph, store }) => ({
  drive: (thread, start) => drive(nodePorts({ graph, store }), thread, { start: start as never }),
  answer: (thread, id, event) => store.submit(thread, id, event),
  close: async () => {},
})

/** Its checkpoints are in the same store, so the process also dies between a turn and its checkpoint. */
const langGraph: Open = async ({ graph, store }) => {
  const { EscapementSaver, toLangGraph } = await import('../../src/langgraph.ts')
  const checkpointer = new EscapementSaver(store)
  return {
    async drive(thread, { input, seed }) {
      const compiled = toLangGraph(graph, { store, checkpointer, seed })
      const config = { configurable: { thread_id: thread } }
      const { next, values } = await compiled.getState(config)
      const first = { input: values.escapement ? null : input }
      await compiled.invoke(next.length > 0 ? null : (first as never), config)
      return (await replay(graph.machine, store, thread)) as Run
    },
    answer: (thread, id, event) => store.submit(thread, id, event),
    close: async () => {},
  }
}

/** The program keeps the persisted snapshot of its actor in a file. */
const xstate: Open = async ({ graph, store, folder }) => {
  const { driveByActor } = await import('../host/actor-drive.ts')
  const runtime = createRuntime({ store, graphs: [graph] })
  const file = join(folder, 'snapshot.json')
  return {
    async drive(thread, start) {
      const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
      const { run } = await driveByActor(runtime, thread, {
        graph,
        start: start as never,
        ...(kept && { snapshot: kept }),
        keep: snapshot => {
          if (!snapshot) return
          writeFileSync(`${file}.new`, JSON.stringify(snapshot))
          renameSync(`${file}.new`, file)
        },
      })
      return run
    },
    answer: (thread, id, event) => store.submit(thread, id, event),
    close: () => runtime.close(),
  }
}

const dbos: Open = async ({ graph, store, place }) => {
  const { dbosWorker } = await import('../../src/dbos.ts')
  const runtime = createRuntime({ store, graphs: [graph] })
  const worker = await dbosWorker(runtime, { url: place })
  return {
    async drive(thread, { input, seed }) {
      if (!(await store.thread(thread)))
        await worker.start(graph, input, { thread, seed }).catch(error => {
          if (!isThreadExists(error)) throw error
        })
      const handle = await worker.started(thread)
      for await (const _ of handle.events({ until: 'waiting' }));
      return (await replay(graph.machine, store, thread)) as Run
    },
    answer: (thread, id, event) => hostOf(runtime).deliver(thread, event, { id }),
    close: () => worker.close(),
  }
}

const OPEN: Readonly<Record<HostName, Open>> = {
  drive: driven,
  LangGraph: langGraph,
  XState: xstate,
  DBOS: dbos,
}

export const openCarrier = (name: HostName, options: CarrierOptions): Promise<Carrier> =>
  OPEN[name](options)
