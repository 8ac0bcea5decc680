/** The ports of a run in a Node.js process: clock, timers, environment, and its identity as the owner of leases and writes. */
import { createGate, type Gate } from '../../runtime/gate/gate.ts'
import { type Recorder, recorder as recorderOf } from '../../runtime/journal/recorder.ts'
import type { Clock, Ports } from '../../runtime/ports.ts'
import { seeEnvironment } from '../../runtime/redaction/process-secrets.ts'
import { redactor } from '../../runtime/redaction/redact.ts'
import type { Store } from '../../runtime/store/store.ts'
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** The options of `nodePorts`. */
export interface NodePorts
  extends Pick<Ports, 'graph' | 'store' | 'notifiers' | 'live' | 'leaseTime'> {
  /** Default: the wall clock. A virtual clock does not wait. */
  readonly clock?: Clock
  /** Default: one for all threads of this process on this store, with breakers in the store. In virtual time: a private one. */
  readonly gate?: Gate
}

const GATES = new WeakMap<Store, Gate>()
const HEARTBEAT = 500

/** @example drive(nodePorts({ graph, store: sqliteStore({ file: 'threads.db' }) }), 'ticket-42', { start: { input, seed: 1 } }) */
export function nodePorts({ clock = systemClock, gate, ...options }: NodePorts): Ports {
  return {
    ...nodeOwner(),
    ...options,
    clock,
    gate: gate ?? (clock.virtual ? createGate() : gateOf(options.store)),
    heartbeat: beat => {
      const timer = setInterval(beat, HEARTBEAT).unref()
      return () => clearInterval(timer)
    },
  }
}

/** The identity of a writer of a store, its clock, and the secrets to redact. */
export function nodeOwner(): Pick<Ports, 'owner' | 'isOwnerDead' | 'wall' | 'redact'> {
  readSecrets()
  return { owner: OWNER, isOwnerDead: isDead, wall: systemClock.now, redact: redactor() }
}

/** Secrets that a program deletes from its environment, or replaces there, stay known. */
export const readSecrets = (): void => seeEnvironment(process.env)

// A program may delete them before it creates its runtime.
readSecrets()

/**
 * Records watched agents of this process in a store.
 * @example
 * const { record, flush } = recorder(sqliteStore({ file: 'threads.db' }))
 * const monitor = watchdog({ thread: 'ticket-42', record })
 */
export const recorder = (store: Store): Recorder =>
  recorderOf({ store, ...nodeOwner(), readSecrets })

function gateOf(store: Store): Gate {
  const known = GATES.get(store) ?? createGate(store)
  GATES.set(store, known)
  return known
}

/** `setTimeout` counts in 32 bits. A longer wait consists of several. */
const LONGEST = 2_147_483_000

/**
 * The wall clock. Waiting keeps the process alive.
 * @example nodePorts({ graph, store, clock: systemClock })
 */
export const systemClock: Clock = { now: () => Date.now(), sleep, during: work => work(sleep) }

/** Rejects with the reason of the signal. `node:timers/promises` also makes an error, which costs more than most steps. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    let timer: NodeJS.Timeout
    const wake = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const wait = (left: number) => {
      timer = setTimeout(
        () => {
          if (left > LONGEST) return wait(left - LONGEST)
          signal?.removeEventListener('abort', wake)
          resolve()
        },
        Math.min(left, LONGEST),
      )
    }
    signal?.addEventListener('abort', wake, { once: true })
    wait(Math.max(0, ms))
  })
}

/**
 * `host/pid/namespace/start/nonce`. A pid names a process only within its PID namespace and until the process ends: two
 * containers may share a volume and a host name.
 */
export const OWNER = [
  hostname(),
  process.pid,
  namespaceOf(),
  stateOf(process.pid)?.start ?? '',
  randomUUID().slice(0, 8),
].join('/')

/** Whether an owner is certainly a process of this machine and PID namespace that ended. `proc` is where processes are listed. */
export function isDead(owner: string, proc?: string): boolean {
  const [host, pid, namespace, start] = owner.split('/')
  const [ownHost, , ownNamespace] = OWNER.split('/')
  if (host !== ownHost || namespace !== ownNamespace) return false
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    if ((error as { code?: string }).code === 'ESRCH') return true
  }
  const current = stateOf(Number(pid), proc)
  // Another process may have the pid now, and a zombie waits for its parent only.
  return start !== '' && current !== undefined && (current.isZombie || current.start !== start)
}

/** The boot of the kernel, the PID namespace and the time namespace, hashed. A start time counts from the boot of its time namespace. */
function namespaceOf(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
    const names = `${boot.trim()} ${readlinkSync('/proc/self/ns/pid')} ${timeNamespace()}`
    return createHash('sha256').update(names).digest('hex').slice(0, 12)
  } catch {
    // Without these names, as outside of Linux, no other owner is known to have ended.
    return randomUUID()
  }
}

/** Empty on kernels without time namespaces. */
function timeNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/time')
  } catch {
    return ''
  }
}

interface ProcessState {
  /** In ticks since the boot of the kernel. */
  readonly start: string
  /** The process has ended but keeps its pid. */
  readonly isZombie: boolean
}

/** `undefined` if the state is unknown. */
function stateOf(pid: number, proc = '/proc'): ProcessState | undefined {
  try {
    // After `unshare --pid` without a mount, /proc lists another PID namespace, where the pid is that of another process.
    if (readlinkSync(`${proc}/self`) !== String(process.pid)) return undefined
    const stat = readFileSync(`${proc}/${pid}/stat`, 'utf8')
    // The second field is the name of the program, in parentheses, and may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { start: fields[19] ?? '', isZombie: fields[0] === 'Z' || fields[0] === 'X' }
  } catch {
    return undefined
  }
}
