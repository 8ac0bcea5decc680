/** What is said about a way out: to the model, to a person, and at the end. The same words in every framework. */
import { explain } from '../catalog.ts'
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
<<<<<<< 16995bbbe33776a59a1de789a81b2aed5ddd2ec7
  pendingEscape,
}: Pick<WatchdogState, 'ended' | 'pendingEscape'>): string {
  const summary = pendingEscape?.because[0]?.summary
  return `Stopped by the watchdog (${ended})${summary === undefined ? '' : `: ${summary}`}.`
=======
  because,
}: Pick<WatchdogState, 'ended' | 'because'>): string {
  return `Stopped by the watchdog (${ended})${because ? `: ${explain(because)}` : ''}.`
>>>>>>> 2930a8c1a5d3b7a7b385e52f16b015fb2e743388
}
