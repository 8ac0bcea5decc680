/** Drives and follows the thread of one actor, and delivers its commands in order. */
import { systemClock } from '../../adapters/node/ports.ts'
import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import { isOver, type Row, type Run, hasWork, wakeAt } from '../../core/run/run.ts'
import type { LiveToken } from '../../runtime/ports.ts'
import type { Command } from '../../runtime/store/person-event.ts'
import { isConflict, UnknownThread } from '../../runtime/store/store.ts'
import { countCall } from '../drive/yielding.ts'
import { feed } from '../thread/feed.ts'
import type { Host } from '../drive/host.ts'

/** The least time in ms between two tries to drive a thread that another process drives. */
const RETRY_DELAY = 1_000

/** `row`: the row that led to the run; absent for the run that the thread had when the actor opened it. */
type Shown = Readonly<{ run: Run; machine: AgentMachine; row?: Row }>

export interface Updates {
  /** `isLast`: the thread has ended, and no row follows. */
  onRun(of: Shown & Readonly<{ isLast: boolean }>): void
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
    // A tool may make an actor for an ended thread again and again.
    await countCall()
    const isKnown = (await host.store.thread(thread)) !== undefined
    if (!isKnown && !start) throw new UnknownThread(thread)
    if (!isKnown) await start?.()
    if (!isKnown) return -1
    const { graph, run } = await host.runOf(thread)
    const isLast = isOver(run) && !(await this.#isContinued(run))
    if (this.#stop.signal.aborted) return run.seq
    updates.onRun({ run, machine: graph.machine, isLast })
    if (!isLast) {
      this.#setAlarm(run)
      void this.#drive()
    }
    return run.seq
  }

  /** Whether a command that waited has continued a thread that had ended. */
  async #isContinued({ seq }: Run): Promise<boolean> {
    const { store } = this.#of.host
    if ((await store.inbox(this.#of.thread)).length === 0) return false
    await this.#drive()
    return (await store.thread(this.#of.thread))?.seq !== seq
  }

  async #follow(after: number): Promise<void> {
    const { host, thread, updates } = this.#of
    const { signal } = this.#stop
    const { machine } = await host.graphOf(thread)
    /** A row of a run that has ended. Others may follow, such as the ends of its child threads. */
    let last: Shown | undefined
    for await (const item of feed(host, thread, { after, signal })) {
      if (signal.aborted) return
      if (item.kind === 'token') {
        updates.onToken(item.token)
        continue
      }
      if (last) updates.onRun({ ...last, isLast: false })
      const shown = { ...item, machine }
      last = isOver(item.run) ? shown : undefined
      if (!last) updates.onRun({ ...shown, isLast: false })
      this.#setAlarm(item.run)
    }
    if (last) updates.onRun({ ...last, isLast: true })
    this.stop()
  }

  /** Drives the thread when its deadline is reached. */
  #setAlarm(run: Run): void {
    const at = this.#deadlineOf(run)
    if (at === this.#alarm?.at) return
    this.#alarm?.end.abort()
    this.#alarm = undefined
    if (at === undefined) return
    const ms = Math.max(0, at - systemClock.now())
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
        const run = await host.driveWithParents(thread)
        // A drive that was already ending can miss a deadline.
        if ((this.#deadlineOf(run) ?? Number.POSITIVE_INFINITY) > systemClock.now()) return
        await systemClock.sleep(RETRY_DELAY, signal).catch(() => {})
      } catch (error) {
        if (!isConflict(error)) return
        const until = (await host.store.thread(thread).catch(() => undefined))?.lease?.until ?? 0
        const ms = Math.max(RETRY_DELAY, until - systemClock.now())
        await systemClock.sleep(ms, signal).catch(() => {})
      }
  }

  /** When a thread that only waits must be driven. A virtual clock stands still while a person is asked. */
  #deadlineOf(run: Run): number | undefined {
    const isDriven = run.ended !== undefined || hasWork(run)
    return isDriven || this.#of.host.isVirtual ? undefined : wakeAt(run)
  }

  #fail(error: unknown): void {
    if (!this.#stop.signal.aborted) this.#of.updates.onError(error)
  }
}
