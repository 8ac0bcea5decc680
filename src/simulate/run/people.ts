/** How people answer questions in a simulated run: at once, later, or not at all. */
import type { Review } from '../../core/review/review.ts'
import type { Injector } from '../inject/injector.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { PlayedAnswer, TimedAnswer } from '../../testing/stage.ts'

/** An answer of a recorded thread, and the time from question to answer, in ms. */
export type RecordedAnswer = Readonly<{ answer: PlayedAnswer; after: number }>

export type RecordedAnswers = ReadonlyMap<string, RecordedAnswer>

/** Answers a question, always in the same way. Without people, questions expire. */
export function peopleOf(
  people: Scenario['people'],
  injector: Injector,
  { now, answers }: { readonly now: () => number; readonly answers?: RecordedAnswers | undefined },
): (question: Review, thread: string) => TimedAnswer {
  const decided = new Map<string, TimedAnswer>()
  const decide = (id: string): TimedAnswer => {
    const recorded = answers?.get(id)
    const node = id.split('#')[0] ?? id
    const { hits } = injector.meet('human', '', { node, visit: 1, attempt: 1 })
    const has = (key: 'absent' | 'reject') => hits.some(({ effect }) => effect[key])
    if (has('absent') || (!people && !recorded)) return { answer: 'expired' }
    const slow = hits.reduce((sum, { effect }) => sum + (effect.slow ?? 0), 0)
    const { answer, after } = recorded ?? { answer: people?.decision, after: people?.after ?? 0 }
    return { answer: has('reject') ? 'rejected' : (answer ?? 'expired'), at: now() + after + slow }
  }
  return ({ id }, thread) => {
    const key = `${thread} ${id}`
    const known = decided.get(key) ?? decide(id)
    decided.set(key, known)
    return known
  }
}
