/** What the commands on a thread share: its store, its host, driving it, its live timeline, and the report on it. */
import type { AgentMachine } from '../../../core/graph/agent-machine.ts'
import type { Row, Run } from '../../../core/run/run.ts'
import { type Json, defined } from '../../../core/watch/data/json.ts'
import type { Host } from '../../../host/drive/host.ts'
import type { HostedDrive } from '../../../host/drive/host-parts.ts'
import { loadGraph } from '../../../host/drive/load.ts'
import { childRuns, openStore, storedHost } from '../../../host/drive/stored.ts'
import type { Graph, Live } from '../../../runtime/ports.ts'
import { replay } from '../../../runtime/store/replay.ts'
import {
  isConflict,
  isStoreUnavailable,
  type Store,
  UnknownThread,
} from '../../../runtime/store/store.ts'
import { isUrl, withoutPassword } from '../../../runtime/store/store-url.ts'
import { existsSync } from 'node:fs'
import { type App, EXIT, exitOf, printResult, ThreadLeft, UsageError } from '../app/app.ts'
import { nearest } from '../print/error.ts'
import { commandLine, DEFAULT_STORE, quoted } from '../print/command-line.ts'
import { nextBlocks } from '../print/next.ts'
import { reportBlocks, reportJson, standingText } from '../print/report.ts'
import { setTimeout as pause } from 'node:timers/promises'
import type { Stamped } from '../../../core/watch/event/event.ts'
import { durationText } from '../../../core/watch/data/duration.ts'
import { type Span, spentText, dim, styled } from '../print/layout.ts'
import { callText, limitsOf, lineOf, nodeOf, nodeWidth } from '../print/line.ts'

export type StoreOptions = Readonly<{ store: string; json?: boolean }>

export interface DriveOptions extends StoreOptions {
  readonly progress: 'auto' | 'always' | 'never'
  readonly clock?: 'system' | 'virtual'
}

export type ControlOptions = DriveOptions & { graph?: string }

export async function withStore<T>(
  { store: file, creates = false }: StoreOptions & { readonly creates?: boolean },
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const isFile = file !== ':memory:' && !isUrl(file)
  if (!creates && file !== DEFAULT_STORE && isFile && !existsSync(file))
    throw new UsageError(`${withoutPassword(file)}: file not found`, {
      hint: '--store FILE opens another store',
    })
  const store = await openStore(file)
  try {
    return await use(store)
  } catch (error) {
    throw error instanceof UnknownThread ? await withNearest(error, store) : error
  } finally {
    await store.close()
  }
}

async function withNearest(error: UnknownThread, store: Store): Promise<Error> {
  const names = (await store.threads()).map(({ thread }) => thread)
  const near = nearest(error.thread, names).join(', ')
  if (near === '') return error
  const hint = `did you mean ${near}? \`escapement threads\` lists all`
  return new UsageError(error.message, { hint, cause: error })
}

/** A command that drives threads. */
export interface Session {
  readonly app: App
  readonly host: Host
  readonly options: ControlOptions
  /** The timelines that are printed now, by thread. */
  readonly shown: Map<string, (update: Live) => void>
}

export async function withHost<T>(
  app: App,
  options: ControlOptions & {
    readonly held?: Graph
    readonly seeded?: boolean
    readonly creates?: boolean
  },
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const { graph, clock, seeded } = options
  const held = options.held ?? (graph === undefined ? undefined : await loadGraph(graph))
  return withStore(options, async store => {
    const shown: Session['shown'] = new Map()
    const host = storedHost({
      store,
      signal: app.signal,
      leave: app.leave,
      say: app.err,
      show: thread => commandLine(`show ${quoted(thread)}`, options),
      isAttended: app.tty,
      live: (update, root) => shown.get(root)?.(update),
      ...defined({ kind: clock, graphs: held && [held], seeded }),
    })
    try {
      return await use({ app, host, options, shown })
    } catch (error) {
      if (isStoreUnavailable(error) && error.isTemporary)
        app.err('waiting up to 30 s for the store, to record that this process stops cleanly\n')
      throw error
    } finally {
      await host.close()
    }
  })
}

/** Prints the timeline of a thread while `work` drives it. */
export async function withTimeline<T>(
  { app, options: { progress, json }, shown }: Session,
  thread: string,
  graph: Graph,
  work: () => Promise<T>,
): Promise<T> {
  if (progress !== 'always' && (progress !== 'auto' || !app.tty || json)) return work()
  const { live, end } = liveOf(app, thread, graph.machine)
  shown.set(thread, live)
  try {
    return await work()
  } finally {
    shown.delete(thread)
    end()
  }
}

type Drive = Pick<HostedDrive, 'graph' | 'start'>
type Busy = (message: string) => void

/** Drives a thread and prints its timeline. If another process drives the thread, calls `busy` and returns `undefined`. */
export async function driveThread(
  session: Session,
  thread: string,
  drive: Drive = {},
  busy: Busy = message => session.app.err(`${message}\n`),
): Promise<Run | undefined> {
  const graph = drive.graph ?? (await session.host.graphOf(thread))
  const work = () => driveQuietly(session, thread, { ...drive, graph }, busy)
  return withTimeline(session, thread, graph, work)
}

