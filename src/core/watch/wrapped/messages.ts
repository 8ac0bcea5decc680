/** Messages about an escape to the model, to a person, and at the end. All frameworks use the same texts. */
import { explain } from '../reason/reason.ts'
import type { EscapeVerdict, WatchdogState } from './state.ts'

/** Asks the model to rethink. */
export function rethinkMessage({ because: [finding] }: EscapeVerdict): string {
  return `You are repeating yourself${finding ? `: ${explain(finding.reason)}` : ''}. Change your approach, or say what is missing.`
}

/** Asks a person for a decision. */
export function reviewQuestion({ because: [finding] }: EscapeVerdict): string {
  return `The agent is stuck${finding ? `: ${explain(finding.reason)}` : ''}. Continue?`
}

/** Says why the agent was stopped. */
export function stopMessage(state: Pick<WatchdogState, 'ended' | 'because'>): string {
  const { ended = 'stopped', because } = state
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
