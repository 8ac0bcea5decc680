/** The command endpoint of a thread. */
import { defined, type Json } from '../../../core/watch/data/json.ts'
import type { CommandOptions, Settled } from '../../../host/command.ts'
import type { Runtime } from '../../../host/runtime.ts'
import { isStaleSeq, StaleSeq } from '../../../host/stale-seq.ts'
import type { ThreadHandle } from '../../../host/thread.ts'
import { isThreadExists } from '../../../runtime/store/store.ts'
import type { Command } from '../contract/command.ts'
import { Refused } from '../contract/problem.ts'
import type { Handlers } from './handler.ts'
import { commandId } from './idempotency.ts'

export const commands: Handlers<'command'> = {
  async command({ runtime, params: { thread = '' }, body, request, caller }) {
    const handle = runtime.thread(thread)
    await handle.rows({ limit: 1 })
    const id = await commandId({ runtime, request, caller }, thread, body as Json)
    const { expectSeq } = body
    const options = defined({ id, expectSeq, signal: request.signal })
    const target = (await perform(runtime, handle, body, options)) ?? handle
    return { thread: target.id, seq: (await target.state()).seq }
  },
}

/** Returns the thread that the command has created. */
async function perform(
  runtime: Runtime,
  handle: ThreadHandle,
  command: Command,
  options: CommandOptions,
): Promise<ThreadHandle | undefined> {
  switch (command.do) {
    case 'answer': {
      const { do: _, question, expectSeq: __, ...answer } = command
      checkApplied(await handle.answer(question, defined(answer), options))
      return undefined
    }
    case 'send':
      checkApplied(await handle.send(command.input, options))
      return undefined
    case 'cancel':
      checkApplied(await handle.cancel(command.reason, options))
      return undefined
    case 'patch-policy':
      checkApplied(await handle.changePolicy(command.change, options))
      return undefined
    case 'pause':
      checkApplied(await handle.pause(command.reason, options))
      return undefined
    case 'step':
      checkApplied(await handle.step(options))
      return undefined
    case 'stop':
      checkApplied(await handle.stop(command.reason, options))
      return undefined
    case 'escape': {
      const { do: _, expectSeq: __, ...choice } = command
      checkApplied(await handle.escape(defined(choice), options))
      return undefined
    }
    case 'rollback':
      checkApplied(await handle.rollback(options))
      return undefined
    case 'dismiss':
      checkApplied(await handle.dismiss(command.finding, options))
      return undefined
    case 'inject': {
      const { do: _, expectSeq: __, ...fault } = command
      checkApplied(await handle.inject(defined(fault), options))
      return undefined
    }
    case 'fork':
      return forkOnce(runtime, handle, command, options)
    case 'resume': {
      await checkSeq(handle, options)
      void handle.resume().catch(() => {})
    }
  }
}

/** @throws Refused */
export function checkApplied(settled: Settled): void {
  if (!settled.applied) throw new Refused(409, settled.code, settled.because)
}

/** A repeated request returns the fork of the first one. */
async function forkOnce(
  runtime: Runtime,
  handle: ThreadHandle,
  { do: _, expectSeq: __, as, ...terms }: Extract<Command, { do: 'fork' }>,
  options: CommandOptions,
): Promise<ThreadHandle> {
  const { id } = options
  const name = as ?? (id === undefined ? undefined : `${handle.id}-${id.slice(0, 24)}`)
  try {
    await checkSeq(handle, options)
    return await handle.fork(defined({ ...terms, as: name }))
  } catch (error) {
    const isRepeated = (isThreadExists(error) || isStaleSeq(error)) && id !== undefined
    const fork = name === undefined || !isRepeated ? undefined : runtime.thread(name)
    if (fork && (await isForkOf(fork, handle.id))) return fork
    throw error
  }
}

async function isForkOf(fork: ThreadHandle, parent: string): Promise<boolean> {
  const rows = await fork.rows().catch(() => [])
  return rows.some(({ event }) => event.type === 'forked' && event.parent.thread === parent)
}

async function checkSeq(handle: ThreadHandle, { expectSeq }: CommandOptions): Promise<void> {
  if (expectSeq === undefined) return
  const { seq } = await handle.state()
  if (seq !== expectSeq) throw new StaleSeq(handle.id, expectSeq, seq)
}
