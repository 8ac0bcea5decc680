/** The ports of a run in a Node.js process: clock, owner name, timers and environment. */
import { setTimeout as pause } from 'node:timers/promises'
import { createGate, type Gate } from '../../runtime/gate/gate.ts'
import { type Recorder, recorder as recorderOf } from '../../runtime/journal/recorder.ts'
import type { Clock, Graph, Live, Notifier, Ports } from '../../runtime/ports.ts'
import { redactor } from '../../runtime/redact.ts'
import type { Store } from '../../runtime/store/store.ts'
import { isDead, OWNER } from './owner.ts'

/** The options of `nodePorts`. */
export interface NodePorts {
  readonly graph: Graph
  readonly store: Store
  /** Default: the wall clock. A virtual clock does not wait. */
  readonly clock?: Clock
  /** Default: one for all threads of this process on this store, with breakers in the store. In virtual time: a private one. */
  readonly gate?: Gate
  readonly notifiers?: readonly Notifier[]
  readonly live?: (news: Live) => void
}

const GATES = new WeakMap<Store, Gate>()
const HEARTBEAT = 500

/** @example drive(nodePorts({ graph, store: sqliteStore({ file: 'threads.db' }) }), 'ticket-42', { start: { input, seed: 1 } }) */
export function nodePorts(options: NodePorts): Ports {
  const { graph, store, clock = systemClock, notifiers = [], live } = options
  const gate = options.gate ?? (clock.virtual ? createGate() : gateOf(store))
  return {
    ...nodeOwner(),
    graph,
    store,
    clock,
    gate,
    heartbeat: beat => {
      const timer = setInterval(beat, HEARTBEAT).unref()
      return () => clearInterval(timer)
    },
    notifiers,
    ...(live ? { live } : {}),
  }
}

/** The identity of a writer of a store, its clock, and the secrets to redact. */
export function nodeOwner(): Pick<Ports, 'owner' | 'isOwnerDead' | 'wall' | 'redact'> {
  const redact = redactor(secretsOf(process.env))
  return { owner: OWNER, isOwnerDead: isDead, wall: systemClock.now, redact }
}

/**
 * Records watched agents of this process in a store.
 * @example
 * const { record, flush } = recorder(sqliteStore({ file: 'threads.db' }))
 * const monitor = watchdog({ thread: 'ticket-42', record })
 */
export function recorder(store: Store): Recorder {
  return recorderOf({ store, ...nodeOwner() })
}

function gateOf(store: Store): Gate {
  const known = GATES.get(store) ?? createGate(store)
  GATES.set(store, known)
  return known
}

function secretsOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value && /(KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|_PASS$|_PWD$|_AUTH$|_PAT$)/i.test(name)
      ? [value]
      : [],
  )
}

/** `setTimeout` counts in 32 bits. A longer wait consists of several. */
const LONGEST = 2_147_483_000

/**
 * The wall clock. Waiting keeps the process alive.
 * @example nodePorts({ graph, store, clock: systemClock })
 */
export const systemClock: Clock = { now: () => Date.now(), sleep, during: work => work(sleep) }

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  for (let left = Math.max(0, ms); ; left -= LONGEST) {
    try {
      await pause(Math.min(left, LONGEST), undefined, signal ? { signal } : {})
    } catch (error) {
      throw signal?.aborted ? signal.reason : error
    }
    if (left <= LONGEST) return
  }
}
