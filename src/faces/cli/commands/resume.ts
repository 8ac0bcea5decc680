/** Commands that go on with a thread: an answer, a cancellation, or just carrying on. */
import { explain } from '../../../core/watch/catalog.ts'
import type { Run } from '../../../core/run.ts'
import type { ChosenRung, Decision, PersonEvent } from '../../../core/watch/event.ts'
import type { Json } from '../../../core/watch/json.ts'
import type { Command } from '../../../runtime/people/person-event.ts'
import type { Store } from '../../../runtime/store/store.ts'
import { type App, UsageError } from '../app.ts'
import { EXIT } from '../exit.ts'
import { jsonInput } from '../input.ts'
import { questionsOf } from '../../../core/view.ts'
import { report } from './report.ts'
import {
  beginningOf,
  driveShown,
  graphOf,
  type OutputOptions,
  storedRun,
  withStore,
} from './thread.ts'

export interface ResumeOptions extends OutputOptions {
  readonly decision?: Decision
  /** A way out of the ladder: an approval that names it. */
  readonly rung?: ChosenRung
  readonly question?: string
  readonly output?: string
  readonly to?: string
  readonly note?: string
}

export async function resume(app: App, thread: string, options: ResumeOptions): Promise<number> {
  return withStore(app, options, async store => {
    const graph = await graphOf(app, store, thread)
    const decision = options.decision ?? (options.rung === undefined ? undefined : 'approved')
    if (decision === undefined)
      return report(
        app,
        { store, thread },
        await driveShown(app, { graph, store, thread }, options),
        options,
      )
    const event = decisionOf(await storedRun(store, graph.machine, thread), decision, options)
    return command(app, { store, thread, event }, options)
  })
}

/** A message: it begins a round of a thread that has ended, and is to a busy one what its policy says. */
export async function send(
  app: App,
  thread: string,
  options: OutputOptions & { readonly input: string },
): Promise<number> {
  const input = await jsonInput(app, options.input)
  return withStore(app, options, store =>
    command(app, { store, thread, event: { type: 'message', input } }, options),
  )
}

export async function cancel(
  app: App,
  thread: string,
  options: OutputOptions & { readonly reason: string },
): Promise<number> {
  return withStore(app, options, store =>
    command(app, { store, thread, event: { type: 'cancel', reason: options.reason } }, options),
  )
}

interface CommandOrder {
  readonly store: Store
  readonly thread: string
  readonly event: Command
}

/** How long the driver of a thread may take to hear a command, in ms. */
const WAIT_MAX = 10_000
const POLL_EVERY = 100

/** Hands a command in, once, and carries it out; or leaves that to the process that drives the thread. */
export async function command(
  app: App,
  { store, thread, event }: CommandOrder,
  options: OutputOptions,
): Promise<number> {
  const id = `cli-${Math.floor(app.random() * 36 ** 10).toString(36)}`
  const graph = await graphOf(app, store, thread)
  const at = await threadTime(app, store, thread)
  await store.submit(thread, id, { ...event, ...(at === undefined ? {} : { at }) })
  for (let waited = 0; !(await waitForCommand(store, thread, id)); waited += POLL_EVERY) {
    app.leave.throwIfAborted()
    // Tried again and again: the driver may end, or die, before it has heard.
    const driven = await driveShown(app, { graph, store, thread }, options, () => {})
    if (driven && !(await waitForCommand(store, thread, id)))
      throw new UsageError('the command was not heard')
    if (driven) return report(app, { store, thread }, driven, options)
    if (waited >= WAIT_MAX) {
      app.err(
        `the process that drives '${thread}' has not heard the command yet; it will once it can\n`,
      )
      return EXIT.busy
    }
    await app.pause(POLL_EVERY)
  }
  app.err(`told the process that drives '${thread}'\n`)
  return EXIT.goal
}

/** Now, by the thread's clock: a virtual one stands still while nobody drives. */
async function threadTime(app: App, store: Store, thread: string): Promise<number | undefined> {
  const begun = await beginningOf(store, thread)
  return begun?.clock === 'virtual' ? (await store.thread(thread))?.at : app.now()
}

/** @throws UsageError if the command was refused. */
async function waitForCommand(store: Store, thread: string, id: string): Promise<boolean> {
  const state = await store.command(thread, id)
  if (state.state === 'refused') throw new UsageError(`refused: ${explain(state.reason)}`)
  return state.state === 'done'
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
    ...(output === undefined ? {} : { output: jsonOf(output) }),
    ...(to === undefined ? {} : { to }),
    ...(note === undefined ? {} : { note }),
  }
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    throw new UsageError(`--output is not JSON: ${(error as Error).message}`)
  }
}

/** Every thread that is due: deadlines, waits, commands, and work whose driver has died. With `--json`, one line for each. */
export async function tick(app: App, options: OutputOptions): Promise<number> {
  return withStore(app, options, async store => {
    let code: number = EXIT.goal
    for (const thread of await store.due(app.now(), { isOwnerDead: app.isOwnerDead })) {
      try {
        const graph = await graphOf(app, store, thread)
        await report(
          app,
          { store, thread },
          await driveShown(app, { graph, store, thread }, options),
          options,
        )
      } catch (error) {
        if (app.leave.aborted || (error as Error).name === 'StoreUnavailable') throw error
        // One thread that cannot go on (a file of its graph is gone) must not keep all others waiting.
        if (options.json)
          app.out(`${JSON.stringify({ thread, error: (error as Error).message })}\n`)
        app.err(`error: thread '${thread}': ${(error as Error).message}\n`)
        code = EXIT.ended
      }
    }
    return code
  })
}
