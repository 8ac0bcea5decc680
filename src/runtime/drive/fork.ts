/** Forking: a new thread with a journal of its own that begins with a copy of another one's, up to some event. */
import { advance } from '../../core/advance.ts'
import { FORK_EFFECTS } from '../../core/watch/event/event.ts'
import type { Row, Run } from '../../core/run.ts'
import type { AgentEvent, ForkEffects, Stamped } from '../../core/watch/event/event.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { rowOf } from '../journal/journal.ts'
import { createFromRows } from './create-from-rows.ts'
import { applyPolicyChange } from '../people/policy-change.ts'
import type { Ports } from '../ports.ts'
import { replay } from '../store/replay.ts'
import { ThreadExists, UnknownThread } from '../store/store.ts'

/** Whose fork it is, from where on, and what it may do in the world. */
export interface ForkTerms {
  /** The parent. */
  readonly thread: string
  /** The event after which the fork begins; default: the parent's last. */
  readonly at?: number
  /** The name of the fork. */
  readonly as: string
  readonly effects: ForkEffects
  /** Of the policy, in the notation of a spec: in force from the fork's first step. */
  readonly change?: Json
}

/** There is nothing to fork there, or not like that. */
export class InvalidFork extends Error {
  override readonly name = 'InvalidFork'
  readonly code = 'invalid-fork'
}

/** Whether an error is an `InvalidFork`. */
export function isInvalidFork(error: unknown): error is InvalidFork {
  return error instanceof InvalidFork
}

/**
 * Makes the fork, and performs nothing: it is driven like any thread. The parent is only read, also while it is driven.
 *
 * @throws UnknownThread, ThreadExists, InvalidFork
 * @example await fork(ports, { thread: 'ticket-42', at: 12, as: 'ticket-42-tried', effects: 'recorded', change: { retry: { attempts: 1 } } })
 */
export async function fork(
  ports: Ports,
  { thread, at, as, effects, change }: ForkTerms,
): Promise<Run> {
  const { store, graph, clock } = ports
  if (!FORK_EFFECTS.includes(effects))
    throw new InvalidFork(
      `effects: expected one of ${FORK_EFFECTS.join(', ')}, not '${String(effects)}'`,
    )
  if (as.trim() === '') throw new InvalidFork('the fork needs a name')
  if (at !== undefined && !(Number.isInteger(at) && at >= 0))
    throw new InvalidFork(`at: expected the number of an event, not ${at}`)
  const parent = await replay(graph.machine, store, thread, at)
  if (!parent) throw new UnknownThread(thread)
  if (await store.thread(as)) throw new ThreadExists(as)
  if (at !== undefined && parent.seq !== at)
    throw new InvalidFork(
      `there is no event ${at} in thread '${thread}'; its last one is ${parent.seq}`,
    )
  const changed = change === undefined ? undefined : applyPolicyChange(graph, parent.policy, change)
  if (changed?.faults)
    throw new InvalidFork(
      changed.faults.map(({ path, message }) => `${path}: ${message}`).join('; '),
    )
  const copied = await store.rows(thread, -1, parent.seq + 1)
  return createFromRows(ports, as, ({ epoch }) => {
    const own: AgentEvent[] = [
      { type: 'forked', parent: { thread, seq: parent.seq }, effects, epoch },
    ]
    if (changed?.policy)
      own.push({ type: 'policy.changed', policy: changed.policy, change: change as Json, epoch })
    const rows: Row[] = [...copied]
    let run = parent
    for (const event of own) {
      const stamped = { ...event, at: Math.max(clock.now(), run.at) } as Stamped
      run = advance(graph.machine, run, stamped)
      rows.push(rowOf(run, stamped))
    }
    return { rows, run }
  })
}
