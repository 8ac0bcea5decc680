/** Drives and follows the thread of one actor, and delivers its commands in order. */
import { systemClock } from '../../adapters/node/ports.ts'
import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import { isOver, type Row, type Run, wakeAt } from '../../core/run.ts'
import type { LiveToken } from '../../runtime/ports.ts'
import type { Command } from '../../runtime/store/person-event.ts'
import { isConflict, UnknownThread } from '../../runtime/store/store.ts'
import { feed } from '../feed.ts'
import type { Host } from '../host.ts'

/** The least time in ms between two tries to drive a thread that another process drives. */
const RETRY_DELAY = 1_000

export interface Updates {
  /** `row`: the row that led to the run; absent for the run that the thread had when the actor opened it. */
  onRun(of: Readonly<{ run: Run; machine: AgentMachine; row?: Row }>): void
  onToken(token: LiveToken): void
  onRejected(command: Command, reason: { readonly code: string; readonly because: string }): void
  onError(error: unknown): void
}

interface Followed {
  readonly host: Host
  readonly thread: string
  /** Starts the thread, if the actor has its input. */
  readonly start?: () => Promise<unknown>
  readonly updates: Updates
}

/** Follows a thread until it ends or `stop` is called. The thread itself goes on: the runtime drives it. */
export class Follower {
  readonly #of: Followed
  readonly #stop = new AbortController()
  /** The last command, or the opening of the thread. */
  #last: Promise<unknown>
  #alarm: { readonly at: number; readonly end: AbortController } | undefined

  constructor(of: Followed) {
    this.#of = of
    const opened = this.#open()
    this.#last = opened
    opened.then(after => this.#follow(after)).catch(error => this.#fail(error))
  }

  /** Commands arrive in the order of the calls, after the start of the thread. */
  send(command: Command): void {
    const { host, thread, updates } = this.#of
    const deliver = async () => {
      const settled = await host.deliver(thread, command)
      if (!settled.applied) updates.onRejected(command, settled)
    }
    this.#last = this.#last.then(deliver).catch(error => {
      const { code = 'error', message } = error as { code?: string; message: string }
      updates.onRejected(command, { code, because: message })
    })
  }

  stop(): void {
    this.#stop.abort()
    this.#alarm?.end.abort()
  }

  /** Returns the number of the last event that the actor knows. */
  async #open(): Promise<number> {
    const { host, thread, start, updates } = this.#of
    const isKnown = (await host.store.thread(thread)) !== undefined
    if (!isKnown && !start) throw new UnknownThread(thread)
    if (!isKnown) await start?.()
    if (!isKnown) return -1
    const { graph, run } = await host.runOf(thread)
    if (this.#stop.signal.aborted) return run.seq
    updates.onRun({ run, machine: graph.machine })
    if (!isOver(run)) {
      this.#setAlarm(run)
      void this.#drive()
    }
    return run.seq
  }

  async #follow(after: number): Promise<void> {
    const { host, thread, updates } = this.#of
    const { signal } = this.#stop
    const { machine } = await host.graphOf(thread)
    for await (const item of feed(host, thread, { after, signal })) {
      if (signal.aborted) return
      if (item.kind === 'token') updates.onToken(item.token)
      else {
        updates.onRun({ ...item, machine })
        this.#setAlarm(item.run)
      }
    }
    this.stop()
  }

  /** Drives the thread when its deadline is reached. A virtual clock stands still while a person is asked. */
  #setAlarm(run: Run): void {
    const at = this.#of.host.isVirtual ? undefined : wakeAt(run)
    if (at === this.#alarm?.at) return
    this.#alarm?.end.abort()
    this.#alarm = undefined
    const ms = (at ?? 0) - systemClock.now()
    if (at === undefined || ms <= 0) return
    const end = new AbortController()
    this.#alarm = { at, end }
    // A timer of Node.js may fire a millisecond early.
    systemClock.sleep(ms + 1, end.signal).then(
      () => this.#drive(),
      () => {},
    )
  }

  /** Another process may drive the thread: when its lease ends, this one tries again. The feed reports other errors. */
  async #drive(): Promise<void> {
    const { host, thread } = this.#of
    const { signal } = this.#stop
    while (!signal.aborted)
      try {
        await host.driveWithParents(thread)
        return
      } catch (error) {
        if (!isConflict(error)) return
        const until = (await host.store.thread(thread).catch(() => undefined))?.lease?.until ?? 0
        const ms = Math.max(RETRY_DELAY, until - systemClock.now())
        await systemClock.sleep(ms, signal).catch(() => {})
      }
  }

  #fail(error: unknown): void {
    if (!this.#stop.signal.aborted) this.#of.updates.onError(error)
  }
}
