/** The ways out a thread has tried, and what came of each. */
import type { Reason } from '../watch/reason/reason.ts'
import type { Row } from '../run.ts'
import type { Route } from '../watch/escape/rungs.ts'

export interface EarlierEscape {
  readonly seq: number
  readonly route: string
  /** What it was taken for. */
  readonly because?: Reason
  /** The next escape: `again` for the same finding. Absent: none yet. */
  readonly next?: { readonly seq: number; readonly again: boolean; readonly reason: Reason }
}

const ESCAPES_MAX = 12

/** The latest ways out before event `until`, oldest first. */
export function escapesBefore(rows: readonly Row[], until: number): readonly EarlierEscape[] {
  const escapes = rows.flatMap(({ seq, verdict }) =>
    seq <= until && verdict.kind === 'escape' ? [{ seq, ...verdict }] : [],
  )
  return escapes
    .flatMap(({ seq, route, because: [finding] }, index) => {
      if (seq >= until) return []
      const next = escapes[index + 1]
      const [again] = next?.because ?? []
      return [
        {
          seq,
          route: routeName(route),
          ...(finding && { because: finding.reason }),
          ...(next &&
            again && {
              next: { seq: next.seq, again: again.id === finding?.id, reason: again.reason },
            }),
        },
      ]
    })
    .slice(-ESCAPES_MAX)
}

/** `alternative act → replan`, `review in act`, `stop`. */
function routeName(route: Route): string {
  if (route.rung === 'stop') return `stop (${route.reason})`
  if (route.rung === 'rollback') return `rollback to event ${route.to}`
  return route.rung === 'review'
    ? `review in ${route.from}`
    : `${route.rung} ${route.from}${route.to === undefined ? '' : ` → ${route.to}`}`
}
