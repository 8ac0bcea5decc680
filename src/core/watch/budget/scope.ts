/**
 * Scopes: what all threads with the same key may spend together, and the loops they have met. A new thread starts with neither
 * a fresh budget nor a clean record: a loop that several threads meet needs a person, however often each of them escapes it.
 *
 * Each thread publishes its share and receives a summary of all others. It decides only by the summaries in its own journal.
 * Shares older than the window expire, with a resolution of a sixteenth of the window. *Rejected:* one sum in the store, to
 * which threads add. A crash between the addition and the journal would count twice or never, and nothing could expire.
 */
import { mapFields } from '../data/json.ts'
import { isBelow } from '../data/thread-name.ts'
import type { Dismissed, EarlierFinding, PeerSummary, ScopeQuestion } from '../event/event.ts'
import { type Spent, addSpent, fillSpent, NOTHING_SPENT, SPENDABLE } from '../event/call-event.ts'
import { subtractSpent } from '../event/call-event.ts'
import { dismiss } from '../normalize/observed.ts'
import type { ScopeLimits, Scopes } from '../policy/policy.ts'
import { spendPoint, spentAtPoint } from './account.ts'
import type { Account, SpendPoint, LimitStatus } from './account.ts'

/** What one thread has spent and met, stored beside its journal for the other threads. */
export interface Share {
  readonly thread: string
  readonly parent?: string
  /** The children whose spending is not yet included. */
  readonly out?: readonly string[]
  readonly scope: string
  readonly key: string
  /** The time of the last event, the spending by then, and the spending before. */
  readonly at: number
  readonly spent: Spent
  readonly points: readonly SpendPoint[]
  readonly loops: readonly SeenLoop[]
  readonly dismissed: readonly Dismissed[]
  readonly asks?: ScopeQuestion
  readonly limits: ScopeLimits
  /** When the share expires, in ms; null: never. */
  readonly until: number | null
}

/** A loop that a thread has escaped since the last progress. */
export type EscapedLoop = Pick<EarlierFinding, 'seq' | 'at' | 'reason'> & { readonly id: string }

/** With the rungs it used. */
export type SeenLoop = EscapedLoop & Pick<EarlierFinding, 'used'>

/** The state of one scope of a thread: the latest summary, and the thread's own spending within the window. */
export interface ScopeWatch {
  readonly note: Omit<PeerSummary, 'held'> | null
  readonly points: readonly SpendPoint[]
}

type ScopeWatches = Readonly<Record<string, ScopeWatch>>

const SLOTS = 16
const LOOPS_MAX = 6
/** Earlier threads that are reported even if the policy needs fewer. */
const EVIDENCE_MAX = 3

const NONE_DISMISSED: readonly Dismissed[] = []
const UNPUBLISHED: ScopeWatch = { note: null, points: [] }

/** Adds a point once per slot. Keeps one point at the beginning of the window and drops older ones. */
function extendPath(points: readonly SpendPoint[], spent: Spent, at: number, per: number) {
  const last = points.at(-1)
  if (last && at - last[0] < per / SLOTS) return points
  const first = points.findLastIndex(([then]) => then <= at - per)
  return [...points.slice(Math.max(0, first)), spendPoint(at, spent)]
}

/** Excludes all spending so far, which another thread has published. */
export function countFromHere(scopes: ScopeWatches, spent: Spent): ScopeWatches {
  // The point lies before any window.
  const points = [spendPoint(Number.MIN_SAFE_INTEGER, spent)]
  return mapFields(scopes, ({ note }) => ({ note, points }))
}

/** The spending before the window. */
function spentBefore(share: Pick<Share, 'at' | 'spent' | 'points'>, since: number): Spent {
  if (share.at <= since) return share.spent
  const point = share.points.findLast(([then]) => then <= since)
  return point ? spentAtPoint(point) : NOTHING_SPENT
}

/** `fresh`: the thread has not started to work. */
type PeerQuery = Pick<Share, 'thread' | 'at' | 'limits'> & { readonly fresh: boolean }

/** Summarizes the shares of a scope for one of its threads. */
export function peerSummary(scope: string, shares: readonly Share[], of: PeerQuery): PeerSummary {
  const { thread, at, limits, fresh } = of
  const since = at - limits.per
  const others = shares.filter(share => share.thread !== thread)
  const loops = Map.groupBy(
    others.flatMap(share =>
      share.loops
        .filter(loop => loop.at > since)
        .map(({ id, ...loop }) => ({ id, earlier: { scope, thread: share.thread, ...loop } })),
    ),
    ({ id }) => id,
  )
  const holds = ({ id, deadline = Number.POSITIVE_INFINITY, ofScope }: ScopeQuestion) =>
    deadline > at && (ofScope || (loops.get(id)?.length ?? 0) + 1 >= limits.loops)
  const holder = fresh ? others.find(({ asks }) => asks && holds(asks)) : undefined
  const { effect, reason } = holder?.asks ?? {}
  // The thread itself reserves what its descendants may spend.
  const strangers = others.filter(share => !isBelow(share.thread, thread))
  return {
    scope,
    key: limits.key,
    spent: limitedUnits(limits, spentWithin(strangers, since)),
    loops: [...loops]
      .sort(([, a], [, b]) => a.length - b.length)
      .slice(-LOOPS_MAX)
      .map(([id, all]) => {
        const threads = all.map(({ earlier }) => earlier).sort((a, b) => a.at - b.at)
        return { id, threads: threads.slice(-Math.max(limits.loops - 1, EVIDENCE_MAX)) }
      }),
    dismissed: others.reduce((all, share) => dismiss(all, share.dismissed), NONE_DISMISSED),
    ...(holder && effect && reason && { held: { thread: holder.thread, effect, reason } }),
  }
}

