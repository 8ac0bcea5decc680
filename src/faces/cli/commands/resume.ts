/** Commands that continue a thread: an answer, a message, a cancellation, a policy change, or only the next step. */
import type { Run } from '../../../core/run/run.ts'
import { questionsOf } from '../../../core/run/view.ts'
import { canonical, defined } from '../../../core/watch/data/json.ts'
import type { ChosenRung, Decision, PersonEvent } from '../../../core/watch/event/event.ts'
import { raisedThresholds } from '../../../core/watch/detect/thresholds.ts'
import { notationOf } from '../../../core/watch/policy/policy.ts'
import type { Settled } from '../../../host/drive/command.ts'
import { isBoundElsewhere, loadPolicyChange } from '../../../host/drive/load.ts'
import { childRuns, machineOf, submitLater } from '../../../host/drive/stored.ts'
import { isWrongGraph } from '../../../runtime/store/source.ts'
import type { Command } from '../../../runtime/store/person-event.ts'
import { summaryOf } from '../../../runtime/store/store.ts'
import type { App, Perform } from '../app/app.ts'
import { EXIT, jsonInput, parseJson, printResult, UsageError } from '../app/app.ts'
import { commandLine, quoted } from '../print/command-line.ts'
import { childCommand } from '../print/next.ts'
import { type ChildRun, pausesBelow, questionsBelow, raisedText } from '../print/report.ts'
import { policyTable } from '../print/tables.ts'
import { driveQuietly, driveThread, report, storedRun } from './thread.ts'
import { withHost, withStore, withTimeline } from './thread.ts'
import type { ControlOptions, Session } from './thread.ts'

export interface ResumeOptions extends ControlOptions {
  readonly decision?: Decision
  /** Approves, and names the rung to take. */
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
    const { question, output, to, note } = options
    if (decision === undefined && [question, output, to, note].some(Boolean))
      throw new UsageError('an answer needs --decision or --rung')
    const run = await storedRun(store, await machineOf(store, thread), thread)
    if (decision === undefined)
      return run.paused
        ? submit(session, thread, { type: 'continue' })
        : report(session, thread, await driveThread(session, thread))
    const below = await childRuns(store, run)
    return submit(session, thread, answerOf(run, decision, { ...options, below }))
  })
}

function answerOf(
  run: Run,
  decision: Decision,
  options: ResumeOptions & { readonly below: readonly ChildRun[] },
): PersonEvent {
  const { rung, question, output, to, note } = options
  const open = questionsOf(run)
  const isOwn = open.some(({ id }) => id === question)
  if (!isOwn && questionsBelow(options.below).some(({ id }) => id === question))
    throw withoutQuestion(run, options)
  const effect = question ?? (open.length === 1 ? open[0]?.id : undefined)
  if (effect === undefined && open.length === 0) throw withoutQuestion(run, options)
  if (effect === undefined)
    throw new UsageError(
      `several questions are open; name one with --question: ${open.map(({ id }) => id).join(', ')}`,
    )
  const json = output === undefined ? undefined : parseJson('--output', output)
  return { type: 'resume', effect, decision, ...defined({ rung, output: json, to, note }) }
}

/** The error of an answer to a thread that does not ask. A child thread may ask, or be paused. */
function withoutQuestion(
  { paused }: Run,
  options: ResumeOptions & { readonly below: readonly ChildRun[] },
): UsageError {
  const { question } = options
  const wrong = `this thread has no open question${question === undefined ? '' : ` '${question}'`}`
  if (paused)
    return new UsageError(`${wrong}; it is paused: without an answer, \`resume\` continues it`)
  const { below } = options
  const asks = questionsBelow(below).map(({ id, thread }) => `${id} of ${thread}`)
  const waits = asks.length > 0 ? `open in its child threads: ${asks.join(', ')}` : undefined
  const [pause] = pausesBelow(below)
  const reason = waits ?? (pause === undefined ? undefined : `it waits for ${pause}`)
  const command = childCommand(below)
  if (reason === undefined || command === undefined) return new UsageError(wrong)
  return new UsageError(`${wrong}; ${reason}`, { hint: commandLine(command, options) })
}

/** Sends a message. It starts the next round of a thread that has ended; `rounds.busy` of the policy decides what a busy thread does with it. */
export const send: Perform<ControlOptions & { input: string }> = async (app, thread, options) => {
  const input = await jsonInput(app, options.input)
  return withHost(app, options, session => submit(session, thread, { type: 'message', input }))
}

export const cancel: Perform<ControlOptions & { reason: string }> = (app, thread, options) => {
  const { reason } = options
  return withHost(app, options, session => submit(session, thread, { type: 'cancel', reason }))
}

/** Prints the policy of a thread, or changes it while the thread runs. */
export const policy: Perform<
  ControlOptions & { readonly set: readonly string[]; readonly file?: string }
> = async (app, thread, options) => {
  const { set, file } = options
  if (set.length > 0 || file !== undefined) {
    const change = await loadPolicyChange(set, file)
    return withHost(app, options, session =>
      submit(session, thread, { type: 'policy.change', change }),
    )
  }
  return withStore(options, async store => {
    const run = await storedRun(store, await machineOf(store, thread), thread)
    const { policy, watch } = run
    const raised = raisedThresholds(policy.detect, watch.dismissed)
    const value = { thread, policy: notationOf(policy), raised }
    return printResult(app, options, value, () => [
      policyTable(policy),
      ...raised.map(each => `raised: ${raisedText(each)}`),
    ])
  })
}

