/** How a thread has ended, for callers. */
import type { Outcome } from '../../core/graph/agent-machine.ts'
import type { Run } from '../../core/run/run.ts'
import type { Spent } from '../../core/watch/event/call-event.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { explain } from '../../core/watch/reason/reason.ts'

/** How a thread has ended. After a success, `output` is the declared output of the graph, otherwise the part that exists. */
export type ThreadResult<Output = unknown> = {
  readonly reason: string
  /** One sentence: what happened. */
  readonly because: string
  readonly spent: Spent
  readonly lessons: readonly string[]
} & (
  | { readonly outcome: 'success'; readonly output: Output }
  | { readonly outcome: Exclude<Outcome, 'success'> | 'error'; readonly output: Json }
)

/** The result of a thread that has ended. */
export function resultOf<Output>({
  ended,
  lessons,
  spent,
}: Pick<Run, 'ended' | 'lessons'> & { readonly spent: Spent }): ThreadResult<Output> {
  return {
    outcome: ended?.outcome ?? 'error',
    output: ended?.result ?? null,
    reason: ended?.reason ?? '',
    because: ended ? explain(ended.because) : '',
    spent,
    lessons: lessons.map(explain),
  } as ThreadResult<Output>
}
