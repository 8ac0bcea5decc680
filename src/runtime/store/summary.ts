import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import type { Run } from '../../core/run.ts'
import { statusOf } from '../../core/view.ts'
import type { Batch } from './store.ts'

/** The line of a thread in a list. */
export function summaryOf(machine: AgentMachine, run: Run): Batch['summary'] {
  const status = statusOf(run)
  return {
    graph: machine.id,
    specHash: machine.hash,
    status,
    detail: run.ended?.reason ?? run.pending.map(({ state }) => state).join(', '),
    ...(status === 'ended' && run.ended ? { outcome: run.ended.outcome } : {}),
    seq: run.seq,
    at: run.at,
    startedAt: run.startedAt,
  }
}
