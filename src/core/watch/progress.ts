/** Progress: a new maximum of the declared value; undeclared, a write that had not been made before, or a new phase. */
import type { AgentEvent } from './event/event.ts'
import type { WatchInput } from './input.ts'
import { remember } from './data/json.ts'
import { shortHash } from './data/signature.ts'

/** The best declared value so far, and the keys of the latest successful writes. */
export interface Progress {
  readonly best: number | null
  readonly writes: readonly string[]
}

const WRITES_MAX = 32

export function updateProgress(
  progress: Progress,
  event: AgentEvent,
  input: Pick<WatchInput, 'progress' | 'entered'>,
): readonly [next: Progress, progressed: boolean] {
  if (input.progress !== undefined) return withValue(progress, input.progress)
  const write = writeKey(event)
  if (write !== undefined && !progress.writes.includes(write))
    return [{ ...progress, writes: remember(progress.writes, write, WRITES_MAX) }, true]
  return [progress, input.entered.some(({ phase }) => phase)]
}

function withValue(
  progress: Progress,
  value: number | null,
): readonly [next: Progress, progressed: boolean] {
  const { best } = progress
  if (value === null || (best !== null && value <= best)) return [progress, false]
  // The first value is where the run starts from, not progress.
  return [{ ...progress, best: value }, best !== null]
}

/** Names a write that took effect, in a child as well, or one that was reconciled later. Undoing a write leads back: it has no key. */
function writeKey(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'tool.done':
      return event.effects === 'write' && event.compensates === undefined
        ? shortHash(event.key)
        : undefined
    case 'child.done':
      return event.effects === 'write' && event.outcome === 'success'
        ? shortHash(event.key)
        : undefined
    case 'call.reconciled':
      return event.answer === 'applied' ? shortHash(event.key) : undefined
    case 'resume':
      return event.decision === 'applied' ? event.effect : undefined
    default:
      return undefined
  }
}
