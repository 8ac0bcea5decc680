/** Commands that only look: a thread, all threads, a journal. */
import { refold } from '../../../core/advance.ts'
import type { AgentMachine } from '../../../core/graph/agent-machine.ts'
import type { Log } from '../../../core/graph/log.ts'
import { reviewOf } from '../../../core/review/review.ts'
import { isWrapped } from '../../../core/wrapped-run.ts'
import { type Row, type Run, type Started, initialRun } from '../../../core/run.ts'
import type { Stamped } from '../../../core/watch/event.ts'
import { retryLedger } from '../../../core/watch/failure/retries.ts'
import type { Json } from '../../../core/watch/json.ts'
import { rejudge } from '../../../runtime/store/replay.ts'
import type { ThreadSummary } from '../../../runtime/store/store.ts'
import type { App } from '../app.ts'
import { EXIT } from '../exit.ts'
import { escapesText } from '../print/escapes.ts'
import { childrenIn, familyText } from '../print/family.ts'
import { lineOf } from '../print/line.ts'
import { retriesText } from '../print/retries.ts'
import { questionsOf } from '../../../core/view.ts'
import { reportJson, reportText } from '../print/report.ts'
import { reviewText } from '../print/review.ts'
import { childQuestions } from './report.ts'
import { wholeNumber } from './run.ts'
import { showWrapped } from './show-wrapped.ts'
import { beginningOf, machineOf, type StoreOption, storedRun, withStore } from './thread.ts'

export interface ShowOptions extends StoreOption {
  readonly json?: boolean
  readonly at?: string
  readonly follow?: boolean
  readonly rejudge?: boolean
}

const FOLLOW_EVERY = 500

export async function show(app: App, thread: string, options: ShowOptions): Promise<number> {
  const at = options.at === undefined ? undefined : wholeNumber('--at', options.at)
  return withStore(app, options, async store => {
    if (isWrapped(await beginningOf(store, thread)))
      return showWrapped(app, store, thread, { ...options, at })
    const machine = await machineOf(app, store, thread)
    const run = await storedRun(store, machine, thread, at)
    const rows = (await store.rows(thread)).filter(({ seq }) => seq <= run.seq)
    const below = await childQuestions(app, store, run)
    const ledger = retryLedger(rows)
    const reviews = questionsOf(run).flatMap(({ id }) => reviewOf(machine, run, rows, id) ?? [])
    if (options.json)
      app.out(
        `${JSON.stringify({ ...(reportJson(thread, run, { rows, below }) as object), children: childrenIn(run, rows), retries: ledger, reviews, run: run as unknown as Json })}\n`,
      )
    else {
      const lines = [
        ...linesOf(machine, undefined, rows).lines,
        '',
        escapesText(rows),
        '',
        ...reviews.flatMap(review => [reviewText(review), '']),
      ]
      app.out(
        [
          reportText(thread, run, { rows, below }),
          ...familyText(run, rows),
          ...retriesText(ledger),
          contextText(machine, run),
          ...lines,
        ].join('\n'),
      )
    }
    if (options.rejudge) app.out(rejudgedText(rejudge(machine, rows)))
    for (
      let seen = run;
      options.follow && !app.signal.aborted && !app.leave.aborted;
      await app.pause(FOLLOW_EVERY)
    ) {
      const news = await store.rows(thread, seen.seq)
      const told = linesOf(machine, seen, news)
      for (const line of options.json ? news.map(row => JSON.stringify(row)) : told.lines)
        app.out(`${line}\n`)
      seen = told.run ?? seen
      if ((await store.thread(thread))?.status === 'ended') break
    }
    return EXIT.goal
  })
}

/** The lines of rows, each with what had been spent by then; `from` is the run before the first. */
function linesOf(
  machine: AgentMachine,
  from: Run | undefined,
  rows: readonly Row[],
): { readonly lines: readonly string[]; readonly run: Run | undefined } {
  let run = from
  const lines = rows.flatMap(row => {
    run = refold(machine, run ?? initialRun(row.event as Stamped<Started>), row)
    return lineOf(row, run) ?? []
  })
  return { lines, run }
}

function rejudgedText(differences: ReturnType<typeof rejudge>): string {
  if (differences.length === 0) return "today's policy and detectors would have said the same\n"
  return differences
    .map(({ seq, then, now }) => `event ${seq}: said ${then}; would say ${now}\n`)
    .join('')
}

/** The state and the channels; of a log only its length, the journal has the rest. */
function contextText({ logs }: AgentMachine, { snapshot }: Run): string {
  const channels = Object.entries(snapshot.context).map(([name, value]) => [
    name,
    logs.has(name) ? `(${(value as unknown as Log).length} items)` : value,
  ])
  const text = JSON.stringify(Object.fromEntries(channels))
  return `  state: ${JSON.stringify(snapshot.value)}\n  context: ${text.length > 800 ? `${text.slice(0, 800)}…` : text}\n`
}

export async function threads(
  app: App,
  options: StoreOption & { readonly json?: boolean },
): Promise<number> {
  return withStore(app, options, async store => {
    const all = await store.threads()
    if (options.json) app.out(`${JSON.stringify(all)}\n`)
    else app.out(all.length === 0 ? 'no threads\n' : all.map(threadLine).join(''))
    return EXIT.goal
  })
}

function threadLine({
  thread,
  graph,
  status,
  outcome,
  detail,
  seq,
  at,
  lease,
}: ThreadSummary): string {
  return `${thread.padEnd(28)} ${graph.padEnd(14)} ${(outcome ?? status).padEnd(10)} ${detail.padEnd(20)} ${seq + 1} events, last ${new Date(at).toISOString()}${lease ? `, driven by ${lease.owner}` : ''}\n`
}

/** The journal, one row a line, as it is stored. */
export async function exportThread(
  app: App,
  thread: string,
  options: StoreOption,
): Promise<number> {
  return withStore(app, options, async store => {
    await machineOf(app, store, thread)
    const page = 1_000
    for (let after = -1; ; ) {
      const rows = await store.rows(thread, after, page)
      for (const row of rows) app.out(`${JSON.stringify(row)}\n`)
      if (rows.length < page) return EXIT.goal
      after = rows.at(-1)?.seq ?? after
    }
  })
}
