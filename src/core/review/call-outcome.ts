/** What an answer means for the call that its question is about. */
import type { Interrupt } from '../run/effects.ts'
import type { Run } from '../run/run.ts'
import { defined } from '../watch/data/json.ts'
import type { Decision } from '../watch/event/event.ts'
import { waitLimit } from '../watch/policy/policy.ts'
import { dependencyOf, openUntil } from '../watch/retries.ts'

/**
 * - `made`: the call is made, under this approval
 * - `again`: the call is made again, without another approval
 * - `succeeds`: the call is not made again; its node continues with the given result
 * - `fails`: the call is not made; its node continues with the failure
 */
export type CallOutcome = 'made' | 'again' | 'succeeds' | 'fails'

/** `breakerUntil`: the breaker of the tool is open until this time (ms), as far as the thread knows, and the call would not wait for it. */
export type AnsweredCall = Readonly<{ call?: CallOutcome; breakerUntil?: number }>

/** The call after an answer. Empty if the question is about no call, or the node of the call was left. */
export function callAfter(run: Run, asked: Interrupt, decision: Decision): AnsweredCall {
  const call = outcomeOf(asked, decision)
  if (!asked.call || call === undefined) return {}
  const isMade = call === 'made' || call === 'again'
  const { openBreakers, policy, at } = run
  const until = openUntil(openBreakers, dependencyOf('tool', asked.call.tool), at)
  const isRefused = isMade && until !== undefined && until > waitLimit(policy, 'tool', at)
  return { call, ...defined({ breakerUntil: isRefused ? until : undefined }) }
}

function outcomeOf({ call, leftBehind }: Interrupt, decision: Decision): CallOutcome | undefined {
  if (!call || leftBehind) return undefined
  switch (decision) {
    case 'approved':
    case 'edited':
      return 'made'
    case 'rejected':
      return 'fails'
    case 'applied':
      return 'succeeds'
    case 'not-applied':
      return call.child || call.again === false ? 'fails' : 'again'
    default:
      return undefined
  }
}
