/** How a run ended, from the best outcome to the worst. Silently wrong is worse than a crash. */
import { effectsOf } from '../../core/review/ledger.ts'
import type { Row, Run } from '../../core/run/run.ts'

export const OUTCOMES = [
  'success',
  'degraded',
  'handed off',
  'stopped clean',
  'stopped dirty',
  'stuck',
  'crashed',
  'silently wrong',
] as const

/**
 * - `degraded`: the goal with a substitute, or a result that is declared as partial
 * - `handed off`: a person decides, or has decided
 * - `stopped dirty`: stopped after writes that no one has undone, or that are in doubt
 * - `stuck`: a limit ended the run, or it would wait forever
 * - `silently wrong`: the goal with an incorrect result
 */
export type SimulatedOutcome = (typeof OUTCOMES)[number]

interface Ended {
  /** Absent if the run threw an error before its first event. */
  readonly run: Run | undefined
  readonly rows: readonly Row[]
  readonly error: boolean
  /** Whether a question is open. */
  readonly asks: boolean
  readonly correct?: boolean
  readonly degraded?: boolean
}

export function outcomeOf({ run, rows, error, asks, correct, degraded }: Ended): SimulatedOutcome {
  const ended = run?.ended
  if (error || !run || ended?.outcome === 'error') return 'crashed'
  if (!ended) return asks ? 'handed off' : 'stuck'
  if (ended.outcome === 'success') {
    if (correct === false) return 'silently wrong'
    const substituted = rows.some(({ event }) => event.type === 'call.substituted')
    return (degraded ?? substituted) ? 'degraded' : 'success'
  }
  if (/^(budget|deadline)\b/.test(ended.reason)) return 'stuck'
  if (ended.reason.startsWith('review.')) return 'handed off'
  const left = effectsOf(rows).some(({ kind }) => kind !== 'compensated')
  return left ? 'stopped dirty' : 'stopped clean'
}
