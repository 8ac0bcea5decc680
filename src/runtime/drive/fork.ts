/** Forks: a new thread whose journal begins with a copy of another one's, up to some event. */
import { codedError, guardOf } from '../../core/watch/data/guard.ts'
import type { Run } from '../../core/run.ts'
import { type AgentEvent, FORK_EFFECTS, type ForkEffects } from '../../core/watch/event/event.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { advanceRow } from '../journal/journal.ts'
import { applyPolicyChange } from '../people/policy-change.ts'
import type { Ports } from '../ports.ts'
import { replay } from '../store/replay.ts'
import { checkName, ThreadExists, UnknownThread } from '../store/store.ts'
import { createFromRows, type NewThread } from './create-from-rows.ts'

/** The parent of a fork, the event it begins after, and its permitted effects. */
export interface ForkTerms {
  /** The parent. */
  readonly thread: string
  /** The event after which the fork begins; default: the parent's last. */
  readonly at?: number
  /** The name of the fork. */
  readonly as: string
  readonly effects: ForkEffects
  /** Policy changes in the notation of a spec, in force from the fork's first step. */
  readonly change?: Json
}

/** The terms of the fork are not valid. */
export class InvalidFork extends codedError('InvalidFork', 'invalid-fork') {}

/** Whether an error is an `InvalidFork`. */
export const isInvalidFork = guardOf(InvalidFork)

/**
 * Creates the fork without performing anything; drive it like any thread. The parent is only read and may be running.
 *
 * @throws UnknownThread, ThreadExists, ReservedName, InvalidFork
 * @example await fork(ports, { thread: 'ticket-42', at: 12, as: 'ticket-42-tried', effects: 'recorded', change: { retry: { attempts: 1 } } })
 */
export async function fork(ports: Ports, terms: ForkTerms): Promise<Run> {
  const { thread, at, as, effects, change } = terms
  const { store, graph } = ports
  const names = FORK_EFFECTS.join(', ')
  if (!FORK_EFFECTS.includes(effects))
    throw new InvalidFork(`effects: expected one of ${names}, not '${String(effects)}'`)
  if (as.trim() === '') throw new InvalidFork('the fork needs a name')
  if (at !== undefined && !(Number.isInteger(at) && at >= 0))
    throw new InvalidFork(`at: expected the number of an event, not ${at}`)
  checkName(as)
  const parent = await replay(graph.machine, store, thread, at)
  if (!parent) throw new UnknownThread(thread)
  if (await store.thread(as)) throw new ThreadExists(as)
  if (at !== undefined && parent.seq !== at)
    throw new InvalidFork(
      `event ${at} does not exist in thread '${thread}'; its last event is ${parent.seq}`,
    )
  const policy = change === undefined ? undefined : changedPolicy(ports, parent, change)
  const copied = await store.rows(thread, -1, parent.seq + 1)
  const create: NewThread['create'] = ({ epoch }) => {
    const forked: AgentEvent = {
      type: 'forked',
      parent: { thread, seq: parent.seq },
      effects,
      epoch,
    }
    const [run, row] = advanceRow(ports, parent, forked)
    if (change === undefined || !policy) return { rows: [...copied, row], run }
    const changed: AgentEvent = { type: 'policy.changed', policy, change, epoch }
    const [last, lastRow] = advanceRow(ports, run, changed)
    return { rows: [...copied, row, lastRow], run: last }
  }
  const [run] = await createFromRows(ports, [{ thread: as, machine: graph.machine, create }])
  return run as Run
}

function changedPolicy({ graph }: Ports, parent: Run, change: Json): Run['policy'] {
  const { policy, faults } = applyPolicyChange(graph, parent.policy, change)
  if (policy) return policy
  throw new InvalidFork(faults.map(({ path, message }) => `${path}: ${message}`).join('; '))
}
