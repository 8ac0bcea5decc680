/** Commands that only read: a thread, its effects, all threads. */
import { setTimeout as pause } from 'node:timers/promises'
import type { AgentMachine } from '../../../core/graph/agent-machine.ts'
import { effectsOf } from '../../../core/review/ledger.ts'
import { reviewOf } from '../../../core/review/review.ts'
import type { Row, Run } from '../../../core/run/run.ts'
import { questionsOf } from '../../../core/run/view.ts'
import { defined } from '../../../core/watch/data/json.ts'
import { retryLedger } from '../../../core/watch/retries.ts'
import { isWrapped, wrappedRuns } from '../../../core/run/wrapped-run.ts'
import { isSpecAlone } from '../../../host/drive/load.ts'
import { createRuntime } from '../../../host/runtime.ts'
import { childRuns, machineOf, unreachableThreads } from '../../../host/drive/stored.ts'
import { rejudge } from '../../../runtime/store/replay.ts'
import type { Store, ThreadQuery, ThreadSummary } from '../../../runtime/store/store.ts'
import { UnknownThread } from '../../../runtime/store/store.ts'
import { type App, EXIT, parseWholeNumber, printResult, UsageError } from '../app/app.ts'
import { nextBlocks } from '../print/next.ts'
import { childrenIn, contextBlocks, familyBlocks } from '../print/report.ts'
import { reportBlocks, reportJson, retriesBlocks } from '../print/report.ts'
import { escapesBlocks, reviewBlocks } from '../print/escapes.ts'
import type { Blocks } from '../print/layout.ts'
import { lineOf, nodeWidth } from '../print/line.ts'
import { openCallBlocks } from '../print/open-calls.ts'
import { effectsTable, threadsTable, unreachableTable } from '../print/tables.ts'
import { graphsIn } from './serve.ts'
import { sourceOf, type StoreOptions, storedRun, withStore } from './thread.ts'

type ShowOptions = StoreOptions & { at?: string; follow?: boolean; rejudge?: boolean }

const FOLLOW_INTERVAL = 500

export async function show(app: App, thread: string, options: ShowOptions): Promise<number> {
  const at = options.at === undefined ? undefined : parseWholeNumber('--at', options.at)
  return withStore(options, async store => {
    const history = await historyOf(store, thread, at)
    const { run, rows, machine } = history
    const wrong = `thread '${thread}' was recorded from an agent in another framework; --rejudge needs the graph of the thread`
    if (options.rejudge && !machine) throw new UsageError(wrong)
    const timeline = timelineOf(history)
    const rejudged = machine && options.rejudge ? rejudge(machine, rows) : undefined
    await printHistory({ app, store, thread, history, options, rejudged })
    if (!options.follow) return EXIT.goal
    const stop = AbortSignal.any([app.signal, app.leave])
    for (let { seq } = run; !stop.aborted; await pause(FOLLOW_INTERVAL)) {
      const rows = await store.rows(thread, seq)
      if (options.json) for (const row of rows) app.out(`${JSON.stringify(row)}\n`)
      else app.print(timeline(rows))
      seq = rows.at(-1)?.seq ?? seq
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

function timelineOf({ run: { startedAt }, machine }: History) {
  const width = machine ? nodeWidth(machine) : 0
  return (rows: readonly Row[]) => rows.flatMap(row => lineOf(row, { startedAt, width }))
}

type Rejudged = ReturnType<typeof rejudge>

interface Printed {
  readonly app: App
  readonly store: Store
  readonly thread: string
  readonly history: History
  readonly options: ShowOptions
  readonly rejudged: Rejudged | undefined
}

async function printHistory({ app, store, thread, history, options, rejudged }: Printed) {
  const { run, rows, machine } = history
  const parts = { rows, below: await childRuns(store, run) }
  const retries = retryLedger(rows)
  const reviews = machine
    ? questionsOf(run).flatMap(({ id }) => reviewOf(machine, run, rows, id) ?? [])
    : []
  const report = reportJson(thread, run, parts) as object
  const source = await sourceOf(store, rows)
  const place = isSpecAlone(source) ? { ...options, graph: 'FILE#NAME' } : options
  const details = machine && { children: childrenIn(run, rows), reviews }
  const value = { ...report, ...details, retries, ...defined({ rejudged }), run }
  printResult(app, options, value, () => [
    ...reportBlocks(thread, run, parts),
    ...familyBlocks(run, rows),
    ...retriesBlocks(retries),
    ...(machine ? contextBlocks(machine, run) : []),
    '',
    ...timelineOf(history)(rows),
    ...(machine ? openCallBlocks(run, rows, nodeWidth(machine)) : []),
    ...escapesBlocks(rows),
    ...reviews.flatMap(review => ['', ...reviewBlocks(review)]),
    ...(machine ? ['', ...nextBlocks(thread, run, place, { ...parts, shown: true })] : []),
    ...(rejudged ? rejudgedBlocks(rejudged) : []),
  ])
}

function rejudgedBlocks(differences: Rejudged): Blocks {
  if (differences.length === 0) return ["today's policy and detectors decide the same"]
  const textOf = ({ seq, then, now }: (typeof differences)[number]) =>
    `event ${seq}: was ${then}; today ${now}`
  return differences.map(each => ({ wrap: textOf(each), hang: 0 }))
}

export async function effects(app: App, thread: string, options: StoreOptions): Promise<number> {
  return withStore(options, async store => {
    if (!(await store.thread(thread))) throw new UnknownThread(thread)
    const ledger = effectsOf(await store.rows(thread))
    const value = { thread, effects: ledger }
    return printResult(app, options, value, () => effectsTable(thread, ledger))
  })
}

type ThreadsOptions = StoreOptions &
  Omit<ThreadQuery, 'after' | 'order' | 'limit'> & {
    readonly latest?: string
    readonly stale?: string | true
  }

export async function threads(app: App, options: ThreadsOptions): Promise<number> {
  const { stale } = options
  const query = queryOf(options)
  if (stale && Object.keys(query).length > 0)
    throw new UsageError('--stale lists all open threads of other versions: expected no filter')
  const graphs = stale && (await graphsIn(app, stale === true ? 'graphs' : stale, '--stale'))
  return withStore(options, async store => {
    if (graphs) {
      const found = await createRuntime({ store, graphs }).unreachable()
      return printResult(app, options, found, () => threadsTable(found))
    }
    const found = await store.page(query)
    const all = query.order ? found : found.toSorted((a, b) => a.startedAt - b.startedAt)
    const unreachable = await unreachableThreads(store, all)
    const isHeld = ({ thread }: ThreadSummary) => !unreachable.has(thread)
    const value = all.map(each => (isHeld(each) ? each : { ...each, unreachable: true }))
    return printResult(app, options, value, () => [
      ...threadsTable(all.filter(isHeld)),
      ...(unreachable.size > 0 ? unreachableTable(all.filter(each => !isHeld(each))) : []),
    ])
  })
}

function queryOf({ latest, ...filter }: ThreadsOptions): ThreadQuery {
  const { graph, status, outcome, prefix, finding, minUsd } = filter
  return defined({
    ...{ graph, status, outcome, prefix, finding, minUsd },
    ...(latest !== undefined && {
      order: 'latest' as const,
      limit: parseWholeNumber('--latest', latest),
    }),
  })
}
