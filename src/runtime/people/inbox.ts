/** The inbox of a thread that is driven: what others ask for is carried out, each command once, or refused with its reason. */
import type { Reason } from '../../core/watch/reason/reason.ts'
import type { Run } from '../../core/run.ts'
import type { AgentEvent, PersonEvent } from '../../core/watch/event/event.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { Journal } from '../journal/journal.ts'
import type { Command } from '../store/person-event.ts'
import { applyPolicyChange } from './policy-change.ts'
import type { Graph, Ports } from '../ports.ts'
import { rejectionOf } from './rejection.ts'

export async function takeInbox(
  { graph, store, clock, redact }: Ports,
  journal: Journal,
): Promise<void> {
  for (const { command, event: said } of await store.inbox(journal.lease.thread)) {
    // Taken already, and perhaps not stored yet: the inbox still shows it.
    if (journal.settled(command)) continue
    const { event, refused } = interpretCommand(
      graph,
      journal.run,
      redact(said as unknown as Json) as unknown as Command,
      clock.now(),
    )
    if (event) journal.take({ ...event, command, epoch: journal.lease.epoch })
    journal.settle(refused === undefined ? { command } : { command, refused })
  }
}

type CommandResult =
  | {
      readonly event: PersonEvent | Extract<AgentEvent, { type: 'policy.changed' }>
      readonly refused?: undefined
    }
  | { readonly event?: undefined; readonly refused: Reason }

/** What a command makes happen now. */
function interpretCommand(
  graph: Graph,
  run: Run,
  { at, ...said }: Command,
  now: number,
): CommandResult {
  if (said.type !== 'policy.change') {
    const refused = rejectionOf(graph, run, said, Math.min(at ?? now, now))
    if (refused !== undefined) return { refused }
    return { event: said.type === 'resume' && at !== undefined ? { ...said, saidAt: at } : said }
  }
  // Also between two rounds: the next one is judged by it.
  const { policy, faults } = applyPolicyChange(graph, run.policy, said.change)
  return policy
    ? { event: { type: 'policy.changed', policy, change: said.change } }
    : {
        refused: {
          code: 'invalid-policy',
          params: { faults: faults.map(({ path, message }) => `${path}: ${message}`) },
        },
      }
}
