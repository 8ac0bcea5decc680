/** `show` for a thread that was recorded from an agent in another framework: there is no machine, and none is needed. */
import type { Row } from '../../../core/run.ts'
import { wrappedRuns } from '../../../core/wrapped-run.ts'
import type { Json } from '../../../core/watch/json.ts'
import { retryLedger } from '../../../core/watch/failure/retries.ts'
import type { Store } from '../../../runtime/store/store.ts'
import { type App, UsageError } from '../app.ts'
import { EXIT } from '../exit.ts'
import { escapesBlocks } from '../print/escapes.ts'
import type { Block } from '../print/layout.ts'
import { lineOf } from '../print/line.ts'
import { reportJson, reportBlocks } from '../print/report.ts'
import { retriesBlocks } from '../print/retries.ts'

interface Showing {
  /** The number of the last event that is shown. */
  readonly at: number | undefined
  readonly json?: boolean
  readonly follow?: boolean
  readonly rejudge?: boolean
}

const FOLLOW_EVERY = 500

export async function showWrapped(
  app: App,
  store: Store,
  thread: string,
  { at, json, follow, rejudge }: Showing,
): Promise<number> {
  if (rejudge)
    throw new UsageError(
      `thread '${thread}' is recorded from an agent in another framework: what it could have done instead is not known here`,
    )
  const rows = (await store.rows(thread)).filter(({ seq }) => at === undefined || seq <= at)
  const runs = wrappedRuns(rows)
  const run = runs.at(-1)
  if (!run) return EXIT.goal
  const told = { rows, below: [] }
  const ledger = retryLedger(rows)
  if (json)
    app.out(
      `${JSON.stringify({ ...(reportJson(thread, run, told) as object), retries: ledger, run: run as unknown as Json })}\n`,
    )
  else
    app.print([
      ...reportBlocks(thread, run, told),
      ...retriesBlocks(ledger),
      '',
      ...linesOf(rows),
      ...escapesBlocks(rows),
    ])
  for (
    let all = rows;
    follow && !app.signal.aborted && !app.leave.aborted;
    await app.pause(FOLLOW_EVERY)
  ) {
    const news = await store.rows(thread, all.at(-1)?.seq)
    all = [...all, ...news]
    if (json) for (const row of news) app.out(`${JSON.stringify(row)}\n`)
    else app.print(linesOf(all, news.length))
    if ((await store.thread(thread))?.status === 'ended') break
  }
  return EXIT.goal
}

/** The lines of the last `count` rows. */
function linesOf(rows: readonly Row[], count = rows.length): readonly Block[] {
  const runs = wrappedRuns(rows)
  return rows.flatMap((row, index) => {
    const run = runs[index]
    return run && index >= rows.length - count ? lineOf(row, run) : []
  })
}
