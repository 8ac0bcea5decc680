/** Drives the threads of one process: each thread once, then its parent. Applies the commands that people submit. */
import { randomUUID } from 'node:crypto'
import { type CloseOptions, HostClosed } from './host-closed.ts'
import { isDead, nodeOwner, nodePorts, systemClock } from '../../adapters/node/ports.ts'
import { isNondeterministic } from '../../core/advance.ts'
import { isOver, type Run } from '../../core/run/run.ts'
import { defined } from '../../core/watch/data/json.ts'
import { addTo } from '../../core/watch/data/sets.ts'
import { parentIn } from '../../core/watch/data/thread-name.ts'
import { explain } from '../../core/watch/reason/reason.ts'
import { pauseChildren } from './children.ts'
import { Changes } from './changes.ts'
import type { CommandOptions, Settled } from './command.ts'
import { checkCommand, explainMissing, identifiedBy } from './once.ts'
import type { HostedDrive, HostParts } from './host-parts.ts'
import { isBoundElsewhere } from './load.ts'
import { clockOf } from './thread-start.ts'
import { drive } from '../../runtime/drive/drive.ts'
import { redactCommand } from '../../runtime/people/inbox.ts'
import type { Graph, Ports } from '../../runtime/ports.ts'
import { cancelWithoutGraph } from '../../runtime/child/cancel-without-graph.ts'
import { type Command, personEvent } from '../../runtime/store/person-event.ts'
import { replay } from '../../runtime/store/replay.ts'
import { recordStops } from './record-stops.ts'
import { isWrongGraph } from '../../runtime/store/source.ts'
import { type GraphIdentity, isConflict, isThreadExists } from '../../runtime/store/store.ts'
import { isThreadPruned, type Store, UnknownThread } from '../../runtime/store/store.ts'

export class Host {
  readonly store: Store
  readonly changes = new Changes()
  /** Resolves once all threads are left, and their stops are stored. */
  readonly closed: { readonly promise: Promise<void>; readonly resolve: () => void } =
    Promise.withResolvers<void>()
  readonly #parts: HostParts
  readonly #drives = new Map<string, Promise<Run>>()
  /** The heartbeats of the driven threads and of their children. Calling one has the drive check its inbox now. */
  readonly #heartbeats = new Map<string, Set<() => void>>()
  readonly #failures = new Map<string, unknown>()
  #delegate: ((thread: string) => Promise<void>) | undefined
  readonly #closing = new AbortController()
  readonly #draining = new AbortController()

  constructor(parts: HostParts) {
    this.store = parts.store
    this.#parts = parts
    const end = this.store.onChange?.(thread => {
      this.changes.publish(thread)
      this.wakeThread(thread)
    })
    const endBreakers = this.store.onBreakerChange?.(resource =>
      this.changes.report({ kind: 'breaker', resource }),
    )
    const endAll = () => {
      end?.()
      endBreakers?.()
    }
    this.closing.addEventListener('abort', endAll, { once: true })
  }

  /** Aborted when the host closes. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** Aborted when the host drains its threads, before it closes. */
  get draining(): AbortSignal {
    return this.#draining.signal
  }

