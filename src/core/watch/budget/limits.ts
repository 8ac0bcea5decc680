/** The limits of a thread: which one an event exceeds, what is left, and what is reserved for children. */
import { defined } from '../data/json.ts'
import type { AgentEvent, EventOf } from '../event/event.ts'
import { roundMoney, SPENDABLE, type Spent } from '../event/spent.ts'
import type { Limits } from '../policy/policy.ts'

/** A limit and the spending it allows. */
export interface LimitStatus {
  /** The unit, `round.<unit>` or `scope.<scope>.<unit>`. */
  readonly name: string
  readonly unit: keyof Spent
  readonly limit: number
  /** The total spending of the thread at which the limit is reached, grants included. */
  readonly most: number
  readonly scope?: { readonly name: string; readonly key: string }
}

type LimitStatuses = readonly LimitStatus[]

/** What limits are compared with. */
export interface Balance {
  readonly spent: Spent
  readonly before: Spent
  /** Extensions by limit name, granted when an escape continues past a limit. */
  readonly granted: Readonly<Partial<Record<string, number>>>
  /** Reservations for children that have not ended. */
  readonly reserved: Reserves
  /** What the parent has reserved for this thread. Policies and grants cannot exceed it. */
  readonly cap: Partial<Spent>
}

type Started = EventOf<'child.started'>

/** A child that has not ended. `seq`: the event that started it. */
export interface Reserve
  extends Pick<Started, 'effect' | 'region' | 'subject' | 'key' | 'thread' | 'item'> {
  readonly seq: number
  readonly limits: Partial<Spent>
}

/** Keyed by the calls of the children. A shared budget is reserved so that it cannot be spent twice. */
type Reserves = Readonly<Record<string, Reserve>>

export function updateReserves(reserves: Reserves, event: AgentEvent, seq: number): Reserves {
  if (event.type === 'child.started') {
    const { effect, region, subject, key, thread, reserved: limits, item } = event
    const child = { effect, region, subject, key, thread, seq, limits, ...defined({ item }) }
    return { ...reserves, [event.call]: child }
  }
  if (event.type !== 'child.done' || !Object.hasOwn(reserves, event.call)) return reserves
  const { [event.call]: _, ...others } = reserves
  return others
}

/** The reserved amount of a unit. Time is not reserved because it passes for all children at once. */
function reservedAmount(reserves: Reserves, unit: keyof Spent): number {
  let sum = 0
  if (unit !== 'duration') for (const call in reserves) sum += reserves[call]?.limits[unit] ?? 0
  return sum
}

/** An event, and the total spending if it is booked. */
interface Use {
  readonly account: Balance
  readonly event: AgentEvent
  readonly wanted: Spent
}

/** The first limit that the event exceeds. Only limits of the units that the event uses are compared. */
export function firstMet(use: Use, limits: Limits, shared: LimitStatuses): LimitStatus | undefined {
  for (const own of LIMITS) {
    const status = isUsed(own.unit, use) ? statusOf(limits, use.account, own) : undefined
    if (status && isMet(own.unit, use, status.most)) return status
  }
  return shared.find(({ unit, most }) => isUsed(unit, use) && isMet(unit, use, most))
}

/** Whether the event can exceed a limit of the unit. Tokens and money are checked at the next call. */
function isUsed(unit: keyof Spent, { account, event, wanted }: Use): boolean {
  if (unit === 'duration') return true
  // A child that spent its whole reservation may have reached a limit of this thread.
  if (event.type === 'child.done') return event.reason === `budget.${unit}`
  if (unit === 'tokens' || unit === 'usd') return event.type === 'model.called'
  return wanted[unit] > account.spent[unit] || (unit === 'steps' && event.type === 'child.started')
}

/** Counts stop before they exceed the limit; tokens and money stop at the first call after it. */
function isMet(unit: keyof Spent, { account, event, wanted }: Use, total: number): boolean {
  const { spent } = account
  if (event.type === 'child.done' && unit !== 'duration') return reaches(unit, wanted, total)
  const limit = total - reservedAmount(account.reserved, unit)
  // A child without a single step left is not started.
  if (event.type === 'child.started' && unit === 'steps') return limit - spent.steps < 1
  if (unit === 'tokens' || unit === 'usd') return reaches(unit, spent, limit)
  return unit === 'duration' ? wanted.duration >= limit : wanted[unit] > limit
}

function reaches(unit: keyof Spent, spent: Spent, limit: number): boolean {
  return unit === 'usd' ? roundMoney(spent.usd - limit) >= 0 : spent[unit] >= limit
}

const LIMITS = [
  ...SPENDABLE.map(unit => ({ name: unit as string, unit, ofRound: false })),
  ...SPENDABLE.map(unit => ({ name: `round.${unit}`, unit, ofRound: true })),
]

export function isOfRound(name: string): boolean {
  return name.startsWith('round.')
}

function statusOf(limits: Limits, account: Balance, own: (typeof LIMITS)[number]) {
  const { granted, before, cap } = account
  const { name, unit, ofRound } = own
  const declared = ofRound ? limits.round?.[unit] : limits[unit]
  const most = (ofRound ? undefined : cap[unit]) ?? Number.POSITIVE_INFINITY
  const limit = Math.min(declared ?? most, most)
  if (limit === Number.POSITIVE_INFINITY) return undefined
  const total = (declared ?? most) + (granted[name] ?? 0) + (ofRound ? before[unit] : 0)
  return { name, unit, limit, most: Math.min(total, most) }
}

/** The limits of the thread, of its round, and of its scopes. */
export function allLimits(account: Balance, limits: Limits, shared: LimitStatuses): LimitStatuses {
  return [...LIMITS.flatMap(own => statusOf(limits, account, own) ?? []), ...shared]
}

function lowestTotal(all: readonly LimitStatus[], unit: keyof Spent): number {
  return Math.min(...all.filter(limit => limit.unit === unit).map(({ most }) => most))
}

interface ShareTerms {
  /** The limits in the child's policy. */
  readonly own: Partial<Spent>
  readonly shared: readonly LimitStatus[]
  /** How many children may still start in parallel, this one included. All get the same share. */
  readonly places: number
}

/** The limits of a child: its own, and its share of what is left. An unlimited unit is not shared. */
export function shareOf(account: Balance, limits: Limits, terms: ShareTerms): Partial<Spent> {
  const { own, shared, places } = terms
  const all = allLimits(account, limits, shared)
  const shares: Partial<Record<keyof Spent, number>> = {}
  for (const unit of SPENDABLE) {
    const most = lowestTotal(all, unit)
    if (most === Number.POSITIVE_INFINITY) continue
    const left = most - account.spent[unit] - reservedAmount(account.reserved, unit)
    const share = divide(unit, left, places)
    shares[unit] = Math.max(0, Math.min(own[unit] ?? share, share))
  }
  return shares
}

/** Time passes for all children at once. Counts are integers, so the first child gets the last one left. */
function divide(unit: keyof Spent, left: number, places: number): number {
  if (unit === 'duration') return left
  if (unit === 'usd') return left / places
  return Math.max(Math.min(left, 1), Math.floor(left / places))
}

/** How long the thread may still run, in ms. */
export function timeLeft(account: Balance, limits: Limits, shared: readonly LimitStatus[]): number {
  const most = lowestTotal(allLimits(account, limits, shared), 'duration')
  return Math.max(0, most - account.spent.duration)
}
