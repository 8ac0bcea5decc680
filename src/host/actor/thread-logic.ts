/** A thread as the logic of an XState actor. The runtime drives and stores the thread; the actor shows it and takes commands. */
import type { ActorLogic, AnyActorRef } from 'xstate'
import type { Row } from '../../core/run/run.ts'
import { defined, type Json } from '../../core/watch/data/json.ts'
import type { AgentEvent } from '../../core/watch/event/event.ts'
import type { ChannelsOf, Graph, InputOf, LiveToken, OutputOf } from '../../runtime/ports.ts'
import type { Command } from '../../runtime/store/person-event.ts'
import { hostOf, type Runtime } from '../runtime.ts'
import { Follower, type Updates } from './follower.ts'
import { persisted, restored, snapshotOf, type ThreadInput } from './thread-snapshot.ts'
import { type ThreadSnapshot, unread } from './thread-snapshot.ts'
import { newName } from '../thread/new-name.ts'

/** The actor sends these events to itself; an inspector shows them. */
type OwnEvent =
  | ({
      /** A row of the journal has the type of its event. `escapement.opened` has the state of a thread that existed before. */
      readonly type: `escapement.${AgentEvent['type'] | 'opened'}`
      readonly row?: Row
    } & Shown)
  | { readonly type: 'escapement.failed'; readonly error: unknown }
  | { readonly type: 'xstate.stop' }

type Shown = Readonly<{ snapshot: Snapshot }>
type Failed = Extract<OwnEvent, { readonly type: 'escapement.failed' }>

/** Inside the logic, the types of the graph do not matter. */
type Snapshot = ThreadSnapshot
type Logic = ActorLogic<
  Snapshot,
  Command | OwnEvent,
  ThreadInput<Json> | undefined,
  AnyActorRef['system'],
  ThreadEmitted
>

/** What an actor emits to `actor.on`: streamed text of a model, and commands that the thread refuses. */
export type ThreadEmitted =
  | ({ readonly type: 'token' } & Omit<LiveToken, 'kind'>)
  | {
      readonly type: 'rejected'
      readonly command: Command
      readonly code: string
      readonly because: string
    }

/** The actor logic of the threads of a graph. */
export type ThreadLogic<G extends Graph = Graph> = ActorLogic<
  ThreadSnapshot<OutputOf<G>, ChannelsOf<G>>,
  Command | OwnEvent,
  // A restored actor needs no input.
  ThreadInput<InputOf<G>> | undefined,
  AnyActorRef['system'],
  ThreadEmitted
>

/**
 * The logic of an actor for one thread of a graph, for `createActor` or `invoke`. Its events are commands: `{ type: 'resume', effect,
 * decision }`, `{ type: 'cancel', reason }` and so on. Every ending of the thread is an output. An error of the store or of the
 * runtime is an error of the actor. Stopping the actor leaves the thread to the runtime.
 * @throws TypeError for an object that `createRuntime` did not return
 * @example
 * const actor = createActor(threadLogic(runtime, shop), { input: { thread: 'ticket-44', input: { goal: 'How many are left?' } } })
 * actor.subscribe(({ value, questions }) => print(value, questions))
 * actor.start()
 */
export function threadLogic<G extends Graph>(runtime: Runtime, graph: G): ThreadLogic<G> {
  const host = hostOf(runtime)
  const followers = new WeakMap<AnyActorRef, Follower>()
  const startOf = ({ thread, start }: Snapshot) => {
    const { input, ...options } = start ?? {}
    if (input === undefined) return {}
    return { start: () => runtime.start(graph, input as never, { ...options, thread }) }
  }
  const logic: Logic = {
    getInitialSnapshot(_, input = {}) {
      const { thread = `${graph.machine.id}-${newName()}`, ...start } = input
      return unread({ thread, seq: -1, value: null, start })
    },
    getPersistedSnapshot: persisted,
    restoreSnapshot: restored,
    start(snapshot, { self, emit }) {
      if (snapshot.status !== 'active') return
      const { thread } = snapshot
      const updates = updatesOf(thread, { send: event => self.send(event), emit })
      followers.set(self, new Follower({ host, thread, updates, ...startOf(snapshot) }))
    },
    transition(snapshot, event, { self, defer }) {
      if (snapshot.status !== 'active') return snapshot
      const follower = followers.get(self)
      switch (event.type) {
        case 'xstate.stop':
          follower?.stop()
          return { ...snapshot, status: 'stopped' } as Snapshot
        case 'escapement.failed':
          return { ...snapshot, status: 'error', error: (event as Failed).error } as Snapshot
        default:
          if ('snapshot' in event) return event.snapshot
          defer(() => follower?.send(event as Command))
          return snapshot
      }
    },
  }
  return logic as unknown as ThreadLogic<G>
}

interface Ref {
  readonly send: (event: OwnEvent) => void
  readonly emit: (event: ThreadEmitted) => void
}

const updatesOf = (thread: string, { send, emit }: Ref): Updates => ({
  onRun({ run, machine, row, isLast }) {
    const type = `escapement.${row?.event.type ?? 'opened'}` as const
    send({
      type,
      snapshot: snapshotOf(thread, { machine, run, isLast }),
      ...defined({ row }),
    } as OwnEvent)
  },
  onToken: ({ kind: _, ...token }) => emit({ type: 'token', ...token }),
  onRejected: (command, { code, because }) => emit({ type: 'rejected', command, code, because }),
  onError: error => send({ type: 'escapement.failed', error }),
})
