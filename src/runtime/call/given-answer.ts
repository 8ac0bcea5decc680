/** Answers that are given without a call, by a person or by the cache of a tool. */
import type { Json } from '../../core/watch/data/json.ts'
import type { AgentEvent } from '../../core/watch/event/event.ts'
import type { Answer } from '../ports.ts'
import type { DueAttempt, Giver } from './callable.ts'
import type { CallContext } from './context.ts'

/** Ends an attempt with the given result. The gate does not admit it: breakers neither count nor refuse it. */
export async function answerGiven<A>(
  { journal, ports, cancellation }: CallContext,
  { target, attempt, permit }: DueAttempt<A>,
  { result, by }: { readonly result: Json; readonly by: Giver },
): Promise<Answer<A>> {
  await permit?.report('neither', ports.clock.now())
  permit?.leave()
  cancellation.throwIfCancelled()
  journal.take(withoutWrite(target.called(attempt), by))
  cancellation.throwIfCancelled()
  const { event, answer } = target.given(result, by)
  journal.take(event)
  cancellation.throwIfCancelled()
  return { ok: true, value: answer }
}

/** The start of an attempt that reaches no external system. */
function withoutWrite(event: AgentEvent, by: Giver): AgentEvent {
  if (event.type !== 'tool.called') return { ...event, [by]: true } as AgentEvent
  const { owner: _, compensable: __, reversible: ___, ...rest } = event
  return { ...rest, effects: 'read', repeatable: true, [by]: true }
}