/** How long the process that drives a thread may take to apply a command, in ms. */
const APPLY_TIMEOUT = 10_000

/** Submits a command and drives the thread, or leaves both to the process that drives the thread or holds its graph. */
export async function submit(session: Session, thread: string, event: Command): Promise<number> {
  const { app, host, options } = session
  // The caller expects this graph to run the thread: a command would wait for another process.
  if (options.graph !== undefined) await host.graphOf(thread)
  const late = AbortSignal.timeout(APPLY_TIMEOUT)
  const signal = AbortSignal.any([late, app.leave])
  const noteApplied = () => app.err(`applied by the process that drives '${thread}'\n`)
  const noteQueued = (error: unknown) => {
    if (!late.aborted || error !== late.reason) throw error
    app.err(`queued: the process that drives '${thread}' has not applied the command yet\n`)
    return EXIT.busy
  }
  const { seq = 0 } = (await host.store.thread(thread)) ?? {}
  let run: Run | undefined
  try {
    const graph = await host.graphOf(thread)
    // The thread goes on as soon as the command is applied.
    run = await withTimeline(session, thread, graph, async () => {
      const settled = await host.deliver(thread, event, { signal })
      if (!settled.applied) {
        // The drive that rejected the command may have a call in progress.
        if (host.drives(thread)) await host.driveOne(thread)
        if (!(await wasQueued(session, { thread, seq }, event)))
          throw refusal(session, thread, settled)
        app.err(`applied the answer that was queued for '${thread}' before\n`)
      }
      return driveQuietly(session, thread, { graph }, noteApplied)
    })
  } catch (error) {
    if (!isHeldElsewhere(error)) return noteQueued(error)
    return submitElsewhere(session, thread, event, { signal, noteApplied }).catch(noteQueued)
  }
  return run ? report(session, thread, run) : EXIT.goal
}

/** Whether an earlier command gave the same answer, and this process has applied it after `seq`. */
async function wasQueued(
  { host }: Session,
  { thread, seq }: { readonly thread: string; readonly seq: number },
  answer: Command,
): Promise<boolean> {
  if (answer.type !== 'resume') return false
  const rows = await host.store.rows(thread, seq)
  return rows.some(
    ({ event }) =>
      event.type === 'resume' &&
      event.effect === answer.effect &&
      event.decision === answer.decision &&
      canonical(event.output ?? null) === canonical(answer.output ?? null),
  )
}

type Refused = Extract<Settled, { readonly applied: false }>

function refusal({ options }: Session, thread: string, { code, because }: Refused): UsageError {
  const answer = `resume ${quoted(thread)} --decision approved`
  const hints: Partial<Record<typeof code, string>> = {
    'question-open': commandLine(answer, options),
    'invalid-answer': '--output JSON gives the data of the answer',
  }
  return new UsageError(`refused: ${because}`, defined({ hint: hints[code] }))
}

/** Whether another process holds the graph of the thread. */
export const isHeldElsewhere = (error: unknown) => isWrongGraph(error) || isBoundElsewhere(error)

interface Elsewhere {
  readonly signal: AbortSignal
  readonly noteApplied: () => void
}

async function submitElsewhere(
  { app, host }: Pick<Session, 'app' | 'host'>,
  thread: string,
  event: Command,
  of: Elsewhere,
): Promise<number> {
  if (event.type === 'cancel') return cancelElsewhere({ app, host }, thread, event, of)
  const { signal, noteApplied } = of
  const { graph, driver, settled } = await submitLater(host, thread, event, signal)
  if (settled && !settled.applied) throw new UsageError(`refused: ${settled.because}`)
  if (settled) {
    noteApplied()
    return EXIT.goal
  }
  const holder = driver
    ? `'${driver}', which drives it,`
    : `a process that holds its graph '${graph}'`
  const open =
    event.type === 'resume'
      ? '. It checks the answer: if it refuses it, the question stays open'
      : ''
  app.err(
    `queued for '${thread}': ${holder} applies it (your program when it resumes the thread, runtime.work(), or \`escapement tick --graph FILE#NAME\`)${open}\n`,
  )
  return EXIT.busy
}

/** Cancels a thread without its graph, unless a process drives it: that one takes the edges of its graph. */
async function cancelElsewhere(
  { app, host }: Pick<Session, 'app' | 'host'>,
  thread: string,
  event: Command,
  { signal, noteApplied }: Elsewhere,
): Promise<number> {
  const before = await summaryOf(host.store, thread)
  const settled = await host.deliver(thread, event, { signal })
  if (!settled.applied) throw new UsageError(`refused: ${settled.because}`)
  const rows = await host.store.rows(thread, before.seq)
  if (rows.some(({ event }) => event.type === 'cancel' && 'without' in event))
    app.err(`cancelled '${thread}' without its graph: no edge was taken\n`)
  else if (before.status === 'ended' && rows.length === 0)
    app.err(`cancelled the messages that were queued for '${thread}'\n`)
  else {
    noteApplied()
    return EXIT.goal
  }
  return EXIT.cancelled
}
