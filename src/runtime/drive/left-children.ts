/** Ends the children of nodes that were left while other nodes work: no node starts before they have ended. */
import { cancelOrphans, orphansOf } from '../child/child.ts'
import { oneAtATime } from '../time/one-at-a-time.ts'
import type { PerformContext } from './perform.ts'

/** How long a drive waits for a child that another process drives, in ms, before it looks again. */
export const LOOK_EVERY = 250

export interface LeftChildren {
  /** Ends the children, and resolves when all have ended or other processes have to end them. */
  end(): Promise<void>
  /** Begins to end them. Called when an effect has ended; changes of the thread are watched. */
  look(): void
  /** Whether it ends some now. */
  isEnding(): boolean
  stop(): void
}

export function watchLeftChildren(context: PerformContext): LeftChildren {
  const { journal, ports, timers, halted } = context
  const end = oneAtATime(() => cancelOrphans(context))
  let ending = false
  let isDue = true
  const look = () => {
    if (ending || !isDue || halted.cancelled || orphansOf(context).length === 0) return
    ending = true
    isDue = false
    end().then(wait, error => halted.cancel(error))
  }
  const wait = () => {
    ending = false
    isDue = orphansOf(context).length === 0
    if (!isDue) timers.at(ports.clock.now() + LOOK_EVERY, lookAgain)
  }
  const lookAgain = () => {
    isDue = true
    look()
  }
  // Most threads have none, and their order of work must not depend on how often this looks.
  const endAny = async () => {
    if (ending || orphansOf(context).length > 0) await end()
  }
  return { end: endAny, look, isEnding: () => ending, stop: journal.onChange(look) }
}
