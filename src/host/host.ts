/** Drives the threads of one process: each thread once, then its parent. Applies the commands that people submit. */
import { codedError, guardOf } from '../core/watch/data/fault.ts'
import { randomUUID } from 'node:crypto'
import { isDead, nodeOwner, systemClock } from '../adapters/node/ports.ts'
import { isNondeterministic } from '../core/advance.ts'
import { isOver, type Run } from '../core/run.ts'
import { type Json, defined } from '../core/watch/data/json.ts'
import { type Code, explain } from '../core/watch/reason/reason.ts'
import { Changes } from './changes.ts'
import { OwnedGraphs } from './owned-graphs.ts'
import { drive, type DriveOptions } from '../runtime/drive/drive.ts'
import type { Graph, Live, Ports } from '../runtime/ports.ts'
import { cancelWithoutGraph } from '../runtime/child/cancel-without-graph.ts'
import type { Command } from '../runtime/store/person-event.ts'
import { replay } from '../runtime/store/replay.ts'
import { isConflict, isOfGraphs, ThreadExists, UnknownThread } from '../runtime/store/store.ts'
import { isWrongGraph } from '../runtime/store/source.ts'
import type { GraphIdentity, Store, ThreadSummary } from '../runtime/store/store.ts'

/** The result of a command. */
export type Settled =
  | { readonly applied: true }
  /** `because` is one sentence: what was refused, and what is expected. */
  | { readonly applied: false; readonly code: Code; readonly because: string }

export interface HostParts {
  readonly store: Store
  /** The graph of a stored thread. @throws WrongGraph, UnknownThread */
  readonly graphOf: (thread: string) => Promise<Graph>
  /** The graphs whose threads the host drives. Default: all. */
  readonly graphs?: readonly GraphIdentity[]
  /** The ports of a stored or new thread. */
  readonly portsOf: (thread: string, graph: Graph) => Promise<Ports>
  /** Called for each event of the driven threads and of their children. `root` is the driven thread. */
  readonly live?: (news: Live, root: string) => void
  /** Whether a person sees what `live` receives. */
  readonly isWatched?: boolean
  /** Cancels the driven threads. */
  readonly signal?: AbortSignal
  /** Leaves the driven threads as they are. */
  readonly leave?: AbortSignal
}

export interface HostedDrive extends DriveOptions {
  /** The graph of a new thread. */
  readonly graph?: Graph
}

export class Host {
  readonly store: Store
  readonly changes = new Changes()
  readonly #parts: HostParts
  readonly #drives = new Map<string, Promise<Run>>()
  readonly #beats = new Map<string, Set<() => void>>()
  readonly #failures = new Map<string, unknown>()
  readonly #closing = new AbortController()

  readonly #owned: OwnedGraphs

  constructor(parts: HostParts) {
    this.store = parts.store
    this.#parts = parts
    this.#owned = new OwnedGraphs(parts)
  }

  /** Aborted when the host closes. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** The number of threads it drives now. */
  get size(): number {
    return this.#drives.size
  }

  drives(thread: string): boolean {
    return this.#drives.has(thread)
  }

  /** The error of the last drive of a thread, if it failed. */
  failureOf(thread: string): unknown {
    return this.#failures.get(thread)
  }

  graphOf(thread: string): Promise<Graph> {
    return this.#parts.graphOf(thread)
  }

  /** The run of a stored thread after event `seq` (default: the last). @throws UnknownThread, WrongGraph */
  async runOf(thread: string, seq?: number): Promise<{ readonly graph: Graph; readonly run: Run }> {
    const graph = await this.graphOf(thread)
    const run = await replay(graph.machine, this.store, thread, seq)
    if (!run) throw new UnknownThread(thread)
    return { graph, run }
  }

  /** The ports of a thread, for a drive or for work beside it such as a fork. */
  async portsOf(thread: string, graph?: Graph): Promise<Ports> {
    const ports = await this.#parts.portsOf(thread, graph ?? (await this.graphOf(thread)))
    return {
      ...ports,
      live: news => {
        this.changes.publish(news.thread, news)
        this.#parts.live?.(news, thread)
      },
      isFollowed: child =>
        this.#parts.isWatched === true ||
        this.changes.isFollowed(thread) ||
        this.changes.isFollowed(child),
      heartbeat: beat => this.#startBeat(thread, ports, beat),
    }
  }

  /** Drives a thread until it ends or waits. Joins a drive that is running here. @throws Conflict, WrongGraph, UnknownThread */
  drive(thread: string, options: HostedDrive = {}): Promise<Run> {
    const known = this.#drives.get(thread)
    if (known) return known
    const run = this.#drive(thread, options)
    this.#drives.set(thread, run)
    run.catch(() => {})
    return run
  }

