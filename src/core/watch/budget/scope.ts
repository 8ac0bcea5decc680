/**
 * Scopes: what all threads with the same key may spend together, and the loops they have met. Starting a thread anew buys no
 * second helping of either: the intuition is a night watchman who finds the same door open for the third time and, instead of
 * closing it once more, calls somebody.
 *
 * Each thread tells its share, the others are told a note of all shares; a thread decides by the notes in its own journal
 * alone. What is older than the window is forgotten, to a sixteenth of it. *Rejected:* one sum in the store, to which threads
 * add: a crash between adding and journalling would count twice or never, and nothing in it could be forgotten.
 */
import { dismiss } from '../normalize/dismissed.ts'
import type { Dismissed, EarlierFinding } from '../event/finding.ts'
import type { PeerSummary, ScopeQuestion } from '../event/peer-summary.ts'
import type { ScopeLimits, Scopes } from '../policy/policy.ts'
import type { Reason } from '../reason/reason.ts'
import { type Member, nonDescendants, topMembers } from './family.ts'
import { NOTHING_SPENT, SPENDABLE, type Spent, subtractSpent, addSpent } from '../event/spent.ts'

/** What one thread has spent and met; kept beside its journal, for the others. */
export interface Share extends Member {
  readonly scope: string
  readonly key: string
  /** When the thread last did something; what it had spent by then, and before. */
  readonly at: number
  readonly spent: Spent
  readonly points: readonly Point[]
  readonly loops: readonly SeenLoop[]
  /** Findings a person has dismissed. */
  readonly dismissed: readonly Dismissed[]
  /** What the thread asks a person about. */
  readonly asks?: ScopeQuestion
  /** By the policy of the thread. */
  readonly limits: ScopeLimits
  /** When the share counts no longer, in ms; null: not before it is changed. */
  readonly until: number | null
}

/** A time, and what had been spent by then, in the order of `SPENDABLE`. */
export type Point = readonly [at: number, ...spent: number[]]

/** A loop that a thread was let out of, and by which rungs. */
export interface SeenLoop {
  readonly id: string
  readonly seq: number
  readonly at: number
  readonly reason: Reason
  readonly used: EarlierFinding['used']
}

/** A thread's memory of one of its scopes: the latest note, and points on its own way through the window. */
export interface ScopeWatch {
  readonly note: Omit<PeerSummary, 'held'> | null
  readonly points: readonly Point[]
}

/** A limit and where it stands. */
export interface LimitStatus {
  /** The unit, or `scope.<scope>.<unit>`. */
  readonly name: string
  readonly unit: keyof Spent
  /** As the policy says it. */
  readonly limit: number
  /** What the thread may have spent in all, counted from its beginning, when it is met. */
  readonly most: number
  /** Whose it is, where it is not the thread's own. */
  readonly scope?: { readonly name: string; readonly key: string }
}

const SLOTS = 16
const LOOPS_MAX = 6
/** How many earlier threads are told of where fewer would be enough to count. */
const EVIDENCE_MAX = 3

const NONE_DISMISSED: readonly Dismissed[] = []

const UNPUBLISHED: ScopeWatch = { note: null, points: [] }

/** The points of a way on which `spent` has been reached at `at`: one for each slot of the window, and the one at its beginning. */
function extendPath(
  points: readonly Point[],
  spent: Spent,
  at: number,
  per: number,
): readonly Point[] {
  const last = points.at(-1)
  if (last && at - last[0] < per / SLOTS) return points
  const first = points.findLastIndex(([then]) => then <= at - per)
  return [...points.slice(Math.max(0, first)), [at, ...SPENDABLE.map(unit => spent[unit])]]
}

/** The scopes of a thread that counts for them only from here: all it has spent so far, another one has told them. */
export function countFromHere(
  scopes: Readonly<Record<string, ScopeWatch>>,
  spent: Spent,
): Readonly<Record<string, ScopeWatch>> {
  // At a time before any window.
  const points = extendPath([], spent, Number.MIN_SAFE_INTEGER, 0)
  return Object.fromEntries(
    Object.entries(scopes).map(([name, { note }]) => [name, { note, points }]),
  )
}

/** How far a thread has come, and when. */
type SpendingPath = Pick<Share, 'at' | 'spent' | 'points'>

/** What it had spent when the window began. */
function spentBefore({ at, spent, points }: SpendingPath, since: number): Spent {
  if (at <= since) return spent
  const [, ...amounts] = points.findLast(([then]) => then <= since) ?? [0]
  return amounts.length === 0
    ? NOTHING_SPENT
    : (Object.fromEntries(
        SPENDABLE.map((unit, index) => [unit, amounts[index] ?? 0]),
      ) as unknown as Spent)
}

export interface PeerQuery {
  readonly thread: string
  readonly at: number
  readonly limits: ScopeLimits
  /** The thread has not begun to work. */
  readonly fresh: boolean
}

