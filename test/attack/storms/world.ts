/** What a storm works on: one store with virtual time, a ledger of what has really happened, and what processes and people do next. */
import type { PersonEvent } from '../../../src/core/watch/event/event.ts'
import type { ForkEffects } from '../../../src/core/watch/event/event.ts'
import type { Clock, Graph, Ports } from '../../../src/runtime/ports.ts'
import { fork } from '../../../src/runtime/drive/copy.ts'
import { createGate } from '../../../src/runtime/gate/gate.ts'
import { memoryStore } from '../../../src/runtime/store/memory-store.ts'
import type { Store } from '../../../src/runtime/store/store.ts'
import { virtualClock } from '../../../src/testing/clock.ts'
import type { Chance } from '../chance.ts'

/** A payment that was made. `purpose`: what it pays, equal for a payment that is made again. */
export interface Payment {
  readonly purpose: string
  readonly key: string
  readonly attempt: number
}

/** The process that drives now. */
export interface Process {
  isDead: boolean
  readonly leave: AbortController
}

export interface World {
  readonly draw: Chance
  readonly clock: Clock
  readonly store: Store
  /** The payments that have taken effect, or will. */
  readonly payments: Payment[]
  /** The parents of the forks. */
  readonly forks: Map<string, { readonly parent: string; readonly at: number }>
  /** What has happened, to read after a violation. */
  readonly log: string[]
  /** The graph of the threads. */
  graph: Graph
  process: Process
  /** The number of the latest message. */
  goal: number
  /** How a message states its goal. */
  inputOf(goal: number): object
}

export const THREAD = 't'

export function worldOf(draw: Chance): World {
  return {
    ...{ draw, clock: virtualClock(1_000), store: memoryStore(), payments: [], forks: new Map() },
    ...{ log: [], graph: undefined as never, goal: 1 },
    process: { isDead: false, leave: new AbortController() },
    inputOf: goal => ({ goal }),
  }
}

export function portsOf({ graph, clock }: World, store: Store, owner: string): Ports {
  return {
    ...{ graph, store, clock, wall: clock.now, gate: createGate(), owner },
    isOwnerDead: () => true,
    heartbeat: () => () => {},
    redact: value => value,
  }
}

/** The thread and its forks. */
export const rootsOf = ({ forks }: World): readonly string[] => [THREAD, ...forks.keys()]

export async function submit(world: World, thread: string, event: PersonEvent): Promise<void> {
  const command = `command ${world.log.push(`${thread} receives ${JSON.stringify(event)}`)}`
  // A command to a thread that does not exist is refused.
  await world.store.submit(thread, command, event).catch(() => {})
}

const EFFECTS: readonly ForkEffects[] = ['live', 'live', 'live', 'recorded', 'refuse']

/** Forks a thread, at its latest event or at an earlier one. */
export async function forkOne(world: World): Promise<void> {
  const { draw, store, forks, log } = world
  const parent = draw.pick(rootsOf(world))
  const head = await store.thread(parent)
  if (!head) return
  const at = draw.next() < 0.5 ? head.seq : draw.below(head.seq + 1)
  const [as, effects] = [`fork${forks.size}`, draw.pick(EFFECTS)]
  await fork(portsOf(world, store, 'forker'), { thread: parent, at, as, effects })
  forks.set(as, { parent, at })
  log.push(`${as} begins after event ${at} of ${parent}, ${effects}`)
}
