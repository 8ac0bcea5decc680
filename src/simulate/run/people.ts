/** How people answer questions in a simulated run: at once, later, or not at all. */
import type { Json } from '../../core/watch/data/json.ts'
import type { Decision } from '../../core/watch/event/event.ts'
import { explain, type Reason } from '../../core/watch/reason/reason.ts'
import type { Review } from '../../core/review/review.ts'
import type { Clock } from '../../runtime/ports.ts'
import { toJson } from '../../runtime/call/stored-json.ts'
import type { OpenQuestion, PlayedAnswer, Respondents, TimedAnswer } from '../../testing/stage.ts'
import type { Injector } from '../inject/injector.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** An answer of a recorded thread, and the time from question to answer, in ms. */
export type RecordedAnswer = Readonly<{ answer: PlayedAnswer; after: number }>

/** By the id of the question. */
export type RecordedAnswers = ReadonlyMap<string, RecordedAnswer>

/** A question that the people of the scenario could not answer, and why. */
export type UnansweredQuestion = Readonly<{ question: string; because: string }>

/** The decisions that fit the question whether a call took effect. */
const OF_OUTCOME: readonly (Decision | 'expired')[] = ['applied', 'not-applied', 'stop']

interface PeopleOptions {
  readonly people?: Scenario['people']
  readonly injector: Injector
  readonly clock: Pick<Clock, 'now'>
  readonly answers?: RecordedAnswers | undefined
}

/** The people of one run. They answer a question once. Without people, questions expire. */
export class People implements Respondents {
  readonly unanswered: UnansweredQuestion[] = []
  readonly #options: PeopleOptions
  readonly #decided = new Map<string, TimedAnswer>()

  constructor(options: PeopleOptions) {
    this.#options = options
  }

  readonly answerTo = (question: Review, thread: string): TimedAnswer => {
    const key = keyOf(question, thread)
    const known = this.#decided.get(key) ?? this.#decide(question, thread)
    this.#decided.set(key, known)
    return known
  }

  readonly onRefused = ({ question, thread }: OpenQuestion, _: unknown, reason: Reason): void => {
    this.#decided.set(keyOf(question, thread), { answer: 'expired' })
    this.unanswered.push({ question: question.question, because: explain(reason) })
  }

  #decide(question: Review, thread: string): TimedAnswer {
    const { people, injector, clock, answers } = this.#options
    const { id } = question
    const recorded = answers?.get(id)
    const node = id.split('#')[0] ?? id
    const { hits } = injector.meet('human', '', { node, visit: 1, attempt: 1 })
    const has = (key: 'absent' | 'reject') => hits.some(({ effect }) => effect[key])
    const { answer, after } = recorded ?? { answer: people?.decision, after: people?.after ?? 0 }
    if (has('absent') || answer === undefined) return { answer: 'expired' }
    const slow = hits.reduce((sum, { effect }) => sum + (effect.slow ?? 0), 0)
    const wanted = has('reject') ? 'rejected' : answer
    const decision = typeof wanted === 'string' ? wanted : wanted.decision
    const isLookedUp = question.about === 'call' && !OF_OUTCOME.includes(decision)
    return {
      answer: isLookedUp ? () => this.#lookUp(question, thread) : wanted,
      at: clock.now() + after + slow,
    }
  }

  /** What the person finds who looks up whether the call took effect. */
  #lookUp(question: Review, thread: string): PlayedAnswer {
    const { call } = question
    const found = call && this.#options.injector.writes.find(thread, call)
    if (found?.state === 'applied')
      return { decision: 'applied', ...('result' in found && { output: jsonOf(found.result) }) }
    if (found?.state === 'not-applied') return 'not-applied'
    this.#decided.set(keyOf(question, thread), { answer: 'expired' })
    const because = `the call of ${call?.tool} had not returned`
    this.unanswered.push({ question: question.question, because })
    return 'expired'
  }
}

const keyOf = ({ id }: Review, thread: string): string => `${thread} ${id}`

const jsonOf = (result: unknown): Json => toJson(result).value ?? null
