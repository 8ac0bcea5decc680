/** Progress: a new maximum of the declared value; if none is declared, a new write or a new phase. */
import { remember } from './data/json.ts'
import { shortHash } from './data/signature.ts'
import type { AgentEvent } from './event/event.ts'
import type { WatchInput } from './input.ts'

/** The best declared value so far, and the keys of the latest successful writes. */
export interface Progress {
  readonly best: number | null
  readonly writes: readonly string[]
}

const WRITES_MAX = 32

export function updateProgress(
  progress: Progress,
  event: AgentEvent,
  { progress: value, entered }: Pick<WatchInput, 'progress' | 'entered'>,
): readonly [next: Progress, progressed: boolean] {
  const { best, writes } = progress
  if (value !== undefined) {
    if (value === null || (best !== null && value <= best)) return [progress, false]
    // The first value is the start of the run, not progress.
    return [{ best: value, writes }, best !== null]
  }
  const write = writeKey(event)
  if (write !== undefined && !writes.includes(write))
    return [{ best, writes: remember(writes, write, WRITES_MAX) }, true]
  return [progress, entered.some(({ phase }) => phase)]
}

/** Identifies a write that took effect, also in a child or after reconciliation. Compensation is not progress. */
function writeKey(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'tool.done':
      if (event.effects !== 'write' || event.compensates !== undefined) return undefined
      return shortHash(event.key)
    case 'child.done':
      if (event.effects !== 'write' || event.outcome !== 'success') return undefined
      return shortHash(event.key)
    case 'call.reconciled':
      return event.answer === 'applied' ? shortHash(event.key) : undefined
    case 'resume':
      return event.decision === 'applied' ? event.effect : undefined
    default:
      return undefined
  }
}
