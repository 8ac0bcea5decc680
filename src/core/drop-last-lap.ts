/** What is forgotten before a model thinks again: the last lap, so that it does not read itself going round. */
import type { Run } from './run.ts'
import type { Finding } from './watch/finding.ts'

const DROPPED_MAX = 64

/**
 * The run without the answers of models that made up the last lap. What of them were reads is left out of what models are sent;
 * the results of writes stay, for what was done in the world has happened.
 */
export function dropLastLap(run: Run, finding: Finding | undefined): Run {
  if (!finding) return run
  const begin = finding.events.at(-Math.min(finding.period, finding.events.length)) ?? run.seq
  // The lap begins with the answer that asked for its first call.
  const first = run.answers.findLastIndex(([seq]) => seq <= begin)
  const lap = run.answers.slice(Math.max(0, first)).map(([, call]) => call)
  return { ...run, dropped: [...new Set([...run.dropped, ...lap])].slice(-DROPPED_MAX) }
}
