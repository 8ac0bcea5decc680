/** Threads that wait for other threads, and the event of a deadlock. */
import type { EventsIn } from './call-event.ts'
import type { Commanded } from './control-event.ts'

/** A call that waits for a thread. `since`: the seq of the event with which it began to wait. */
export type ThreadWait = Readonly<{ call: string; thread: string; since: number }>

export type WaitEvent = EventsIn<{
  /**
   * Each of `threads` waits for the next, and the last for the first, which is the youngest and `escapes`. `call` waits in this
   * thread, since event `since`.
   */
  'deadlock.found': Commanded & {
    readonly effect: string
    readonly call: string
    readonly since: number
    readonly threads: readonly string[]
    readonly escapes: boolean
  }
}>