function spentWithin(shares: readonly Share[], since: number): Spent {
  return shares
    .filter(share => !isIncluded(share, shares))
    .map(share => subtractSpent(share.spent, spentBefore(share, since)))
    .reduce(addSpent, NOTHING_SPENT)
}

/** Whether an ancestor's share includes the spending of this thread: the child on its path has reported its end. */
function isIncluded({ thread, parent }: Share, shares: readonly Share[]): boolean {
  if (parent === undefined) return false
  const [nearest] = shares
    .filter(other => isBelow(thread, other.thread))
    .sort((a, b) => b.thread.length - a.thread.length)
  const isOpen = nearest?.out?.some(child => child === thread || isBelow(thread, child))
  return nearest !== undefined && !isOpen
}

/** Zero for units without a limit, which need no report. */
const limitedUnits = (limits: ScopeLimits, spent: Spent): Spent =>
  fillSpent(unit => (limits[unit] === undefined ? 0 : spent[unit]))

/** The limits that the scopes of a thread set for it. `account` is of its last event. */
export function scopeLimits(
  scopes: ScopeWatches,
  limits: Scopes | undefined,
  now: number,
  account: Pick<Account, 'at' | 'spent' | 'granted'>,
): readonly LimitStatus[] {
  return Object.entries(limits ?? {}).flatMap(([scope, of]) => {
    const { note, points } = scopes[scope] ?? UNPUBLISHED
    const before = spentBefore({ ...account, points }, now - of.per)
    return SPENDABLE.flatMap(unit => {
      const limit = of[unit]
      if (limit === undefined) return []
      const name = `scope.${scope}.${unit}`
      const most = limit - (note?.spent[unit] ?? 0) + before[unit] + (account.granted[name] ?? 0)
      return [{ name, unit, limit, most, scope: { name: scope, key: of.key } }]
    })
  })
}

/** Stores a received summary and the spending of the thread in each window. */
export function scopesAfter(
  scopes: ScopeWatches,
  limits: Scopes | undefined,
  { note, spent, at }: Pick<Share, 'spent' | 'at'> & { readonly note: PeerSummary | undefined },
): ScopeWatches {
  if (!limits) return scopes
  return mapFields(limits, ({ per }, scope) => {
    const before = scopes[scope] ?? UNPUBLISHED
    const points = extendPath(before.points, spent, at, per)
    if (note?.scope !== scope) return points === before.points ? before : { ...before, points }
    // Without the fields of its event.
    const { key, spent: byOthers, loops, dismissed } = note
    return { note: { scope, key, spent: byOthers, loops, dismissed }, points }
  })
}

/** The earlier threads that met the same finding, and the scope whose `loops` limit is reached. */
export function findSeenLoop(scopes: ScopeWatches, limits: Scopes | undefined, id: string) {
  const seen = Object.entries(limits ?? {}).flatMap(([scope, { loops }]) => {
    const threads = scopes[scope]?.note?.loops.find(loop => loop.id === id)?.threads ?? []
    return threads.length === 0 ? [] : [{ scope, threads, full: threads.length + 1 >= loops }]
  })
  const [most] = seen.toSorted(
    (a, b) => Number(b.full) - Number(a.full) || b.threads.length - a.threads.length,
  )
  if (!most) return {}
  return { earlier: most.threads, ...(most.full && { scope: most.scope }) }
}

/** Adds a loop that the thread has just escaped, as the latest. */
export function rememberLoop(seen: readonly EscapedLoop[], loop: EscapedLoop) {
  const { id, seq, at, reason } = loop
  return [...seen.filter(other => other.id !== id), { id, seq, at, reason }].slice(-LOOPS_MAX)
}

/** Resets the spending and loops of a share. Dismissals remain. */
export function releaseScope({ asks: _, ...share }: Share): Share | undefined {
  return share.dismissed.length > 0
    ? { ...share, spent: NOTHING_SPENT, points: [], loops: [], until: null }
    : undefined
}

/** The status of a scope, for people. */
export interface ScopeStanding extends Omit<PeerSummary, 'dismissed'> {
  readonly limits: ScopeLimits
  readonly threads: readonly string[]
  readonly dismissed: readonly string[]
}

/** One status for each scope and key. `at` is in ms. */
export function standingsOf(shares: readonly Share[], at: number): readonly ScopeStanding[] {
  const groups = Map.groupBy(shares, ({ scope, key }) => JSON.stringify([scope, key]))
  return [...groups.values()].flatMap(group => {
    const [latest] = group.toSorted((a, b) => b.at - a.at)
    if (!latest) return []
    const { scope, key, limits } = latest
    const summary = peerSummary(scope, group, { thread: '', at, limits, fresh: true })
    const counting = group.filter(share => share.at > at - limits.per)
    const spent = spentWithin(counting, at - limits.per)
    const threads = counting.map(({ thread }) => thread)
    const dismissed = summary.dismissed.map(({ id }) => id)
    return [{ ...summary, key, limits, spent, threads, dismissed }]
  })
}
