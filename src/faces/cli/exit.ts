import type { Run } from '../../core/run.ts'

/** The exit codes, as documented in docs/cli.md. */
export const EXIT = {
  goal: 0,
  ended: 1,
  usage: 2,
  waiting: 3,
  stopped: 4,
  busy: 5,
  cancelled: 130,
  terminated: 143,
} as const

/** The exit code of a run. A person who stops it does not count as the escape mechanism. */
export function exitOf({ ended }: Pick<Run, 'ended'>): number {
  if (!ended) return EXIT.waiting
  if (ended.outcome === 'success') return EXIT.goal
  if (ended.outcome === 'cancelled') return EXIT.cancelled
  return ended.outcome === 'stopped' && !ended.reason.startsWith('review.')
    ? EXIT.stopped
    : EXIT.ended
}
