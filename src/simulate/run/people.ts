/** How people answer questions in a simulated run: at once, later, or not at all. */
import type { Review } from '../../core/review/review.ts'
import type { Injector } from '../inject/injector.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { TimedAnswer } from '../../testing/stage.ts'

/** Answers a question, always in the same way. Without people, questions expire. */
export function peopleOf(
  people: Scenario['people'],
  injector: Injector,
  now: () => number,
): (question: Review, thread: string) => TimedAnswer {
  const decided = new Map<string, TimedAnswer>()
  const decide = (node: string): TimedAnswer => {
    const { hits } = injector.meet('human', '', { node, visit: 1, attempt: 1 })
    const has = (key: 'absent' | 'reject') => hits.some(({ effect }) => effect[key])
    if (!people || has('absent')) return { answer: 'expired' }
    const slow = hits.reduce((sum, { effect }) => sum + (effect.slow ?? 0), 0)
    const answer = has('reject') ? 'rejected' : people.decision
    return { answer, at: now() + people.after + slow }
  }
  return ({ id }, thread) => {
    const key = `${thread} ${id}`
    const known = decided.get(key) ?? decide(id.split('#')[0] ?? id)
    decided.set(key, known)
    return known
  }
}
