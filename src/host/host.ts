/** Drives the threads of one process: each once, their parents after them, and what people submit to them. */
import { explain, type Code } from '../core/watch/reason/reason.ts'
import { randomUUID } from 'node:crypto'
import { systemClock } from '../adapters/node/clock.ts'
import { isDead } from '../adapters/node/ports.ts'
import { isOver, type Run } from '../core/run.ts'
import { drive, type DriveOptions } from '../runtime/drive/drive.ts'
import type { Command } from '../runtime/store/person-event.ts'
import type { Graph, Live, Ports } from '../runtime/ports.ts'
import { replay } from '../runtime/store/replay.ts'
import {
  type GraphIdentity,
  isConflict,
  type Store,
  ThreadExists,
  UnknownThread,
} from '../runtime/store/store.ts'
import { Changes } from './changes.ts'

/** What became of a command. */
export type Settled =
  | { readonly applied: true }
  | {
      readonly applied: false
      /** In kebab-case. */
      readonly code: Code
      /** One sentence: what was refused, and what is expected. */
      readonly because: string
    }

export interface HostParts {
  readonly store: Store
  /** The graph of a stored thread. @throws WrongGraph, UnknownThread */
  readonly graphOf: (thread: string) => Promise<Graph>
  /** The graphs whose threads it carries on. Default: all. */
  readonly graphs?: readonly GraphIdentity[]
  /** The ports of a thread; `thread` is stored already, or begins now. */
  readonly portsOf: (thread: string, graph: Graph) => Promise<Ports>
  /** Called with what happens, as it happens, in the threads driven here and in their children. `root`: the thread that is driven. */
  readonly live?: (news: Live, root: string) => void
  /** Aborted: the threads that are driven are cancelled. */
  readonly signal?: AbortSignal
  /** Aborted: the threads that are driven are left as they are. */
  readonly leave?: AbortSignal
}

export interface HostedDrive extends DriveOptions {
  /** The graph of a thread that begins now. */
  readonly graph?: Graph
}

export class Host {
  readonly store: Store
  readonly changes = new Changes()
  readonly #parts: HostParts
  readonly #driven = new Map<string, Promise<Run>>()
  readonly #beats = new Map<string, Set<() => void>>()
  readonly #failures = new Map<string, unknown>()
  readonly #closing = new AbortController()

  constructor(parts: HostParts) {
    this.store = parts.store
    this.#parts = parts
  }

  /** Aborted when the host closes. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** How many threads are driven here now. */
  get size(): number {
    return this.#driven.size
  }

  drives(thread: string): boolean {
    return this.#driven.has(thread)
  }

  /** Why the last drive of a thread failed here; `undefined` if it did not. */
  failureOf(thread: string): unknown {
    return this.#failures.get(thread)
  }

  graphOf(thread: string): Promise<Graph> {
    return this.#parts.graphOf(thread)
  }

  /** The run of a stored thread, after event `seq` (default: the last). @throws UnknownThread, WrongGraph */
  async runOf(thread: string, seq?: number): Promise<{ readonly graph: Graph; readonly run: Run }> {
    const graph = await this.graphOf(thread)
    const run = await replay(graph.machine, this.store, thread, seq)
    if (!run) throw new UnknownThread(thread)
    return { graph, run }
  }

  /** Ports for work beside a drive, as a fork. */
  async portsOf(thread: string, graph?: Graph): Promise<Ports> {
    const bound = graph ?? (await this.graphOf(thread))
    const ports = await this.#parts.portsOf(thread, bound)
    return {
      ...ports,
      live: news => {
        this.changes.publish(news.thread, news)
        this.#parts.live?.(news, thread)
      },
      heartbeat: beat => this.#pulse(thread, ports, beat),
    }
  }

  /**
   * Drives a thread until it has ended, or only people and time can carry it on. A thread that is driven here already is joined.
   * @throws Conflict while another process drives it; WrongGraph, UnknownThread
   */
  drive(thread: string, options: HostedDrive = {}): Promise<Run> {
    const known = this.#driven.get(thread)
    if (known) return known
    const driven = this.#drive(thread, options)
    this.#driven.set(thread, driven)
    driven.catch(() => {})
    return driven
  }