  /** Whether its threads run in virtual time. */
  get isVirtual(): boolean {
    return this.#parts.clock?.clock?.virtual === true
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
  async portsOf(thread: string, given?: Graph): Promise<Ports> {
    const { store, clock = {}, gateOf, notifiersOf, leaseTime, makePorts = nodePorts } = this.#parts
    const graph = given ?? (await this.graphOf(thread))
    const ports = makePorts({
      graph,
      store,
      clock: await clockOf(store, thread, clock),
      notifiers: notifiersOf(graph),
      ...defined({ gate: gateOf?.(thread), leaseTime }),
    })
    return {
      ...ports,
      live: update => {
        this.changes.publish(update.thread, update)
        this.#parts.live?.(update, thread)
      },
      isAttended: child =>
        this.#parts.isAttended === true ||
        this.changes.isFollowed(thread) ||
        this.changes.isFollowed(child),
      heartbeat: beat => {
        const ends = [addTo(this.#heartbeats, thread, beat), ports.heartbeat(beat)]
        return () => ends.forEach(end => void end())
      },
      wake: other => this.wakeThread(other),
    }
  }

  /** Drives one thread until it ends or waits. Joins a drive that is running here. @throws Conflict, WrongGraph, UnknownThread */
  driveOne(thread: string, { graph, ...options }: HostedDrive = {}): Promise<Run> {
    const known = this.#drives.get(thread)
    if (known) return known
    const leave = either(this.closing, this.#parts.leave, options.leave)
    const signal = either(this.#parts.signal, options.signal)
    const drain = this.draining
    const start = async () => {
      either(leave, drain).throwIfAborted()
      return drive(await this.portsOf(thread, graph), thread, { ...options, signal, leave, drain })
    }
    const end = (error?: unknown) => {
      this.#drives.delete(thread)
      // Another drive of the thread goes on, or the thread is missing.
      if (isConflict(error) || isThreadExists(error) || isThreadPruned(error)) return
      if (error !== undefined && !leave.aborted && !drain.aborted) this.#failures.set(thread, error)
      this.changes.publish(thread)
    }
    this.#failures.delete(thread)
    const run = start()
    this.#drives.set(thread, run)
    run.then(() => end(), end)
    return run
  }

  /** The threads that can continue now, in the order of the store. */
  async due(now: number = systemClock.now(), limit?: number): Promise<readonly string[]> {
    const { graphs } = this.#parts
    await graphs?.refresh(systemClock.now())
    const of = defined({ graphs: graphs?.identities, limit })
    return this.store.due(now, { isOwnerDead: isDead, ...of })
  }

  /** The ids of the held graphs. */
  get graphIds(): readonly string[] {
    return this.#parts.graphs?.identities.map(({ graph }) => graph) ?? []
  }

  /** The graph that starts new threads under an id. */
  newestGraph(id: string): Graph | undefined {
    return this.#parts.graphs?.newest(id)
  }

  /** Whether the host drives threads of this graph. */
  owns(of: GraphIdentity): boolean {
    return this.#parts.graphs?.holds(of) ?? true
  }

  /** The thread that waits for this run, if it can continue now. */
  async parentOf(run: Run): Promise<string | undefined> {
    if (!run.parent || !isOver(run)) return undefined
    const summary = await this.store.thread(run.parent.thread)
    return summary && summary.status !== 'ended' ? summary.thread : undefined
  }

  /** Drives a thread until it ends or waits, then its waiting parents in the background. */
  async driveWithParents(thread: string, options: HostedDrive = {}): Promise<Run> {
    const run = await this.driveOne(thread, options)
    await this.wakeParentOf(run)
    return run
  }

  /** Drives the thread that waits for this run, in the background. */
  async wakeParentOf(run: Run): Promise<void> {
    const parent = await this.parentOf(run)
    if (parent === undefined) return
    // Another process may drive the parent, or hold its graph. `failureOf` keeps another error.
    if (this.#delegate) void this.#delegate(parent)
    else void this.driveWithParents(parent).catch(() => {})
  }

  /** Has `wake` continue threads that a command or the end of a child wakes. Returns a function that ends it. */
  delegate(wake: (thread: string) => Promise<void>): () => void {
    this.#delegate = wake
    return () => {
      this.#delegate = undefined
    }
  }

  /** Submits a command and applies it, or waits for the process that drives the thread. Without its graph, a thread can only be cancelled. @throws UnknownThread, InvalidEvent, WrongGraph, ThreadPruned */
  async deliver(
    thread: string,
    command: Command,
    { signal, ...given }: CommandOptions = {},
  ): Promise<Settled> {
    const options = identifiedBy(given)
    await checkCommand(this.store, thread, options)
    const queue = (at: number) => this.submit(thread, command, at, options)
    try {
      const id = await queue((await this.portsOf(thread)).clock.now())
      const settled = await this.settled(thread, id, signal, () => this.#wakeOrDrive(thread))
      if (settled.applied && command.type === 'pause') await pauseChildren(this, thread)
      return settled
    } catch (error) {
      const isUnreachable =
        isWrongGraph(error) || isBoundElsewhere(error) || isNondeterministic(error)
      if (command.type !== 'cancel' || !isUnreachable)
        throw await explainMissing(this.store, error, { thread, once: options.once })
      const id = await queue(systemClock.now())
      return this.settled(thread, id, signal, async () => {
        await cancelWithoutGraph({ store: this.store, ...nodeOwner() }, thread, command.reason)
        this.changes.publish(thread)
      })
    }
  }

  /** Has a running drive look for commands, or drives the thread. */
  async #wakeOrDrive(thread: string): Promise<void> {
    if (this.drives(thread)) this.wakeThread(thread)
    else await (this.#delegate ?? (id => this.driveWithParents(id)))(thread)
  }

  /** Waits until a command is settled, here by `work` or by another process. */
  async settled(
    thread: string,
    id: string,
    signal?: AbortSignal,
    work = async () => {},
  ): Promise<Settled> {
    for (;;) {
      const command = await this.store.command(thread, id)
      if (command.state === 'done') return { applied: true }
      if (command.state === 'refused')
        return { applied: false, code: command.reason.code, because: explain(command.reason) }
      signal?.throwIfAborted()
      this.closing.throwIfAborted()
      const changed = this.changes.next(thread, signal)
      await Promise.all([changed, Promise.race([changed, work()]).catch(unlessConflict)])
    }
  }

  /** Queues a command for the process that drives the thread. `at` is the time on the thread's clock. Returns its id. @throws UnknownThread, InvalidEvent */
  async submit(
    thread: string,
    command: Command,
    at: number,
    { id = `host-${randomUUID()}`, once }: Pick<CommandOptions, 'id' | 'once'> = {},
  ): Promise<string> {
    // The inbox keeps its rows, as the journal does. A value that is nested too deep cannot be redacted.
    const event = personEvent({ ...command, at })
    await this.store.submit(thread, id, redactCommand(nodeOwner().redact, event), once)
    return id
  }

  /** Has the drive of a thread look for commands, if this process drives it or an ancestor of it. */
  wakeThread(thread: string): void {
    for (const beat of this.#heartbeats.get(thread) ?? []) beat()
    const parent = parentIn(thread)
    if (parent !== undefined) this.wakeThread(parent)
  }

  /** Has the drives of this process look for commands and breakpoints. */
  wake(): void {
    for (const beats of this.#heartbeats.values()) for (const beat of beats) beat()
  }

  /** Leaves all driven threads, for another process to resume, and waits until they are left. Their turns have `drain` ms to end. */
  async close({ drain = 0 }: CloseOptions = {}): Promise<void> {
    this.#draining.abort(new HostClosed())
    const over = new AbortController()
    const time = systemClock.sleep(drain, over.signal).catch(() => {})
    if (drain > 0) await Promise.race([time, Promise.allSettled(this.#drives.values())])
    over.abort()
    this.#closing.abort(new HostClosed())
    await Promise.allSettled(this.#drives.values())
    await recordStops(this.store, thread => this.portsOf(thread)).finally(this.closed.resolve)
  }
}

const either = (...signals: readonly (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter(signal => signal !== undefined))

function unlessConflict(error: unknown): void {
  if (!isConflict(error)) throw error
}
