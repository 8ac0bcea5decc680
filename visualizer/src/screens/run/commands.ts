/** Commands of the screen to its thread. One click is one command, and a repeated click waits for the first. */
import { useRef, useState } from 'react'
import type { CommandOptions } from '../../../../src/host/drive/command.ts'
import { type ClientThread, isServiceError } from '../../../../src/client.ts'
import type { RunModel } from '../../data/run-model.ts'
import { commandId, problemText, service } from '../../data/service.ts'

/** Sends one command: its id makes a repeated request one command, `expectSeq` refuses it for a thread that has moved on. */
export type Send = (
  name: string,
  perform: (thread: ClientThread, options: CommandOptions) => Promise<unknown>,
  options?: { readonly checksSeq?: boolean },
) => Promise<boolean>

export interface Commands {
  readonly send: Send
  readonly busy: string | undefined
  /** The result of the last command, for people. */
  readonly message: { readonly text: string; readonly isError: boolean } | undefined
  readonly clear: () => void
}

/** Commands to the thread of a run, which know its last event. */
export function useCommands(model: RunModel): Commands {
  return useSender(model.thread, () => model.journal.end)
}

/** Commands to a thread in a list. `done` runs after each command that was applied. */
export function useThreadCommands(thread: string, done: () => void): Commands {
  return useSender(thread, () => undefined, done)
}

function useSender(thread: string, seqNow: () => number | undefined, done = () => {}): Commands {
  const [busy, setBusy] = useState<string>()
  const [message, setMessage] = useState<Commands['message']>()
  const running = useRef(false)
  const send: Send = async (name, perform, { checksSeq = false } = {}) => {
    // A double click is one command.
    if (running.current) return false
    running.current = true
    setBusy(name)
    setMessage(undefined)
    const seq = checksSeq ? seqNow() : undefined
    const expectSeq = seq === undefined ? {} : { expectSeq: seq }
    try {
      await perform(service.thread(thread), { id: commandId(), ...expectSeq })
      setMessage({ text: `${name}: done`, isError: false })
      done()
      return true
    } catch (error) {
      const code = isServiceError(error) ? ` (${error.code})` : ''
      setMessage({ text: `${name}: ${problemText(error)}${code}`, isError: true })
      return false
    } finally {
      running.current = false
      setBusy(undefined)
    }
  }
  return { send, busy, message, clear: () => setMessage(undefined) }
}