  async #drive(thread: string, { graph, ...options }: HostedDrive): Promise<Run> {
    const leave = either(this.closing, this.#parts.leave, options.leave)
    const signal = either(this.#parts.signal, options.signal)
    let refused = false
    try {
      leave.throwIfAborted()
      this.#failures.delete(thread)
      return await drive(await this.portsOf(thread, graph), thread, { ...options, signal, leave })
    } catch (error) {
      refused = isConflict(error)
      if (!refused && !leave.aborted) this.#failures.set(thread, error)
      throw error
    } finally {
      this.#driven.delete(thread)
      this.#beats.delete(thread)
      if (!refused) this.changes.publish(thread)
    }
  }

  /** The threads that can go on now, oldest first. */
  due(now: number = systemClock.now()): Promise<readonly string[]> {
    const { graphs } = this.#parts
    return this.store.due(now, { isOwnerDead: isDead, ...(graphs ? { graphs } : {}) })
  }

  /** The thread that waits for this run, if it can go on now. */
  async parentOf(run: Run): Promise<string | undefined> {
    if (!run.parent || !isOver(run)) return undefined
    const { thread } = run.parent
    const summary = await this.store.thread(thread)
    return summary && summary.status !== 'ended' ? thread : undefined
  }

  /** Begins a thread, and resolves once its first event is stored. @throws ThreadExists, InvalidInput, Conflict; nothing is stored then */
  begin(
    thread: string,
    options: HostedDrive & Required<Pick<HostedDrive, 'graph'>>,
  ): Promise<void> {
    if (this.drives(thread)) return Promise.reject(new ThreadExists(thread))
    return new Promise((resolve, reject) => {
      const end = this.changes.subscribe(thread, news => {
        if (news?.kind === 'rows' && news.rows.length > 0) resolve()
      })
      this.driveOn(thread, { ...options, fresh: true })
        .then(() => resolve(), reject)
        .finally(end)
    })
  }

  /** Drives a thread, and after its end the threads that wait for it, without waiting for them. */
  async driveOn(thread: string, options: HostedDrive = {}): Promise<Run> {
    const run = await this.drive(thread, options)
    const parent = await this.parentOf(run)
    // Another process may drive the parent, or hold its graph.
    if (parent !== undefined) void this.driveOn(parent).catch(() => {})
    return run
  }

  /** Submits a command and carries it out, or waits for the process that drives the thread. @throws UnknownThread, InvalidEvent, WrongGraph */
  async deliver(thread: string, command: Command, signal?: AbortSignal): Promise<Settled> {
    const { clock } = await this.portsOf(thread)
    const id = await this.submit(thread, command, clock.now())
    for (;;) {
      const settled = await this.settlement(thread, id)
      if (settled) return settled
      signal?.throwIfAborted()
      this.closing.throwIfAborted()
      const changed = this.changes.next(thread, signal)
      changed.catch(() => {})
      if (this.drives(thread)) this.nudge(thread)
      else await Promise.race([changed, this.driveOn(thread)]).catch(unlessConflict)
      await changed
    }
  }

  /** Leaves a command to the process that drives the thread, or will; `at` is its time by the clock of the thread. Returns its id. @throws UnknownThread, InvalidEvent */
  async submit(thread: string, command: Command, at: number): Promise<string> {
    const id = `host-${randomUUID()}`
    await this.store.submit(thread, id, { ...command, at })
    return id
  }

  /** What became of a command; `undefined` while it waits. */
  async settlement(thread: string, id: string): Promise<Settled | undefined> {
    const state = await this.store.command(thread, id)
    if (state.state === 'refused')
      return { applied: false, code: state.reason.code, because: explain(state.reason) }
    return state.state === 'done' ? { applied: true } : undefined
  }

  /** A name for a thread, or a part of one. */
  newName(): string {
    return randomUUID().slice(0, 8)
  }

  /** Has a drive of this process look for commands now. */
  nudge(thread: string): void {
    for (const beat of this.#beats.get(thread) ?? []) beat()
  }

  /** Leaves all threads as they are, for the process that drives them next, and waits until they are left. */
  async close(): Promise<void> {
    this.#closing.abort(new HostClosed())
    await Promise.allSettled(this.#driven.values())
  }

  #pulse(thread: string, ports: Ports, beat: () => void): () => void {
    const beats = this.#beats.get(thread) ?? new Set()
    this.#beats.set(thread, beats.add(beat))
    const stop = ports.heartbeat(beat)
    return () => {
      beats.delete(beat)
      stop()
    }
  }
}

/** The runtime was closed while something waited for it. */
export class HostClosed extends Error {
  override readonly name = 'HostClosed'
  readonly code = 'host-closed'
  constructor() {
    super('the runtime was closed; its threads can be resumed')
  }
}

/** Whether an error is a `HostClosed`. */
export function isHostClosed(error: unknown): error is HostClosed {
  return error instanceof HostClosed
}

function either(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter(signal => signal !== undefined))
}

function unlessConflict(error: unknown): void {
  if (!isConflict(error)) throw error
}