  async #drive(thread: string, { graph, ...options }: HostedDrive): Promise<Run> {
    const leave = either(this.closing, this.#parts.leave, options.leave)
    const signal = either(this.#parts.signal, options.signal)
    let isRefused = false
    try {
      leave.throwIfAborted()
      this.#failures.delete(thread)
      return await drive(await this.portsOf(thread, graph), thread, { ...options, signal, leave })
    } catch (error) {
      isRefused = isConflict(error)
      if (!isRefused && !leave.aborted) this.#failures.set(thread, error)
      throw error
    } finally {
      this.#drives.delete(thread)
      this.#beats.delete(thread)
      if (!isRefused) this.changes.publish(thread)
    }
  }

  /** The threads that can continue now, oldest first. */
  async due(now: number = systemClock.now()): Promise<readonly string[]> {
    await this.#owned.refresh(systemClock.now())
    const { graphs } = this.#owned
    return this.store.due(now, { isOwnerDead: isDead, ...defined({ graphs }) })
  }

  /** Whether the host drives threads of this graph. */
  owns(of: GraphIdentity): boolean {
    return isOfGraphs(of, this.#owned.graphs)
  }

  /** The thread that waits for this run, if it can continue now. */
  async parentOf(run: Run): Promise<string | undefined> {
    if (!run.parent || !isOver(run)) return undefined
    const summary = await this.store.thread(run.parent.thread)
    return summary && summary.status !== 'ended' ? summary.thread : undefined
  }

  /** Starts a thread, and resolves once its first event is stored. @throws ThreadExists, InvalidInput, Conflict; nothing is stored then */
  startThread(thread: string, options: HostedDrive & { readonly graph: Graph }): Promise<void> {
    if (this.drives(thread)) return Promise.reject(new ThreadExists(thread))
    return new Promise((resolve, reject) => {
      const end = this.changes.subscribe(thread, news => {
        if (news?.kind === 'rows' && news.rows.length > 0) resolve()
      })
      this.driveWithParents(thread, { ...options, fresh: true })
        .then(() => resolve(), reject)
        .finally(end)
    })
  }

  /** Drives a thread until it ends or waits, then its waiting parents in the background. */
  async driveWithParents(thread: string, options: HostedDrive = {}): Promise<Run> {
    const run = await this.drive(thread, options)
    const parent = await this.parentOf(run)
    // Another process may drive the parent, or hold its graph.
    if (parent !== undefined) void this.driveWithParents(parent).catch(() => {})
    return run
  }

  /** Submits a command and applies it, or waits for the process that drives the thread. @throws UnknownThread, InvalidEvent, WrongGraph */
  async deliver(thread: string, command: Command, signal?: AbortSignal): Promise<Settled> {
    try {
      return await this.#deliver(thread, command, signal)
    } catch (error) {
      const isUnreachable = isWrongGraph(error) || isNondeterministic(error)
      if (command.type !== 'cancel' || !isUnreachable) throw error
      return this.cancelUnreachable(thread, command.reason, signal)
    }
  }

  /** Cancels a thread whose graph is not held here, at once or through the process that drives it. @throws UnknownThread */
  async cancelUnreachable(thread: string, reason: string, signal?: AbortSignal): Promise<Settled> {
    let id: string | undefined
    for (;;) {
      const settled = id === undefined ? undefined : await this.settlement(thread, id)
      if (settled) return settled
      try {
        if (!(await this.store.thread(thread))) throw new UnknownThread(thread)
        await cancelWithoutGraph({ store: this.store, ...nodeOwner() }, thread, reason)
        this.changes.publish(thread)
        return { applied: true }
      } catch (error) {
        if (!isConflict(error)) throw error
      }
      id ??= await this.submit(thread, { type: 'cancel', reason }, systemClock.now())
      await this.changes.next(thread, signal)
    }
  }

  /** The open threads of other versions of the graphs held here: a process with their version continues them. */
  async unreachable(): Promise<readonly ThreadSummary[]> {
    const threads = await this.store.threads()
    await this.#owned.find(threads)
    return threads.filter(each => this.#owned.isOther(each))
  }

  async #deliver(thread: string, command: Command, signal?: AbortSignal): Promise<Settled> {
    const { clock } = await this.portsOf(thread)
    const id = await this.submit(thread, command, clock.now())
    for (;;) {
      const settled = await this.settlement(thread, id)
      if (settled) return settled
      signal?.throwIfAborted()
      this.closing.throwIfAborted()
      const changed = this.changes.next(thread, signal)
      changed.catch(() => {})
      // The running drive looks for commands at each beat.
      if (this.drives(thread)) for (const beat of this.#beats.get(thread) ?? []) beat()
      else await Promise.race([changed, this.driveWithParents(thread)]).catch(unlessConflict)
      await changed
    }
  }

  /** Queues a command for the process that drives the thread. `at` is the time on the thread's clock. Returns its id. @throws UnknownThread, InvalidEvent */
  async submit(thread: string, command: Command, at: number): Promise<string> {
    const id = `host-${randomUUID()}`
    // The inbox keeps its rows, as the journal does.
    const { redact } = nodeOwner()
    const redacted = redact({ ...command, at } as unknown as Json)
    await this.store.submit(thread, id, redacted as unknown as Command)
    return id
  }

  /** The result of a command. Returns `undefined` while it is queued. */
  async settlement(thread: string, id: string): Promise<Settled | undefined> {
    const command = await this.store.command(thread, id)
    if (command.state === 'done') return { applied: true }
    if (command.state !== 'refused') return undefined
    return { applied: false, code: command.reason.code, because: explain(command.reason) }
  }

  newName(): string {
    return randomUUID().slice(0, 8)
  }

  /** Leaves all driven threads, for another process to resume, and waits until they are left. */
  async close(): Promise<void> {
    this.#closing.abort(new HostClosed())
    await Promise.allSettled(this.#drives.values())
  }

  #startBeat(thread: string, ports: Ports, beat: () => void): () => void {
    const beats = this.#beats.get(thread) ?? new Set()
    this.#beats.set(thread, beats.add(beat))
    const stop = ports.heartbeat(beat)
    return () => {
      beats.delete(beat)
      stop()
    }
  }
}

/** The runtime closed while a caller waited for it. */
export class HostClosed extends codedError('HostClosed', 'host-closed') {
  constructor() {
    super('the runtime was closed; its threads can be resumed')
  }
}

/** Whether an error is a `HostClosed`. */
export const isHostClosed = guardOf(HostClosed)

const either = (...signals: readonly (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter(signal => signal !== undefined))

function unlessConflict(error: unknown): void {
  if (!isConflict(error)) throw error
}
