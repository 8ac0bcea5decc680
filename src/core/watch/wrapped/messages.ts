/** What is said about a way out: to the model, to a person, and at the end. The same words in every framework. */
import type { WatchdogState, EscapeVerdict } from './state.ts'

/** What a model is told that is to think again. */
export function rethinkMessage({ because }: EscapeVerdict): string {
  const [finding] = because
  return `You are going round in circles: ${finding?.summary ?? 'nothing new has come of the last steps'}. Do not do the same again. Take another way, or say what you lack.`
}

/** What a person is asked. */
export function reviewQuestion({ because, considered }: EscapeVerdict): string {
  const [finding] = because
  const passed = considered.map(({ rung, why }) => `${rung}: ${why}`).join('; ')
  return `The agent seems to be stuck: ${finding?.summary ?? 'it makes no progress'}. Shall it go on?${passed === '' ? '' : ` (not taken: ${passed})`}`
}

/** Why the agent was stopped. */
export function stopMessage({
  ended = 'stopped',
  pendingEscape,
}: Pick<WatchdogState, 'ended' | 'pendingEscape'>): string {
  const summary = pendingEscape?.because[0]?.summary
  return `Stopped by the watchdog (${ended})${summary === undefined ? '' : `: ${summary}`}.`
}
