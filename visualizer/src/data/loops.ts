/** Findings as objects: one entry for each loop of a thread, with what was tried against it. */
import type { Row } from '../../../src/core/run/run.ts'
import type { Considered } from '../../../src/core/watch/escape/ladder.ts'
import type { Route } from '../../../src/core/watch/escape/rungs.ts'
import type { Finding } from '../../../src/core/watch/event/event.ts'

/** One finding, found once or again. */
export interface FoundLoop {
  readonly id: string
  /** The finding when it was last found. */
  readonly finding: Finding
  readonly first: Finding
  readonly times: number
  readonly escapes: readonly TakenEscape[]
}

/** An escape: the rungs that did not apply, the route, and what followed. */
export interface TakenEscape {
  readonly seq: number
  readonly route: Route
  readonly considered: readonly Considered[]
  readonly because: Finding
  readonly result: 'went on' | 'same finding again' | 'ended the run' | 'in progress'
}

/** The findings up to an event, latest first. Rows without findings may be left out. */
export function loopsIn(rows: readonly Row[], until: number): readonly FoundLoop[] {
  const found = new Map<string, { first: Finding; finding: Finding; times: number }>()
  for (const { seq, findings } of rows) {
    if (seq > until) break
    for (const finding of findings) {
      const known = found.get(finding.id)
      found.delete(finding.id)
      const first = known?.first ?? finding
      found.set(finding.id, { first, finding, times: (known?.times ?? 0) + 1 })
    }
  }
  const escapes = escapesIn(rows, until)
  return [...found].reverse().map(([id, of]) => {
    return { id, ...of, escapes: escapes.filter(({ because }) => because.id === id) }
  })
}

/** The escapes up to an event, oldest first. Rows without findings may be left out. */
export function escapesIn(rows: readonly Row[], until: number): readonly TakenEscape[] {
  const taken = rows.flatMap(({ seq, verdict }) => {
    if (seq > until || verdict.kind !== 'escape') return []
    const [because] = verdict.because
    if (!because) return []
    return [{ seq, route: verdict.route, considered: verdict.considered, because }]
  })
  return taken.map((escape, index) => {
    const again = taken.slice(index + 1).some(({ because }) => because.id === escape.because.id)
    const result = again
      ? 'same finding again'
      : escape.route.rung === 'stop'
        ? 'ended the run'
        : until > escape.seq
          ? 'went on'
          : 'in progress'
    return { ...escape, result }
  })
}

export const isRepetition = ({ kind, period, repeats }: Finding): boolean =>
  (kind === 'loop' || kind === 'stall') && period > 0 && repeats > 1

/** Rungs of the ladder in words. */
export function routeText(route: Route): string {
  switch (route.rung) {
    case 'alternative':
      return route.to === undefined
        ? `alternative from ${route.from}`
        : `${route.from} → ${route.to}`
    case 'rethink':
      return `rethink in ${route.to}`
    case 'rollback':
      return `rollback to event ${route.to}`
    case 'stop':
      return `stop (${route.reason})`
    case 'restrict':
      return 'reads only'
    case 'review':
      return 'ask a person'
  }
}
