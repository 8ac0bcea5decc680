/** How often nodes rejected a result in a row. The bound of a `verify` node counts them. */
import type { Effect } from './effects.ts'
import { REJECTED } from '../graph/spec/node.ts'
import type { AgentEvent } from '../watch/event/event.ts'

/** Rejections in a row in this round, by node. */
export type Rejections = Readonly<Record<string, number>>

interface Rejecting {
  readonly rejections?: Rejections
  readonly pending: readonly Effect[]
}

export function rejectionsAfter(
  { rejections, pending }: Rejecting,
  event: AgentEvent,
): Rejections | undefined {
  if (event.type !== 'node.done') return rejections
  const effect = pending.find(({ id }) => id === event.effect)
  if (effect?.type !== 'invoke') return rejections
  const { [effect.node]: before = 0, ...others } = rejections ?? {}
  if (event.label === REJECTED) return { ...others, [effect.node]: before + 1 }
  return before === 0 ? rejections : others
}
