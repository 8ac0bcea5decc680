/** What is said about a way out: to the model, to a person, and at the end. The same words in every framework. */
import { explain } from '../reason/reason.ts'
import type { WatchdogState, EscapeVerdict } from './state.ts'

/** What a model is told that is to think again. */
export function rethinkMessage({ because: [finding] }: EscapeVerdict): string {
  return `You are repeating yourself${finding ? `: ${explain(finding.reason)}` : ''}. Change your approach, or say what is missing.`
}

/** What a person is asked. */
export function reviewQuestion({ because: [finding] }: EscapeVerdict): string {
  return `The agent is stuck${finding ? `: ${explain(finding.reason)}` : ''}. Continue?`
}

/** Why the agent was stopped. */
export function stopMessage({
  ended = 'stopped',
  because,
}: Pick<WatchdogState, 'ended' | 'because'>): string {
  return `Stopped by the watchdog (${ended})${because ? `: ${explain(because)}` : ''}.`
}

interface Exit {
  readonly state: WatchdogState
  readonly pendingEscape: EscapeVerdict | undefined
}

/** The open question for a person. */
export function questionOf({ pendingEscape }: Pick<Exit, 'pendingEscape'>): string | undefined {
  return pendingEscape?.route.rung === 'review' ? reviewQuestion(pendingEscape) : undefined
}

/** The last message of an agent that must return now: why it was stopped, or the question for a person. */
export function exitMessage({ state, pendingEscape }: Exit): string | undefined {
  return state.ended === undefined ? questionOf({ pendingEscape }) : stopMessage(state)
}
