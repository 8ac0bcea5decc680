import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import { isOver, type Run, runnable } from '../../core/run.ts'
import type { Batch } from './store.ts'

/** The line of a thread in a list. */
export function summaryOf(machine: AgentMachine, run: Run): Batch['summary'] {
  const over = isOver(run)
  const waiting = !run.ended && run.pending.length > 0 && runnable(run).length === 0
  return {
    graph: machine.id,
    specHash: machine.hash,
    status: over ? 'ended' : waiting ? 'waiting' : 'active',
    detail: run.ended?.reason ?? run.pending.map(({ state }) => state).join(', '),
    ...(over && run.ended ? { outcome: run.ended.outcome } : {}),
    seq: run.seq,
    at: run.at,
    startedAt: run.startedAt,
  }
}
