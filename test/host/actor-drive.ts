/** Drives a thread by an XState actor until it ends or waits, as `drive` does. */
import { type AnyActorRef, createActor, type InspectionEvent, type Snapshot } from 'xstate'
import type { Row, Run } from '../../src/core/run/run.ts'
import { hostOf, type Runtime } from '../../src/host/runtime.ts'
import type { DriveOptions } from '../../src/runtime/drive/drive.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { threadLogic } from '../../src/xstate.ts'

export interface ActorDrive extends Pick<DriveOptions, 'start'> {
  readonly graph: Graph
  /** What the actor of an earlier program has persisted. */
  readonly snapshot?: Snapshot<unknown>
  /** Called with each snapshot of an open thread, and once the thread has ended. */
  readonly keep: (snapshot: Snapshot<unknown> | undefined) => void
  readonly onRow?: (row: Row) => void
}

/** The live run, and the run that the actor shows. @throws the error of the actor */
export async function driveByActor(runtime: Runtime, thread: string, given: ActorDrive) {
  const host = hostOf(runtime)
  const left = Promise.withResolvers<void>()
  let run: Run | undefined
  const end = host.changes.subscribe(thread, update => {
    if (update?.kind === 'rows' && update.thread === thread) run = update.items.at(-1)?.run ?? run
    if (!update && !host.drives(thread)) left.resolve()
  })
  const { graph, snapshot, start, keep, onRow } = given
  const actor = createActor(threadLogic(runtime, graph), {
    ...(snapshot ? { snapshot } : { input: { thread, ...start } as never }),
    inspect: (inspected: InspectionEvent) => {
      if (inspected.type === '@xstate.event' && 'row' in inspected.event)
        onRow?.(inspected.event.row as Row)
    },
  })
  const shown = new Promise<void>((resolve, reject) => {
    const look = async () => {
      if (actor.getSnapshot().status === 'done') return resolve()
      await left.promise
      // The actor ends with the error.
      if (host.failureOf(thread) !== undefined) return
      const last = await host.store.thread(thread)
      if (actor.getSnapshot().seq === last?.seq) resolve()
    }
    actor.subscribe({
      next: ({ status }) => {
        keep(status === 'active' ? persisted(actor) : undefined)
        void look()
      },
      error: reject,
    })
    void look()
  })
  actor.start()
  try {
    await shown
    // The ends of abandoned child threads follow the end of the thread.
    if (host.drives(thread)) await left.promise
    const last = actor.getSnapshot().run as Run
    return { run: run ?? last, shown: last }
  } finally {
    end()
    actor.stop()
  }
}

const persisted = (actor: AnyActorRef): Snapshot<unknown> =>
  JSON.parse(JSON.stringify(actor.getPersistedSnapshot()))
