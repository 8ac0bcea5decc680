/** Continues threads: wakes the workflow of a thread, or starts one for a thread without. */
import { systemClock } from '../../adapters/node/ports.ts'
import type { Host } from '../drive/host.ts'
import type { Dbos } from './sdk.ts'
import { type Drives, THREADS, type ThreadWork } from './workflows.ts'

/** `THREAD@SEQ` or `THREAD@SEQ.N` without the thread, and the turn in a workflow of a turn. */
const ID = /^@(-?\d+)(?:\.\d+)?(\/\d+)?$/

/** How long in ms a workflow has ended when another one may follow at the same event, unless a command asks for it. */
const RETRY_DELAY = 10_000

export type Enqueue = (workflow: string, work: ThreadWork) => Promise<void>

/** A new thread takes the name for itself. The workflow of an existing thread may have been started by another worker. */
export function enqueuer(dbos: Dbos, workflow: Drives): Enqueue {
  return async (workflowID, work) => {
    const workflowIDReusePolicy = work.start ? 'reject' : 'return-existing'
    const params = { workflowID, queueName: THREADS, workflowIDReusePolicy } as const
    await dbos.startWorkflow(workflow, params)(work)
  }
}

export type Scheduler = ReturnType<typeof scheduler>

export function scheduler(host: Host, { dbos, enqueue }: { dbos: Dbos; enqueue: Enqueue }) {
  const schedule = async (thread: string, isRecovery: boolean): Promise<void> => {
    const summary = await host.store.thread(thread)
    if (!summary || !host.owns(summary)) return
    const { graph, specHash, seq } = summary
    const open = await workflowsOf(dbos, thread, { status: ['PENDING', 'ENQUEUED', 'DELAYED'] })
    const workflow = open.find(({ turn }) => turn === undefined)
    if (workflow) {
      // The turn in progress, or in the queue, will see that the thread is due. Each message would have another turn follow.
      const isComing = isRecovery && open.some(({ turn }) => turn !== undefined)
      if (!isComing) await dbos.send(workflow.workflowID, null, 'wake')
      return
    }
    const known = await workflowsOf(dbos, thread, { workflowName: 'escapement.thread' })
    const before = known.filter(of => of.seq === seq)
    const soonest = Math.max(...before.map(({ updatedAt = 0 }) => updatedAt)) + RETRY_DELAY
    if (isRecovery && systemClock.now() < soonest) return
    const nth = before.length > 0 ? `.${before.length}` : ''
    await enqueue(`${thread}@${seq}${nth}`, { thread, graph: { graph, specHash } })
  }
  return {
    /** For a command, or the end of a child. */
    wake: (thread: string) => schedule(thread, false),
    /** For a thread that is due and that no process drives. */
    recover: (thread: string) => schedule(thread, true),
  }
}

/** The workflows of a thread that match, with the event they began at. `turn`: it drives one turn. */
async function workflowsOf(dbos: Dbos, thread: string, query: Readonly<Record<string, unknown>>) {
  const prefix = { workflow_id_prefix: `${thread}@`, loadInput: false, loadOutput: false }
  const listed = await dbos.listWorkflows({ ...prefix, ...query })
  return listed.flatMap(workflow => {
    // Another thread may have a name that begins like this one.
    const [, seq, turn] = ID.exec(workflow.workflowID.slice(thread.length)) ?? []
    return seq === undefined ? [] : [{ ...workflow, seq: Number(seq), turn }]
  })
}
