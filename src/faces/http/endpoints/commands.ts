/** The command endpoint of a thread. */
import type { z } from 'zod'
import type { Row } from '../../../core/run/run.ts'
import { defined, type Json } from '../../../core/watch/data/json.ts'
import type { CommandOptions, Settled } from '../../../host/drive/command.ts'
import { isStaleSeq, StaleSeq } from '../../../host/drive/stale-seq.ts'
import type { ForkOptions, ThreadHandle } from '../../../host/thread/thread.ts'
import { isThreadExists } from '../../../runtime/store/store.ts'
import { changedPaths } from '../access/policy-change.ts'
import type { Command, CommandResult } from '../contract/command.ts'
import { Refused } from '../contract/problem.ts'
import type { Call, Handlers } from './handler.ts'
import { identify } from './idempotency.ts'
import { rowsOf } from './threads.ts'

/** What a command needs of its request. */
export type CommandContext = Pick<Call<unknown, unknown>, 'runtime' | 'drive' | 'audit' | 'caller'>

export const commands: Handlers<'command'> = {
  async command({ runtime, drive, audit, params: { thread = '' }, body, request, caller }) {
    await runtime.thread(thread).summary()
    const key = await identify({ runtime, request, caller }, thread, body as Json)
    const { expectSeq } = body
    const options = defined({ ...key, expectSeq, signal: request.signal })
    return performCommand({ runtime, drive, audit, caller }, thread, body, options)
  },
}

/** Returns the thread that the command has changed or created, with its last event. @throws Refused */
export async function performCommand(
  context: CommandContext,
  thread: string,
  command: Command,
  options: CommandOptions = {},
): Promise<Commanded> {
  context.audit({ ...auditOf(command), thread })
  const handle = context.runtime.thread(thread)
  if (command.do === 'migrate') return migrate(handle, command, options)
  const target = command.do === 'fork' ? await forkOnce(context, handle, command, options) : handle
  if (command.do !== 'fork') {
    const settled = await deliver(handle, command, options, context.caller?.name)
    // A thread that is not paused needs only a process that drives it.
    const isDue = command.do === 'resume' && !settled.applied && settled.code === 'not-paused'
    if (!isDue) checkApplied(settled)
  }
  if (command.do === 'fork' || command.do === 'resume') context.drive(target)
  return { thread: target.id, seq: (await target.summary()).seq }
}

type Commanded = z.infer<typeof CommandResult>

async function migrate(
  handle: ThreadHandle,
  { graph, preview }: Extract<Command, { do: 'migrate' }>,
  options: CommandOptions,
): Promise<Commanded> {
  const settled = await handle.migrate({ ...options, ...defined({ graph, preview }) })
  checkApplied(settled)
  const { seq } = await handle.summary()
  return { thread: handle.id, seq, ...defined({ migration: settled.migration }) }
}

const AUDITED = [
  'do',
  'question',
  'decision',
  'rung',
  'to',
  'finding',
  'kind',
  'name',
  'graph',
  'preview',
]

/** The fields of a command that name what it does. Texts, inputs and the values of a policy are in the journal. */
const auditOf = (command: Command) => ({
  ...Object.fromEntries(Object.entries(command).filter(([name]) => AUDITED.includes(name))),
  policy: 'change' in command ? changedPaths(command.change) : undefined,
})

function deliver(
  handle: ThreadHandle,
  command: Exclude<Command, { do: 'fork' | 'migrate' }>,
  options: CommandOptions,
  by: string | undefined,
): Promise<Settled> {
  switch (command.do) {
    case 'answer': {
      const { do: _, question, expectSeq: __, ...answer } = command
      return handle.answer(question, defined({ ...answer, by }), options)
    }
    case 'send':
      return handle.send(command.input, options)
    case 'cancel':
      return handle.cancel(command.reason, options)
    case 'patch-policy':
      return handle.changePolicy(command.change, options)
    case 'pause':
      return handle.pause(command.reason, options)
    case 'resume':
      return handle.continue(options)
    case 'step':
      return handle.step({ ...options, ...defined({ until: command.until }) })
    case 'stop':
      return handle.stop(command.reason, options)
    case 'escape': {
      const { do: _, expectSeq: __, ...choice } = command
      return handle.escape(defined(choice), options)
    }
    case 'rollback':
      return handle.rollback(options)
    case 'dismiss':
      return handle.dismiss(command.finding, options)
    case 'inject': {
      const { do: _, expectSeq: __, ...injection } = command
      return handle.inject(defined(injection), options)
    }
  }
}

/** @throws Refused */
export function checkApplied(settled: Settled): void {
  if (!settled.applied) throw new Refused(409, settled.code, settled.because)
}

/** A repeated request returns the fork of the first one. */
async function forkOnce(
  { runtime, audit }: CommandContext,
  handle: ThreadHandle,
  { do: _, expectSeq, as, ...terms }: Extract<Command, { do: 'fork' }>,
  { id, once }: CommandOptions,
): Promise<ThreadHandle> {
  const name = as ?? (id === undefined ? undefined : `${handle.id}-${id.slice(0, 24)}`)
  audit({ event: terms.at, fork: name })
  const make = async () => {
    const fork = await handle.fork(defined({ ...terms, as: name, once }) as ForkOptions)
    audit({ fork: fork.id })
    return fork
  }
  try {
    const { seq } = await handle.summary()
    if (expectSeq !== undefined && seq !== expectSeq) throw new StaleSeq(handle.id, expectSeq, seq)
    return await make()
  } catch (error) {
    const isRepeated = isThreadExists(error) || isStaleSeq(error)
    if (name === undefined || once === undefined || !isRepeated) throw error
    const rows = await rowsOf(runtime.thread(name))
    const isOwn = isForkOf(rows, handle.id)
    if (isOwn && (await runtime.join(name, once))) return runtime.thread(name)
    // It was pruned meanwhile: the fork says so, or is made.
    if ((isOwn || rows.length === 0) && isThreadExists(error)) return make()
    throw error
  }
}

const isForkOf = (rows: readonly Row[], parent: string): boolean =>
  rows.some(({ event }) => event.type === 'forked' && event.parent.thread === parent)
