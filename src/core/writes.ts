/** The writes that a run knows of: those that failed in doubt, those that a model has requested, the unresolved ones, and whether it has any. */
import { doubtfulAfter } from './run/doubtful-writes.ts'
import { pendingEffect, type UnresolvedCall } from './run/effects.ts'
import { requestedAfter } from './run/requested-writes.ts'
import type { Rules, Run } from './run/run.ts'
import type { AgentEvent } from './watch/event/event.ts'

export type Ruled = { readonly run: Run; readonly rules: Rules | undefined }

/** The run without its lists of writes. */
export function withoutWrites({ doubtful: _, requested: __, unresolved: ___, ...rest }: Run): Run {
  return rest
}

/** The lists of writes after an event. One that is empty is left out. */
export function writesAfter(
  { run, rules }: Ruled,
  event: AgentEvent,
  unresolved: readonly UnresolvedCall[],
): Pick<Run, 'doubtful' | 'requested' | 'unresolved' | 'wrote'> {
  const doubtful = doubtfulAfter(run.doubtful, event)
  // A node that was left hands over nothing.
  const isLeft = event.type === 'node.done' && !pendingEffect(run.pending, event.effect)
  const { requested: before = [], answers } = run
  const requested = isLeft ? before : requestedAfter(before, answers, event)
  const isNew = (!run.ended && mayWrite(event)) || (rules && childMayHaveWritten(event))
  return {
    ...((doubtful.length > 0 || run.doubtful) && { doubtful }),
    ...(requested.length > 0 && { requested }),
    ...(unresolved.length > 0 && { unresolved }),
    ...((run.wrote || isNew) && { wrote: true }),
  }
}

const mayWrite = (event: AgentEvent): boolean =>
  (event.type === 'tool.called' || event.type === 'child.done') && event.effects === 'write'

/** The thread has written if its child has, or may have, also if the child ends between rounds. */
const childMayHaveWritten = (event: AgentEvent): boolean =>
  event.type === 'child.done' && (event.effects === 'write' || event.unresolved !== undefined)
