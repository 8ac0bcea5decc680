/** What a run tells its scopes: the other threads with the same keys are told of it. */
import type { Run } from './run.ts'
import type { Share } from './watch/budget/scope.ts'

/** The shares of a thread as its run stands, one for each scope; none as long as there is nothing to tell. */
export function sharesOf(thread: string, run: Run): readonly Share[] {
  const { watch, policy, pending, parent } = run
  const { account, ladder, seenLoops } = watch
  const out = Object.values(account.reserved).map(child => child.thread)
  const family = {
    ...(parent ? { parent: parent.thread } : {}),
    ...(out.length > 0 ? { out } : {}),
  }
  return Object.entries(policy.limits.scopes ?? {}).flatMap(([scope, limits]) => {
    const { points = [], note } = watch.scopes[scope] ?? {}
    const asks = openQuestionIn(pending, scope)
    // What was told to this thread is not told again by it.
    const dismissed = watch.dismissed.filter(
      ({ id }) => !note?.dismissed.some(told => told.id === id),
    )
    // A thread that reached its goal has got out of whatever it met.
    const loops =
      run.ended?.outcome === 'success'
        ? []
        : seenLoops.map(each => ({ ...each, used: ladder.loops[each.id] ?? {} }))
    // It has not begun to work.
    if (account.spent.steps === 0 && dismissed.length === 0) return []
    const until = asks || dismissed.length > 0 ? null : account.at + limits.per
    return [
      {
        scope,
        key: limits.key,
        thread,
        at: account.at,
        spent: account.spent,
        points,
        loops,
        dismissed,
        ...(asks ? { asks } : {}),
        ...family,
        limits,
        until,
      },
    ]
  })
}

/** The open question that counts most in a scope: one of its own, else any that the watchdog has put. */
function openQuestionIn(pending: Run['pending'], scope: string): Share['asks'] {
  const asked = pending.flatMap(effect => {
    const finding = effect.type === 'interrupt' ? effect.about?.because[0] : undefined
    if (effect.type !== 'interrupt' || !finding) return []
    const { id, reason } = finding
    return [
      {
        effect: effect.id,
        id,
        reason,
        ...(effect.deadline === undefined ? {} : { deadline: effect.deadline }),
        ...(finding.scope === scope ? { ofScope: true as const } : {}),
      },
    ]
  })
  return asked.find(({ ofScope }) => ofScope) ?? asked[0]
}
