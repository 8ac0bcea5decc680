/**
 * The workflows of a thread. `thread` lives as long as the thread is open: it has `turn` drive the thread under the limits of a queue,
 * and waits for people and time in `recv`, whose deadline DBOS stores. Waiting threads take no place of the queue.
 */
import type { Json } from '../../core/watch/data/json.ts'
import type { GraphIdentity } from '../../runtime/store/store.ts'
import type { Dbos } from './sdk.ts'

/** The queue of the open threads, which has no limits, and the queue of the threads that are driven now. */
export const THREADS = 'escapement.threads'
export const TURNS = 'escapement.turns'

/** A message wakes a waiting workflow at once. The interval in ms only covers a lost notification. */
const POLLING = 10_000
/** Seconds. A question without a deadline stays open. */
const NEVER = 10 * 365 * 86_400

/** How a new thread starts. */
export interface ThreadStart {
  readonly input: Json
  readonly seed: number
  readonly keys?: Readonly<Record<string, string>>
}

/** What a workflow must know to drive a thread in any process. */
export interface ThreadWork {
  readonly thread: string
  readonly graph: GraphIdentity
  /** Absent for a thread that exists. */
  readonly start?: ThreadStart
}

/** The state of a thread after a turn. */
export type Turned =
  | { readonly is: 'over' }
  /** It needs a process again at `at` (ms), or only after a command. */
  | { readonly is: 'waiting'; readonly at?: number }
  | { readonly is: 'failed'; readonly message: string }

/** Registers the workflows, once in a process. `drive` drives a thread until it ends or waits. */
export function registerWorkflows(dbos: Dbos, drive: (work: ThreadWork) => Promise<Turned>) {
  const turn = dbos.registerWorkflow(
    async (work: ThreadWork, parent: string, topic: string) => {
      const turned = await dbos
        .runStep(() => drive(work), { name: 'drive' })
        .catch(error => ({ is: 'failed', message: String(error?.message ?? error) }) as const)
      await dbos.send(parent, turned, topic)
      if (turned.is === 'failed') throw new Error(turned.message)
    },
    // A thread that crashes its process ends by its own rule (`crash-loop`).
    { name: 'escapement.turn', maxRecoveryAttempts: 1_000_000 },
  )
  const thread = dbos.registerWorkflow(
    async (work: ThreadWork) => {
      const id = dbos.workflowID ?? ''
      for (let nth = 1; ; nth += 1) {
        const topic = `turn ${nth}`
        await dbos.startWorkflow(turn, {
          workflowID: `${id}/${nth}`,
          queueName: TURNS,
          enqueueOptions: { queuePartitionKey: work.thread },
        })(work, id, topic)
        const options = { timeoutSeconds: NEVER, pollingIntervalMs: POLLING }
        const turned = await dbos.recv<Turned>(topic, options)
        if (turned?.is === 'failed') throw new Error(turned.message)
        if (turned?.is !== 'waiting') return
        const until =
          turned.at === undefined ? { timeoutSeconds: NEVER } : { deadlineEpochMS: turned.at }
        await dbos.recv('wake', { ...until, pollingIntervalMs: POLLING })
      }
    },
    { name: 'escapement.thread', maxRecoveryAttempts: 1_000_000 },
  )
  return { thread }
}
