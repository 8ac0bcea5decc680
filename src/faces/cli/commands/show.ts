/** Commands that only look: a thread, all threads, a journal. */
import { setTimeout as pause } from 'node:timers/promises'
import type { AgentMachine } from '../../../core/graph/agent-machine.ts'
import type { Log } from '../../../core/graph/log.ts'
import { reviewOf } from '../../../core/review/review.ts'
import { isWrapped, wrappedRuns } from '../../../core/wrapped-run.ts'
import type { Row, Run } from '../../../core/run.ts'
import { retryLedger } from '../../../core/watch/retries.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import { rejudge } from '../../../runtime/store/replay.ts'
import { type Store, UnknownThread } from '../../../runtime/store/store.ts'
import { childQuestions, machineOf } from '../../../host/stored.ts'
import { type App, UsageError, EXIT } from '../app/app.ts'
import { escapesBlocks } from '../print/escapes.ts'
import { childrenIn, familyBlocks } from '../print/family.ts'
import { jsonText, lineOf, nodeWidth } from '../print/line.ts'
import type { Block } from '../print/layout.ts'
import { retriesBlocks } from '../print/retries.ts'
import { questionsOf } from '../../../core/view.ts'
import { membersSection, nextBlocks, reportBlocks, reportJson, section } from '../print/report.ts'
import { threadsTable } from '../print/tables.ts'
import { reviewBlocks } from '../print/review.ts'
import { wholeNumber } from './run.ts'
import { type StoreOption, storedRun, withStore } from './thread.ts'

export interface ShowOptions extends StoreOption {
  readonly json?: boolean
  readonly at?: string
  readonly follow?: boolean
  readonly rejudge?: boolean
}

const FOLLOW_EVERY = 500

export async function show(app: App, thread: string, options: ShowOptions): Promise<number> {
  const at = options.at === undefined ? undefined : wholeNumber('--at', options.at)
  return withStore(options, async store => {
    const { run, rows, machine } = await historyOf(store, thread, at)
    if (options.rejudge && !machine)
      throw new UsageError(
        `thread '${thread}' is recorded from an agent in another framework: what it could have done instead is not known here`,
      )
    const below = await childQuestions(store, run)
    const retries = retryLedger(rows)
    const reviews = machine
      ? questionsOf(run).flatMap(({ id }) => reviewOf(machine, run, rows, id) ?? [])
      : []
    const width = machine ? nodeWidth(machine) : 0
    const timeline = (shown: readonly Row[]) =>
      shown.flatMap(row => lineOf(row, { startedAt: run.startedAt, width }))
    if (options.json) {
      const report = reportJson(thread, run, { rows, below }) as object
      const inside = machine ? { children: childrenIn(run, rows), reviews } : {}
      app.out(`${JSON.stringify({ ...report, ...inside, retries, run })}\n`)
    } else
      app.print([
        ...reportBlocks(thread, run, { rows, below }),
        ...familyBlocks(run, rows),
        ...retriesBlocks(retries),
        ...(machine ? contextBlocks(machine, run) : []),
        '',
        ...timeline(rows),
        ...escapesBlocks(rows),
        ...reviews.flatMap(review => ['', ...reviewBlocks(review)]),
        ...(machine ? ['', ...nextBlocks(thread, run, true)] : []),
      ])
    if (machine && options.rejudge) app.out(rejudgedText(rejudge(machine, rows)))
    for (
      let { seq } = run;
      options.follow && !app.signal.aborted && !app.leave.aborted;
      await pause(FOLLOW_EVERY)
    ) {
      const news = await store.rows(thread, seq)
      if (options.json) for (const row of news) app.out(`${JSON.stringify(row)}\n`)
      else app.print(timeline(news))
      seq = news.at(-1)?.seq ?? seq
      if ((await store.thread(thread))?.status === 'ended') break
    }
    return EXIT.goal
  })
}

interface History {
  readonly run: Run
  readonly rows: readonly Row[]
  /** Absent for an agent in another framework. */
  readonly machine?: AgentMachine
}

/** A thread up to event `at`. @throws UnknownThread */
async function historyOf(store: Store, thread: string, at: number | undefined): Promise<History> {
  const upTo = async (last = Number.POSITIVE_INFINITY) =>
    (await store.rows(thread)).filter(({ seq }) => seq <= last)
  const [first] = await store.rows(thread, -1, 1)
  if (isWrapped(first?.event)) {
    const rows = await upTo(at)
    const run = wrappedRuns(rows).at(-1)
    if (!run) throw new UnknownThread(thread)
    return { run, rows }
  }
  const machine = await machineOf(store, thread)
  const run = await storedRun(store, machine, thread, at)
  return { run, rows: await upTo(run.seq), machine }
}

function rejudgedText(differences: ReturnType<typeof rejudge>): string {
  if (differences.length === 0) return "today's policy and detectors would have said the same\n"
  return differences
    .map(({ seq, then, now }) => `event ${seq}: said ${then}; would say ${now}\n`)
    .join('')
}

/** The state and the channels; of a log only its length, the journal has the rest. */
function contextBlocks({ logs }: AgentMachine, { snapshot }: Run): readonly Block[] {
  const channels = Object.entries(snapshot.context).map(([name, value]) => [
    name,
    logs.has(name) ? { items: (value as unknown as Log).length } : value,
  ])
  const state = typeof snapshot.value === 'string' ? snapshot.value : jsonText(snapshot.value)
  return [
    ...section('state', [[state]]),
    ...membersSection('context', Object.fromEntries(channels) as Json, VALUE),
  ]
}

/** Characters of the value of a channel. */
const VALUE = 200

export async function threads(
  app: App,
  options: StoreOption & { readonly json?: boolean },
): Promise<number> {
  return withStore(options, async store => {
    const all = await store.threads()
    if (options.json) app.out(`${JSON.stringify(all)}\n`)
    else app.print(threadsTable(all))
    return EXIT.goal
  })
}

/** The journal, one row a line, as it is stored. */
export async function exportThread(
  app: App,
  thread: string,
  options: StoreOption,
): Promise<number> {
  return withStore(options, async store => {
    await machineOf(store, thread)
    const page = 1_000
    for (let after = -1; ; ) {
      const rows = await store.rows(thread, after, page)
      for (const row of rows) app.out(`${JSON.stringify(row)}\n`)
      if (rows.length < page) return EXIT.goal
      after = rows.at(-1)?.seq ?? after
    }
  })
}
