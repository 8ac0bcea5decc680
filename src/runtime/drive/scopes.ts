/** What a thread is told of the other threads of its scopes. */
import type { Policy } from '../../core/watch/policy/policy.ts'
import { peerSummary } from '../../core/watch/budget/scope.ts'
import type { PeerSummary } from '../../core/watch/event/peer-summary.ts'
import { type Journal, keyAt } from '../journal/journal.ts'
import type { Ports } from '../ports.ts'

/** Journals what the other threads of each scope have spent and met, where that is news. */
export async function noteScopes({ store, clock }: Ports, journal: Journal): Promise<void> {
  for (const [scope, limits] of Object.entries(journal.run.policy.limits.scopes ?? {})) {
    const shares = await store.shares({ scope, key: keyAt(clock, limits.key) })
    const { run, lease } = journal
    if (run.ended) return
    const at = Math.max(clock.now(), run.at)
    const note = peerSummary(scope, shares, {
      thread: lease.thread,
      at,
      limits,
      fresh: run.watch.account.spent.steps === 0,
    })
    if (isNews(run.watch.scopes[scope]?.note, note)) journal.take({ type: 'scope.noted', ...note })
  }
}

function isNews(known: PeerSummary | null | undefined, note: PeerSummary): boolean {
  if (known) return JSON.stringify(note) !== JSON.stringify(known)
  return (
    note.held !== undefined ||
    note.loops.length > 0 ||
    note.dismissed.length > 0 ||
    Object.values(note.spent).some(amount => amount > 0)
  )
}

/** A policy in which scopes have other keys. @throws Error naming a scope that is not there. */
export function withScopeKeys(policy: Policy, keys: Readonly<Record<string, string>> = {}): Policy {
  const { scopes = {} } = policy.limits
  const unknown = Object.keys(keys).find(scope => !Object.hasOwn(scopes, scope))
  if (unknown !== undefined)
    throw new UnknownScope(
      `there is no scope '${unknown}'; there are: ${Object.keys(scopes).join(', ') || '(none)'}`,
    )
  if (Object.keys(keys).length === 0) return policy
  const renamed = Object.entries(scopes).map(([scope, limits]) => [
    scope,
    { ...limits, key: keys[scope] ?? limits.key },
  ])
  return { ...policy, limits: { ...policy.limits, scopes: Object.fromEntries(renamed) } }
}

class UnknownScope extends Error {
  override readonly name = 'InvalidInput'
}
