/** Commands that go on with a thread: an answer, a message, a cancellation, or only the next step. */
import type { Run } from '../../../core/run.ts'
import { questionsOf } from '../../../core/view.ts'
import type { ChosenRung, Decision, PersonEvent } from '../../../core/watch/event/event.ts'
import { isWrongGraph } from '../../../host/thread-start.ts'
import { isBoundElsewhere } from '../../../host/load.ts'
import { machineOf, submitLater } from '../../../host/stored.ts'
import type { Command } from '../../../runtime/store/person-event.ts'
import { UsageError, type App, EXIT } from '../app/app.ts'
import { jsonFrom, jsonInput } from '../app/input.ts'
import { report } from './report.ts'
import {
  driveShown,
  type Session,
  type SessionOptions,
  showing,
  storedRun,
  withHost,
} from './thread.ts'

export interface ResumeOptions extends SessionOptions {
  readonly decision?: Decision
  /** A way out of the ladder: an approval that names it. */
  readonly rung?: ChosenRung
  readonly question?: string
  readonly output?: string
  readonly to?: string
  readonly note?: string
}

export async function resume(app: App, thread: string, options: ResumeOptions): Promise<number> {
  return withHost(app, options, async session => {
    const { store } = session.host
    const decision = options.decision ?? (options.rung === undefined ? undefined : 'approved')
    if (decision === undefined) return report(session, thread, await driveShown(session, thread))
    const run = await storedRun(store, await machineOf(store, thread), thread)
    return command(session, thread, decisionOf(run, decision, options))
  })
}

/** A message: it begins a round of a thread that has ended, and is to a busy one what its policy says. */
export async function send(
  app: App,
  thread: string,
  options: SessionOptions & { readonly input: string },
): Promise<number> {
  const input = await jsonInput(options.input)
  return withHost(app, options, session => command(session, thread, { type: 'message', input }))
}

export async function cancel(
  app: App,
  thread: string,
  options: SessionOptions & { readonly reason: string },
): Promise<number> {
  const { reason } = options
  return withHost(app, options, session => command(session, thread, { type: 'cancel', reason }))
}

/** How long the process that drives a thread may take to apply a command, in ms. */
const WAIT_MAX = 10_000

/** Submits a command and carries it out, or leaves that to the process that drives the thread or holds its graph. */
export async function command(session: Session, thread: string, event: Command): Promise<number> {
  const { app, host } = session
  const late = AbortSignal.timeout(WAIT_MAX)
  const signal = AbortSignal.any([late, app.leave])
  try {
    const graph = await host.graphOf(thread)
    const settled = await showing(session, thread, graph, () => host.deliver(thread, event, signal))
    if (!settled.applied) {
      // The drive that refused it may be in the middle of a call.
      if (host.drives(thread)) await host.drive(thread)
      throw new UsageError(`refused: ${settled.because}`)
    }
  } catch (error) {
    if (isWrongGraph(error) || isBoundElsewhere(error)) return leave(session, thread, event, signal)
    if (!late.aborted || error !== late.reason) throw error
    app.err(`the process that drives '${thread}' has not applied the command yet; it is kept\n`)
    return EXIT.busy
  }
  const driven = await driveShown(session, thread, {}, () =>
    app.err(`applied by the process that drives '${thread}'\n`),
  )
  return driven ? report(session, thread, driven) : EXIT.goal
}

/** The graph is not here: the command is kept for the process that holds it. */
async function leave(
  { app, host }: Session,
  thread: string,
  event: Command,
  signal: AbortSignal,
): Promise<number> {
  const { graph, driver, settled } = await submitLater(host, thread, event, signal)
  if (settled && !settled.applied) throw new UsageError(`refused: ${settled.because}`)
  app.err(
    settled
      ? `applied by the process that drives '${thread}'\n`
      : `kept for '${thread}': ${driver ? `'${driver}', which drives it,` : `a process that holds its graph '${graph}'`} applies it (runtime.work(), or \`escapement tick --graph FILE#NAME\`)\n`,
  )
  return settled ? EXIT.goal : EXIT.busy
}

function decisionOf(
  run: Run,
  decision: Decision,
  { rung, question, output, to, note }: ResumeOptions,
): PersonEvent {
  const open = questionsOf(run)
  const effect = question ?? (open.length === 1 ? open[0]?.id : undefined)
  if (effect === undefined)
    throw new UsageError(
      open.length === 0
        ? 'nobody is asked anything in this thread'
        : `several questions are open; name one with --question: ${open.map(({ id }) => id).join(', ')}`,
    )
  return {
    type: 'resume',
    effect,
    decision,
    ...(rung === undefined ? {} : { rung }),
    ...(output === undefined ? {} : { output: jsonFrom('--output', output) }),
    ...(to === undefined ? {} : { to }),
    ...(note === undefined ? {} : { note }),
  }
}

/** Every thread that is due: deadlines, waits, commands, and work whose process has died. With `--json`, one line for each. */
export async function tick(app: App, options: SessionOptions): Promise<number> {
  return withHost(app, options, async session => {
    let code: number = EXIT.goal
    for (const thread of await session.host.due()) {
      try {
        await report(session, thread, await driveShown(session, thread))
      } catch (error) {
        if (app.leave.aborted || (error as Error).name === 'StoreUnavailable') throw error
        // Another process holds the graph and carries the thread on.
        if (isWrongGraph(error) || isBoundElsewhere(error)) continue
        // One thread that cannot go on (a file of its graph is gone) must not keep all others waiting.
        const { message } = error as Error
        if (options.json) app.out(`${JSON.stringify({ thread, error: message })}\n`)
        app.err(`error: thread '${thread}': ${message}\n`)
        code = EXIT.ended
      }
    }
    return code
  })
}
