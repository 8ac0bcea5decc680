/** Restricted mode: the thread continues, and only its reads are made, while a person is asked to lift the restriction. */
import { type Effect, type Interrupt, isLeftBehind, recipientsOf } from './effects.ts'
import type { Run } from './run.ts'
import type { Finding } from '../watch/event/event.ts'

type Waiting = Pick<Run, 'pending'>

/** The question that restricts a thread. It blocks no node. */
export const restrictionsIn = ({ pending }: Waiting): readonly Effect[] => pending.filter(restricts)

export const restricts = (effect: Effect): boolean =>
  effect.type === 'interrupt' && effect.restricts !== undefined

/** Questions that belong to no state of the machine: they stay when it moves. */
export const isStateless = (effect: Effect): boolean => restricts(effect) || isLeftBehind(effect)

export const isRestricted = ({ pending }: Waiting): boolean => pending.some(restricts)

/** The state of the question, which belongs to no state of the machine. */
const RESTRICTED = 'restricted'

/** The thread in restricted mode. The question has no deadline: a person or the end of the round lifts the restriction. */
export function restrictRun(run: Run, because: readonly Finding[]): Run {
  if (isRestricted(run)) return run
  const { seq, at, entries, policy } = run
  const nth = (entries[RESTRICTED] ?? 0) + 1
  const question: Interrupt = {
    id: `${RESTRICTED}#${nth}`,
    state: RESTRICTED,
    region: '',
    node: RESTRICTED,
    since: seq,
    type: 'interrupt',
    question: { code: 'ask-restricted' },
    restricts: because,
    ...recipientsOf(policy.escape.review, at, undefined),
  }
  return {
    ...run,
    entries: { ...entries, [RESTRICTED]: nth },
    pending: [...run.pending, question],
  }
}
