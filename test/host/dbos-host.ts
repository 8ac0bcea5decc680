/** DBOS as a host: a workflow drives each thread, and waits for its next command. */
import type { Run } from '../../src/core/run/run.ts'
import { parentIn } from '../../src/core/watch/data/thread-name.ts'
import { turnOf } from '../../src/host/dbos/turn.ts'
import { loadDbos } from '../../src/host/dbos/sdk.ts'
import {
  registerWorkflows,
  THREADS,
  type ThreadWork,
  type Turned,
  TURNS,
} from '../../src/host/dbos/workflows.ts'
import { hostOf } from '../../src/host/runtime.ts'
import { drive, type DriveOptions } from '../../src/runtime/drive/drive.ts'
import type { Ports } from '../../src/runtime/ports.ts'
import { identityOf } from '../../src/runtime/store/source.ts'
import { replay } from '../../src/runtime/store/replay.ts'
import { engineTime } from '../suites/engine-time.ts'
import { type Host, pathOf } from '../suites/host.ts'
import { runtimeOf } from './xstate-host.ts'

/** Launches DBOS on this database. It takes one host in a process. */
export async function dbosHost(url: string) {
  const dbos = await loadDbos()
  /** The turns of the workflows that drive now, and the workflows whose process is gone. Stories share the names of threads. */
  const turns = new Map<string, (work: ThreadWork) => Promise<Turned>>()
  const gone = new Set<string>()
  const workflows = registerWorkflows(dbos, async work => {
    const id = dbos.workflowID?.replace(/\/\d+$/, '') ?? ''
    // DBOS tries a failed turn again, while another workflow drives the thread.
    if (gone.has(id)) return { is: 'over' }
    const turn = turns.get(id)
    if (!turn) throw new Error(`workflow '${id}' has no process`)
    return turn(work)
  })
  dbos.setConfig({ name: 'stories', systemDatabaseUrl: url, logLevel: 'error' })
  await dbos.launch()
  const often = { minPollingIntervalMs: 10 }
  await dbos.registerQueue(THREADS, often)
  await dbos.registerQueue(TURNS, often)
  let stories = 0

  const open = () => {
    const story = ++stories
    const path = new Map<string, string[]>()
    /** The workflows that wait for a command, and how many a thread has had. */
    const waiting = new Map<string, string>()
    let started = 0
    const carry = async (given: Ports, thread: string, { start }: DriveOptions = {}) => {
      if (parentIn(thread) !== undefined) return drive(given, thread)
      const { ports, work: engineWork } = engineTime(given)
      const { store, graph } = ports
      const runtime = runtimeOf(ports)
      const host = hostOf(runtime)
      let run: Run | undefined
      host.changes.subscribe(thread, update => {
        if (update?.kind !== 'rows' || update.thread !== thread) return
        const rows = update.items.map(({ row }) => row)
        run = update.items.at(-1)?.run ?? run
        path.set(thread, [...(path.get(thread) ?? []), ...pathOf(rows)])
      })
      const isNew = start !== undefined && !(await store.thread(thread))
      const work = { thread, graph: identityOf(graph), ...(isNew && { start }) }
      const open = waiting.get(thread)
      waiting.delete(thread)
      const id = open ?? `${story} ${thread}@${started++}`
      const turned = Promise.withResolvers<Turned>()
      turns.set(id, work => {
        const result = turnOf(host, [graph], work)
        result.then(turned.resolve, turned.reject)
        return result
      })
      try {
        await engineWork(async () => {
          if (open) await dbos.send(open, null, 'wake')
          else
            await dbos.startWorkflow(workflows.thread, { workflowID: id, queueName: THREADS })(work)
          if ((await turned.promise).is === 'waiting') waiting.set(thread, id)
        })
      } catch (error) {
        gone.add(id)
        throw error
      } finally {
        turns.delete(id)
        await runtime.close()
      }
      return run ?? ((await replay(graph.machine, store, thread)) as Run)
    }
    return { drive: carry, path }
  }
  const different = {
    'run-wait-for-breaker.story':
      'the queue starts two threads one after the other, and they meet the breaker in another order',
  }
  const host: Host = { name: 'DBOS', different, open }
  return { host, close: () => dbos.shutdown() }
}
