/** The tools and models that answer in place of the one that was called. */
import { refusesWrites } from '../../core/fork.ts'
import type { Reason } from '../../core/watch/reason/reason.ts'
import { enter } from './attempt.ts'
import type { CallState, Callable, DueAttempt } from './callable.ts'
import { allowsSubstitutes, breakerOpenUntil, hasSpentRetries } from './retry.ts'

/** The tool or the model of a call, or its substitute of this name; `undefined`: it does not accept the call now. */
export const subjectNamed = <A>(original: Callable<A>, name: string): Callable<A> | undefined =>
  name === original.subject ? original : original.substitutes?.callable(name)

export const changedSubstitute = <A>(original: Callable<A>, by: string): Reason => ({
  code: 'substitute-changed',
  params: { call: original.subject, by },
})

/** The next substitute that accepts the arguments, was not called yet, and is admitted by the gate; `undefined` if the node was left. */
export async function nextSubstitute<A>(state: CallState<A>) {
  const { context, original, tried, doubt } = state
  const { run } = context.journal
  if (doubt || !allowsSubstitutes(run.policy)) return undefined
  for (const name of original.substitutes?.names ?? []) {
    const target = tried.has(name) ? undefined : original.substitutes?.callable(name)
    if (!target || hasSpentRetries(context, target) || (target.writes && refusesWrites(run)))
      continue
    const permit = await enter(context, target)
    if (permit.kind === 'refused') continue
    if (!context.cancellation.cancelled) return { target, attempt: 1, permit }
    await permit.report('neither', context.ports.clock.now())
    permit.leave()
    return undefined
  }
  return undefined
}

export function withSubstitute<A>(
  { context, original, tried }: CallState<A>,
  due: DueAttempt<A>,
  refusedUntil: number,
): DueAttempt<A> {
  const by = due.target.subject
  tried.add(by)
  const retryAt = breakerOpenUntil(context, original) ?? refusedUntil
  // In a chain of substitutes, each event names the original and the next substitute.
  const fields = { ...original.fields(), kind: original.kind, by, retryAt }
  context.journal.take({ ...fields, type: 'call.substituted' })
  return due
}
