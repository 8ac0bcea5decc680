/** Reports on a thread and its family: questions of its children, and parents that continue when a child ends. */
import { isOver, type Row, type Run } from '../../../core/run.ts'
import type { Store } from '../../../runtime/store/store.ts'
import type { App } from '../app.ts'
import { EXIT, exitOf } from '../exit.ts'
import { childrenWaitedFor, type OpenQuestion, questionsOf } from '../../../core/view.ts'
import { nextBlocks, reportBlocks, reportJson, standingText } from '../print/report.ts'
import {
  type DriveShownOptions,
  driveShown,
  graphOf,
  machineOf,
  type OutputOptions,
  storedRun,
} from './thread.ts'

/** Prints the report of a run and drives its parents; returns the exit code of the run. */
export async function report(
  app: App,
  of: Pick<DriveShownOptions, 'store' | 'thread'>,
  run: Run | undefined,
  options: OutputOptions,
): Promise<number> {
  if (!run) return EXIT.busy
  const { store } = of
  await printThread(app, of, run, options)
  await driveParents(app, store, run, options)
  return exitOf(run)
}

/** Prints how a thread stands. */
export async function printThread(
  app: App,
  { store, thread }: Pick<DriveShownOptions, 'store' | 'thread'>,
  run: Run,
  { json }: Pick<OutputOptions, 'json'>,
): Promise<void> {
  const rows: readonly Row[] = await store.rows(thread)
  const below = await childQuestions(app, store, run)
  if (json) app.out(`${JSON.stringify(reportJson(thread, run, { rows, below }))}\n`)
  else app.print([...reportBlocks(thread, run, { rows, below }), ...nextBlocks(thread, run)])
}

/** The questions of the children that a thread waits for, and of theirs. */
export async function childQuestions(
  app: App,
  store: Store,
  run: Run,
): Promise<readonly OpenQuestion[]> {
  const asked = await Promise.all(
    childrenWaitedFor(run).map(async ({ thread }) => {
      const child = await storedRun(store, await machineOf(app, store, thread), thread)
      return [
        ...questionsOf(child).map(question => ({ thread, ...question })),
        ...(await childQuestions(app, store, child)),
      ]
    }),
  )
  return asked.flat()
}

/** A parent that waited for the child continues, and then its own parent, unless another process drives it. */
async function driveParents(
  app: App,
  store: Store,
  run: Run,
  options: OutputOptions,
): Promise<void> {
  if (!run.parent || !isOver(run)) return
  const { thread } = run.parent
  const summary = await store.thread(thread)
  if (!summary || summary.status === 'ended') return
  const driven = await driveShown(
    app,
    { graph: await graphOf(app, store, thread), store, thread },
    options,
    () => {},
  )
  if (!driven) return
  app.err(`parent ${thread}: ${standingText(driven)}\n`)
  await driveParents(app, store, driven, options)
}
