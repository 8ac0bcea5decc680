/** The limits of a thread: which one an event meets, what is left of them, and the share of a child. */
import type { AgentEvent } from '../event/event.ts'
import type { Limits } from '../policy/policy.ts'
import { reservedAmount, type Reserves } from './reserve.ts'
import type { LimitStatus } from './scope.ts'
import { roundMoney, SPENDABLE, type Spent } from '../event/spent.ts'

/** A limit of the thread, or of each of its rounds. */
type LimitName = keyof Spent | `round.${keyof Spent}`

/** What limits are compared with. */
export interface Balance {
  readonly spent: Spent
  /** What had been spent when the round began. */
  readonly before: Spent
  /** What was granted on top of a limit when its finding was answered by going on. */
  readonly granted: Readonly<Partial<Record<string, number>>>
  /** What is set aside for children that have not ended, by their calls. */
  readonly reserved: Reserves
  /** What the thread's own parent has set aside for it: no policy and no grant goes beyond. */
  readonly cap: Partial<Spent>
}

export interface Allowance {
  readonly limits: Limits
  /** Limits that the thread shares with others. */
  readonly shared: readonly LimitStatus[]
}

/** An event, and what would have been spent with it. */
interface Use {
  readonly account: Balance
  readonly event: AgentEvent
  readonly wanted: Spent
}

/** Most events use one or two units: only these are laid against their limits. */
export function firstMet(use: Use, { limits, shared }: Allowance): LimitStatus | undefined {
  const { account } = use
  for (const own of LIMITS)
    if (isUsed(own.unit, use) && isMet(own.unit, use, limitOf(limits, account, own)))
      return ownLimit(limits, account, own)
  return shared.find(
    bound => isUsed(bound.unit, use) && isMet(bound.unit, use, mostOf(bound, account)),
  )
}

/** Whether the event can meet a limit of the unit: tokens and money are refused at the next call. */
function isUsed(unit: keyof Spent, { account, event, wanted }: Use): boolean {
  if (unit === 'duration') return true
  // What was set aside for a child is all it could spend: where it was stopped by that, it may have met a limit of ours.
  if (event.type === 'child.done') return event.reason === `budget.${unit}`
  if (unit === 'tokens' || unit === 'usd') return event.type === 'model.called'
  return wanted[unit] > account.spent[unit] || (unit === 'steps' && event.type === 'child.started')
}

/** Whether a unit that is used meets its limit: counts before the one over it, tokens and money at the first call after it. */
function isMet(unit: keyof Spent, { account, event, wanted }: Use, whole: number): boolean {
  const { spent } = account
  if (event.type === 'child.done' && unit !== 'duration') return reaches(unit, wanted, whole)
  const limit = whole - reservedAmount(account.reserved, unit)
  // A child that could not take a single step is not started.
  if (event.type === 'child.started' && unit === 'steps') return limit - spent.steps < 1
  if (unit === 'tokens' || unit === 'usd') return reaches(unit, spent, limit)
  return unit === 'duration' ? wanted.duration >= limit : wanted[unit] > limit
}

function reaches(unit: keyof Spent, spent: Spent, limit: number): boolean {
  return unit === 'usd' ? roundMoney(spent.usd - limit) >= 0 : spent[unit] >= limit
}

/** A limit by its name. */
interface NamedLimit {
  readonly name: LimitName
  readonly unit: keyof Spent
  readonly ofRound: boolean
}

const LIMITS: readonly NamedLimit[] = [
  ...SPENDABLE.map(unit => ({ name: unit, unit, ofRound: false }) as const),
  ...SPENDABLE.map(unit => ({ name: `round.${unit}`, unit, ofRound: true }) as const),
]

/** What the thread may have spent when the limit is met, counted from its beginning. */
function limitOf(limits: Limits, account: Balance, { name, unit, ofRound }: NamedLimit): number {
  const limit = ofRound ? limits.round?.[unit] : limits[unit]
  const own =
    limit === undefined
      ? Number.POSITIVE_INFINITY
      : limit + (account.granted[name] ?? 0) + (ofRound ? account.before[unit] : 0)
  return ofRound ? own : Math.min(own, account.cap[unit] ?? Number.POSITIVE_INFINITY)
}

export function isOfRound(name: string): boolean {
  return name.startsWith('round.')
}

/** The limits of the thread and of its round, and those it shares. */
export function allLimits(
  account: Balance,
  limits: Limits,
  shared: readonly LimitStatus[],
): readonly LimitStatus[] {
  return [...LIMITS.flatMap(own => ownLimit(limits, account, own) ?? []), ...shared]
}

function ownLimit(
  limits: Limits,
  account: Balance,
  { name, unit, ofRound }: NamedLimit,
): LimitStatus | undefined {
  const declared = (ofRound ? limits.round?.[unit] : limits[unit]) ?? Number.POSITIVE_INFINITY
  const limit = ofRound
    ? declared
    : Math.min(declared, account.cap[unit] ?? Number.POSITIVE_INFINITY)
  return limit === Number.POSITIVE_INFINITY
    ? undefined
    : { name, unit, limit, most: limit + (ofRound ? account.before[unit] : 0) }
}

function mostOf({ name, most }: LimitStatus, { granted }: Balance): number {
  return most + (granted[name] ?? 0)
}

export interface ShareTerms {
  /** The limits of the child's own policy. */
  readonly own: Partial<Spent>
  /** The limits that this thread shares with others. */
  readonly shared: readonly LimitStatus[]
  /** Children that may still be started beside one another, this one included: each gets the same share. */
  readonly places: number
}

/** The most a child may spend: its own limits, and its share of what is left here. A unit without any limit is not shared out. */
export function shareOf(
  account: Balance,
  limits: Limits,
  { own, shared, places }: ShareTerms,
): Partial<Spent> {
  const shares: Partial<Record<keyof Spent, number>> = {}
  for (const limit of LIMITS) lowerTo(shares, limit.unit, limitOf(limits, account, limit))
  for (const bound of shared) lowerTo(shares, bound.unit, mostOf(bound, account))
  for (const unit of SPENDABLE) {
    const most = shares[unit]
    if (most === undefined) continue
    const left = most - account.spent[unit] - reservedAmount(account.reserved, unit)
    const share = divide(unit, left, places)
    shares[unit] = Math.max(0, Math.min(own[unit] ?? share, share))
  }
  return shares
}

function lowerTo(
  most: Partial<Record<keyof Spent, number>>,
  unit: keyof Spent,
  limit: number,
): void {
  if (limit < (most[unit] ?? Number.POSITIVE_INFINITY)) most[unit] = limit
}

/** Time passes for all children at once. Counts are whole: the last one left goes to the first child. */
function divide(unit: keyof Spent, left: number, places: number): number {
  if (unit === 'duration') return left
  if (unit === 'usd') return left / places
  return Math.max(Math.min(left, 1), Math.floor(left / places))
}

/** How long the thread may still run, in ms. */
export function timeLeft(account: Balance, limits: Limits, shared: readonly LimitStatus[]): number {
  const times = allLimits(account, limits, shared).filter(({ unit }) => unit === 'duration')
  return Math.max(
    0,
    Math.min(...times.map(limit => mostOf(limit, account))) - account.spent.duration,
  )
}
