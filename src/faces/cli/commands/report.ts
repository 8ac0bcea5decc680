/** Reports on a thread and its family: questions of its children, and parents that continue when a child ends. */
import type { Run } from '../../../core/run.ts'
import { childQuestions } from '../../../host/stored.ts'
import type { Store } from '../../../runtime/store/store.ts'
import { type App, EXIT, exitOf } from '../app/app.ts'
import { nextBlocks, reportBlocks, reportJson, standingText } from '../print/report.ts'
import { driveShown, type OutputOptions, type Session } from './thread.ts'

/** Prints the report of a run and drives its parents; returns the exit code of the run. */
export async function report(
  session: Session,
  thread: string,
  run: Run | undefined,
): Promise<number> {
  if (!run) return EXIT.busy
  const { app, host, options } = session
  await printThread(app, { store: host.store, thread, run }, options)
  await driveParents(session, run)
  return exitOf(run)
}

interface Printed {
  readonly store: Store
  readonly thread: string
  readonly run: Run
}

/** Prints how a thread stands. */
export async function printThread(
  app: App,
  { store, thread, run }: Printed,
  { json }: Pick<OutputOptions, 'json'>,
): Promise<void> {
  const rows = await store.rows(thread)
  const below = await childQuestions(store, run)
  if (json) app.out(`${JSON.stringify(reportJson(thread, run, { rows, below }))}\n`)
  else app.print([...reportBlocks(thread, run, { rows, below }), ...nextBlocks(thread, run)])
}

/** A parent that waited for the child continues, and then its own parent, unless another process drives it. */
async function driveParents(session: Session, run: Run): Promise<void> {
  const parent = await session.host.parentOf(run)
  if (parent === undefined) return
  const driven = await driveShown(session, parent, {}, () => {})
  if (!driven) return
  session.app.err(`parent ${parent}: ${standingText(driven)}\n`)
  await driveParents(session, driven)
}
