/** A notice for the tests of notifiers. */
import type { Review } from '../../src/core/review/review.ts'
import { NOTHING_SPENT } from '../../src/core/watch/event/call-event.ts'
import type { Notice } from '../../src/runtime/notifier.ts'

export function review(over: Partial<Review> = {}): Review {
  return {
    id: 'review#1',
    question: 'Größer? 日本',
    about: 'escape',
    asked: 7,
    at: 5,
    chain: [],
    options: [],
    because: [],
    lately: [],
    channels: {},
    considered: [],
    tried: [],
    retries: [],
    effects: [],
    effectsLeftOut: 0,
    lessons: [],
    spent: NOTHING_SPENT,
    ...over,
  }
}

export const notice = (over: Partial<Review> = {}): Notice => ({
  type: 'question.opened',
  thread: 't',
  graph: 'g',
  step: 0,
  review: review(over),
})