/** What the shares of a scope mean to one of its threads now. */
export function peerSummary(
  scope: string,
  shares: readonly Share[],
  { thread, at, limits, fresh }: PeerQuery,
): PeerSummary {
  const since = at - limits.per
  const others = shares.filter(share => share.thread !== thread)
  const met = Map.groupBy(
    others.flatMap(share =>
      share.loops
        .filter(met => met.at > since)
        .map(({ id, ...met }) => ({ id, earlier: { scope, thread: share.thread, ...met } })),
    ),
    ({ id }) => id,
  )
  const holds = ({ id, deadline, ofScope }: ScopeQuestion) =>
    (deadline === undefined || deadline > at) &&
    (ofScope || (met.get(id)?.length ?? 0) + 1 >= limits.loops)
  const holder = fresh ? others.find(({ asks }) => asks && holds(asks)) : undefined
  return {
    scope,
    key: limits.key,
    spent: limitedUnits(limits, spentWithin(nonDescendants(others, thread), since)),
    loops: [...met]
      .map(([id, all]) => ({
        id,
        threads: all.map(({ earlier }) => earlier).sort((a, b) => a.at - b.at),
      }))
      .sort((a, b) => a.threads.length - b.threads.length)
      .slice(-LOOPS_MAX)
      .map(({ id, threads }) => ({
        id,
        threads: threads.slice(-Math.max(limits.loops - 1, EVIDENCE_MAX)),
      })),
    dismissed: others.reduce((all, share) => dismiss(all, share.dismissed), NONE_DISMISSED),
    ...(holder?.asks
      ? {
          held: { thread: holder.thread, effect: holder.asks.effect, reason: holder.asks.reason },
        }
      : {}),
  }
}

/** What these threads have spent since then. */
export function spentWithin(shares: readonly Share[], since: number): Spent {
  return topMembers(shares).reduce(
    (sum, share) => addSpent(sum, subtractSpent(share.spent, spentBefore(share, since))),
    NOTHING_SPENT,
  )
}

/** What no limit is set to need not be told. */
function limitedUnits(limits: ScopeLimits, spent: Spent): Spent {
  return Object.fromEntries(
    SPENDABLE.map(unit => [unit, limits[unit] === undefined ? 0 : spent[unit]]),
  ) as unknown as Spent
}

/** The bounds that the scopes of a thread set to it; `account` is of its last event. */
export function scopeLimits(
  scopes: Readonly<Record<string, ScopeWatch>>,
  limits: Scopes | undefined,
  { now, account }: { readonly now: number; readonly account: Pick<SpendingPath, 'at' | 'spent'> },
): readonly LimitStatus[] {
  return Object.entries(limits ?? {}).flatMap(([scope, of]) => {
    const { note, points } = scopes[scope] ?? UNPUBLISHED
    const before = spentBefore({ ...account, points }, now - of.per)
    return SPENDABLE.flatMap(unit => {
      const limit = of[unit]
      return limit === undefined
        ? []
        : [
            {
              name: `scope.${scope}.${unit}`,
              unit,
              limit,
              most: limit - (note?.spent[unit] ?? 0) + before[unit],
              scope: { name: scope, key: of.key },
            },
          ]
    })
  })
}

/** The scopes of a thread after an event: the note it brought, and how far the thread has come in each window. */
export function scopesAfter(
  scopes: Readonly<Record<string, ScopeWatch>>,
  limits: Scopes | undefined,
  {
    note,
    spent,
    at,
  }: { readonly note: PeerSummary | undefined; readonly spent: Spent; readonly at: number },
): Readonly<Record<string, ScopeWatch>> {
  if (!limits) return scopes
  const entries = Object.entries(limits).map(([scope, { per }]) => {
    const before = scopes[scope] ?? UNPUBLISHED
    const points = extendPath(before.points, spent, at, per)
    return [
      scope,
      note?.scope === scope
        ? { note: storedSummary(note), points }
        : points === before.points
          ? before
          : { ...before, points },
    ] as const
  })
  return Object.fromEntries(entries)
}

/** The note alone: it comes as an event. */
function storedSummary({ scope, key, spent, loops, dismissed }: PeerSummary): ScopeWatch['note'] {
  return { scope, key, spent, loops, dismissed }
}

/** Where a finding was met before, and the scope in which this is once too often. */
export function findSeenLoop(
  scopes: Readonly<Record<string, ScopeWatch>>,
  limits: Scopes | undefined,
  id: string,
): { readonly earlier?: readonly EarlierFinding[]; readonly scope?: string } {
  const met = Object.entries(limits ?? {}).flatMap(([scope, { loops }]) => {
    const threads = scopes[scope]?.note?.loops.find(loop => loop.id === id)?.threads ?? []
    return threads.length === 0 ? [] : [{ scope, threads, full: threads.length + 1 >= loops }]
  })
  const most = met.toSorted(
    (a, b) => Number(b.full) - Number(a.full) || b.threads.length - a.threads.length,
  )[0]
  if (!most) return {}
  return { earlier: most.threads, ...(most.full ? { scope: most.scope } : {}) }
}

/** A loop that a thread was let out of now; it is the latest of those it remembers. */
export function rememberLoop(
  met: readonly Omit<SeenLoop, 'used'>[],
  { id, reason }: Pick<SeenLoop, 'id' | 'reason'>,
  when: Pick<SeenLoop, 'seq' | 'at'>,
): readonly Omit<SeenLoop, 'used'>[] {
  return [...met.filter(other => other.id !== id), { id, ...when, reason }].slice(-LOOPS_MAX)
}

/** A share of which only what a person has dismissed is left: as if its thread had spent and met nothing. */
export function releaseScope({ asks: _, ...share }: Share): Share | undefined {
  return share.dismissed.length > 0
    ? { ...share, spent: NOTHING_SPENT, points: [], loops: [], until: null }
    : undefined
}
