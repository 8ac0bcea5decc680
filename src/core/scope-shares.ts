/** What a run publishes to its scopes: the other threads with the same keys read it. */
import type { Run } from './run.ts'
import type { Share } from './watch/budget/scope.ts'
import { defined } from './watch/data/defined.ts'

/** The shares of a thread, one for each scope. A thread with nothing to publish has no shares. */
export function sharesOf(thread: string, run: Run): readonly Share[] {
  const { watch, policy, pending, parent } = run
  const { at, spent, reserved } = watch.account
  const children = Object.values(reserved).map(child => child.thread)
  const out = children.length > 0 ? children : undefined
  const family = defined({ parent: parent?.thread, out })
  // A thread that reached its goal has escaped its loops.
  const loops =
    run.ended?.outcome === 'success'
      ? []
      : watch.seenLoops.map(each => ({ ...each, used: watch.ladder.loops[each.id] ?? {} }))
  return Object.entries(policy.limits.scopes ?? {}).flatMap(([scope, limits]) => {
    const { points = [], note } = watch.scopes[scope] ?? {}
    const asks = openQuestionIn(pending, scope)
    // A dismissal that came from another thread is not published again.
    const received = new Set(note?.dismissed.map(({ id }) => id))
    const dismissed = watch.dismissed.filter(({ id }) => !received.has(id))
    // The thread has not started to work.
    if (spent.steps === 0 && dismissed.length === 0) return []
    const until = asks || dismissed.length > 0 ? null : at + limits.per
    const own = { scope, key: limits.key, thread, at, spent, points, loops, dismissed }
    return [{ ...own, ...defined({ asks }), ...family, limits, until }]
  })
}

/** The most important open question in a scope: one about the scope, otherwise any review. */
function openQuestionIn(pending: Run['pending'], scope: string): Share['asks'] {
  const asked = pending.flatMap(effect => {
    const finding = effect.type === 'interrupt' ? effect.about?.because[0] : undefined
    if (effect.type !== 'interrupt' || !finding) return []
    const { id, reason } = finding
    const ofScope = finding.scope === scope ? (true as const) : undefined
    return [{ effect: effect.id, id, reason, ...defined({ deadline: effect.deadline, ofScope }) }]
  })
  return asked.find(({ ofScope }) => ofScope) ?? asked[0]
}
