/**
 * The workflows of a thread. `thread` lives as long as the thread is open: it has `turn` drive the thread under the limits of a queue,
 * and waits for people and time in `recv`, whose deadline DBOS stores. Waiting threads take no place of the queue. A thread has one turn at a
 * time, because the next one starts when it has ended.
 */
import type { Json } from '../../core/watch/data/json.ts'
import type { GraphIdentity } from '../../runtime/store/store.ts'
import type { Dbos } from './sdk.ts'

/** The queue of the open threads, which has no limits, and the queue of the threads that are driven now. */
export const THREADS = 'escapement.threads'
export const TURNS = 'escapement.turns'

/** A message wakes a waiting workflow at once. The interval in ms only covers a lost notification. */
const POLLING = 10_000
/** Seconds after which the workflow of a thread looks whether its turn has ended without a message. */
const TURN_CHECK = 60
/** Seconds between a failed turn and the next one, which double with each failure in a row. */
const RETRY_DELAY = 1
const RETRY_DELAY_MAX = 600
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

/** The workflow that drives a thread to its end. */
export type Drives = (work: ThreadWork) => Promise<void>

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
      let failures = 0
      for (let nth = 1; ; nth += 1) {
        const topic = `turn ${nth}`
        const workflowID = `${id}/${nth}`
        await dbos.startWorkflow(turn, { workflowID, queueName: TURNS })(work, id, topic)
        const turned = await resultOf(dbos, workflowID, topic)
        if (turned.is === 'over') return
        failures = turned.is === 'failed' ? failures + 1 : 0
        await dbos.recv('wake', { ...untilNext(turned, failures), pollingIntervalMs: POLLING })
      }
    },
    { name: 'escapement.thread', maxRecoveryAttempts: 1_000_000 },
  )
  return { thread }
}

/** How long a thread waits for a message before its next turn. */
function untilNext(turned: Turned, failures: number) {
  if (turned.is === 'failed')
    return { timeoutSeconds: Math.min(RETRY_DELAY * 2 ** (failures - 1), RETRY_DELAY_MAX) }
  const { at } = turned.is === 'waiting' ? turned : {}
  return at === undefined ? { timeoutSeconds: NEVER } : { deadlineEpochMS: at }
}

/** The message of a turn. A turn may end without one, for example when it could not store the message. */
export async function resultOf(dbos: Dbos, turn: string, topic: string): Promise<Turned> {
  const report = (timeoutSeconds: number) =>
    dbos.recv<Turned>(topic, { timeoutSeconds, pollingIntervalMs: POLLING })
  for (;;) {
    const turned = await report(TURN_CHECK)
    if (turned) return turned
    const status = (await dbos.getWorkflowStatus(turn))?.status ?? 'missing'
    if (['PENDING', 'ENQUEUED', 'DELAYED'].includes(status)) continue
    return (await report(0)) ?? { is: 'failed', message: `the workflow '${turn}' is ${status}` }
  }
}