/** The same, without the timeline. */
export async function driveQuietly(
  { app, host, options }: Session,
  thread: string,
  drive: Drive,
  busy: Busy,
): Promise<Run | undefined> {
  try {
    return await host.driveOne(thread, drive)
  } catch (error) {
    if (app.leave.aborted && error === app.leave.reason)
      throw new ThreadLeft(app.leave.reason, commandLine(`resume ${quoted(thread)}`, options))
    if (!isConflict(error)) throw error
    busy(error.message)
    return undefined
  }
}

/** The stored run of a thread, after event `at` if given. @throws UnknownThread */
export async function storedRun(store: Store, machine: AgentMachine, thread: string, at?: number) {
  const run = await replay(machine, store, thread, at)
  if (!run) throw new UnknownThread(thread)
  const wrong = `event ${at} does not exist in thread '${thread}'; its last event is ${run.seq}`
  if (at !== undefined && run.seq !== at) throw new UsageError(wrong)
  return run
}

/** The stored source of the graph of a thread. */
export async function sourceOf(store: Store, [first]: readonly Row[]): Promise<Json> {
  const source = first && 'source' in first.event ? first.event.source : ''
  return (await store.getBlob(source ?? '')) ?? null
}

/** Prints the report on a run and drives its parents; returns the exit code of the run. */
export async function report(session: Session, thread: string, run: Run | undefined) {
  if (!run) return EXIT.busy
  const { app, host, options } = session
  await printThread(app, host.store, thread, run, options)
  await driveParents(session, run)
  return exitOf(run)
}

/** Prints the status of a thread. */
export async function printThread(
  app: App,
  store: Store,
  thread: string,
  run: Run,
  options: StoreOptions & { readonly graph?: string },
): Promise<void> {
  const below = await childRuns(store, run)
  const parts = { rows: await store.rows(thread), below }
  printResult(app, options, reportJson(thread, run, parts), () => [
    ...reportBlocks(thread, run, parts),
    ...nextBlocks(thread, run, options, { below }),
  ])
}

/** Continues the parent that waited for this run, and then its own parent, unless another process drives it. */
async function driveParents(session: Session, run: Run): Promise<void> {
  const parent = await session.host.parentOf(run)
  if (parent === undefined) return
  const after = await driveThread(session, parent, {}, () => {})
  if (!after) return
  const below = await childRuns(session.host.store, after)
  session.app.err(`parent ${parent}: ${standingText(after, below)}\n`)
  await driveParents(session, after)
}

/** Ms between two updates of the line. */
const UPDATE_INTERVAL = 100
/** Ms that a call runs before the line shows it. */
const SHOW_AFTER = 200

type RunningCall = Readonly<{ text: string; since: number }>

export function liveOf(
  app: Pick<App, 'note' | 'status' | 'tty'>,
  thread: string,
  machine: AgentMachine,
): { readonly live: (update: Live) => void; readonly end: () => void } {
  const width = nodeWidth(machine)
  const running = new Map<string, RunningCall>()
  let latest: Run | undefined
  let ended = false
  if (app.tty) void update()
  return { live, end }

  function live(update: Live): void {
    // The parent prints the lines of the items of a map.
    if (update.kind !== 'rows' || update.items[0]?.run.parent?.item) return
    const child = update.thread === thread ? '' : `${update.thread.slice(thread.length + 1)}: `
    for (const { row, run } of update.items) {
      app.note(lineOf(row, { startedAt: run.startedAt, width, child }))
      track(row.event)
      if (child === '') latest = run
    }
  }

  function end(): void {
    ended = true
    app.note(latest ? [''] : [])
  }

  function track(event: Stamped): void {
    if (!('call' in event) || event.type === 'reported') return
    const text = runningText(event)
    if (text === undefined) running.delete(event.call)
    else running.set(event.call, { text: `${nodeOf(event)}  ${text}`, since: Date.now() })
  }

  async function update(): Promise<void> {
    for (; !ended; await pause(UPDATE_INTERVAL)) {
      const [first] = running.values()
      if (first && Date.now() - first.since >= SHOW_AFTER) app.status(statusOf(first))
    }
  }

  function statusOf({ text, since }: RunningCall): readonly Span[] {
    const more = running.size > 1 ? ` and ${running.size - 1} more` : ''
    const elapsed = styled(`  ⟳ ${durationText(Date.now() - since).padEnd(6)}`, 'cyan')
    const spent = latest
      ? spentText(latest.watch.account.spent, limitsOf(latest.policy), ['steps', 'usd'])
      : []
    return [elapsed, ` ${text.slice(0, 60)}${more}  `, dim('· '), ...spent]
  }
}

/** The text of a call that an event leaves running. */
function runningText(event: Stamped): string | undefined {
  if (event.type === 'tool.called') return callText(event.subject, event.args)
  if (event.type === 'model.called') return event.subject
  if (event.type !== 'call.waiting') return undefined
  if (event.since !== undefined)
    return `${event.subject} waits ${durationText(event.until - event.at)} for its breaker`
  if (event.attempt === 0)
    return `${event.subject} polls again in ${durationText(event.until - event.at)}`
  return `${event.subject} retries in ${durationText(event.until - event.at)}`
}
