/** The commands to one thread, in whichever process it runs. */
import type { Row } from '../../core/run/run.ts'
import type { Answer } from '../../core/review/answers.ts'
import { type Json, defined } from '../../core/watch/data/json.ts'
import type { ChosenRung, Decision, Dismissed } from '../../core/watch/event/event.ts'
import { explain } from '../../core/watch/reason/reason.ts'
import { type InjectionRequest, injectionCommand } from '../../runtime/people/injection.ts'
import type { Command } from '../../runtime/store/person-event.ts'
import { summaryOf } from '../../runtime/store/store.ts'
import type { Host } from '../drive/host.ts'
import { checkCommand, identifiedBy } from '../drive/once.ts'
import type { CommandOptions, Settled } from '../drive/command.ts'
import { withAskers } from './child-questions.ts'
import { migrate, type Migrated, type MigrateOptions } from './migration.ts'

/** `by`: who answers, for the journal. A service sets it to the name of its caller. */
type NotedAnswer = Decision | (Answer & { readonly note?: string; readonly by?: string })

/** The options of `escape`. `to`: the state to continue in. */
export interface EscapeChoice {
  readonly rung: ChosenRung
  readonly to?: string
  readonly note?: string
}

/** The options of `step`. `until`: the thread runs on, and pauses before the next node of one of these states. */
export type StepOptions = CommandOptions & { readonly until?: readonly string[] }

/** Commands to a thread. Each resolves once it is applied or refused. @throws InvalidEvent, UnknownThread, WrongGraph */
export interface ThreadCommands {
  /** Answers a question. */
  answer(question: string, answer: NotedAnswer, options?: CommandOptions): Promise<Settled>
  /** Sends a message. It starts the next round of a thread that has ended. */
  send(input: Json, options?: CommandOptions): Promise<Settled>
  cancel(reason?: string, options?: CommandOptions): Promise<Settled>
  /** Ends the thread with the outcome `stopped`. */
  stop(reason?: string, options?: CommandOptions): Promise<Settled>
  /** Changes the policy from the next event on. `change` uses spec notation. */
  changePolicy(change: Json, options?: CommandOptions): Promise<Settled>
  /** No further node starts until `resume` or `step`. Nodes that run now end first. Children pause at their next node. */
  pause(reason?: string, options?: CommandOptions): Promise<Settled>
  /** Lifts a pause. A process that drives the thread continues it, as `resume` does. */
  continue(options?: CommandOptions): Promise<Settled>
  /** Runs the nodes that can start now, and pauses after them. Children that paused with the thread step, too. */
  step(options?: StepOptions): Promise<Settled>
  /** Takes an escape route out of the current state, or answers the open review with it. */
  escape(choice: EscapeChoice, options?: CommandOptions): Promise<Settled>
  /** Undoes the writes since the last progress, and continues from there. The same as `escape` with `rollback`. */
  rollback(options?: CommandOptions): Promise<Settled>
  /** Has the detectors ignore a repetition: the finding with this id, by default the last one. */
  dismiss(finding?: string, options?: CommandOptions): Promise<Settled>
  /** Has the next attempts of a tool or model fail, or answers them with `result`. The external system is not called. */
  inject(injection: InjectionRequest, options?: CommandOptions): Promise<Settled>
  /** Moves a waiting thread of an earlier version of its graph to the newest version, whose `migrate` decides. @throws Conflict while a process drives the thread */
  migrate(options?: MigrateOptions): Promise<Migrated>
}

export function threadCommands(host: Host, id: string): ThreadCommands {
  const deliver = (command: Command, options?: CommandOptions) => host.deliver(id, command, options)
  return {
    async answer(question, answer, options) {
      const request = typeof answer === 'string' ? { decision: answer } : answer
      const settled = await deliver({ type: 'resume', effect: question, ...request }, options)
      return withAskers(host, { thread: id, question }, settled)
    },
    send: (input, options) => deliver({ type: 'message', input }, options),
    cancel: (reason = 'cancelled', options) => deliver({ type: 'cancel', reason }, options),
    stop: (reason = 'stopped by a person', options) => deliver({ type: 'stop', reason }, options),
    changePolicy: (change, options) => deliver({ type: 'policy.change', change }, options),
    pause: (reason, options) => deliver({ type: 'pause', ...defined({ reason }) }, options),
    continue: options => deliver({ type: 'continue' }, options),
    step: ({ until, ...options } = {}) => deliver({ type: 'step', ...defined({ until }) }, options),
    escape: (choice, options) => deliver({ type: 'escape', ...choice }, options),
    rollback: options => deliver({ type: 'escape', rung: 'rollback' }, options),
    async dismiss(finding, given = {}) {
      const options = identifiedBy(given)
      await checkCommand(host.store, id, options)
      await summaryOf(host.store, id)
      const found = findingIn(await host.store.rows(id), finding)
      if (found) return deliver({ type: 'dismiss', finding: found }, options)
      const code = 'unknown-finding'
      return { applied: false, code, because: explain({ code }) }
    },
    inject: (injection, options) => deliver(injectionCommand(injection), options),
    async migrate(options) {
      const migrated = await migrate(host, id, options)
      // The host keeps the error, and `result()` rejects with it.
      if (migrated.applied && !options?.preview) void host.driveWithParents(id).catch(() => {})
      return migrated
    },
  }
}

/** The last repetition with this id, by default of calls, or else of states. A failure or a limit is a fact: it cannot be dismissed. */
export function findingIn(rows: readonly Row[], id: string | undefined): Dismissed | undefined {
  const all = rows.flatMap(({ findings }) => findings)
  const loops = all.filter(({ kind }) => kind === 'loop' || kind === 'stall')
  const found =
    id === undefined
      ? (loops.findLast(({ signs }) => signs !== undefined) ?? loops.at(-1))
      : loops.findLast(finding => finding.id === id)
  if (!found) return undefined
  const { signs = [], states, detector, members } = found
  return { id: found.id, signs, states, detector, members }
}
