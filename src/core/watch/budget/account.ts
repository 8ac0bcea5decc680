/** The account of a thread: its spending over time, folded from events, its limits, and what is reserved for children. */
import { defined, remember } from '../data/json.ts'
import { findingDraft } from '../event/event.ts'
import type { AgentEvent, EventOf, Stamped, FindingDraft } from '../event/event.ts'
import { type Spent, roundMoney, SPENDABLE, addSpent, NOTHING_SPENT } from '../event/call-event.ts'
import type { Limits } from '../policy/policy.ts'

export interface Account {
  readonly spent: Spent
  readonly before: Spent
  /** The time of the last event, and the epoch of the driver that committed it. */
  readonly at: number
  readonly epoch: number
  /** Earlier spending by seq, oldest first. It shows what a finding has cost since its onset. */
  readonly trail: readonly SpendPoint[]
  /** Extensions by limit name, granted when an escape continues past a limit. */
  readonly granted: Readonly<Partial<Record<string, number>>>
  /** Reservations for children that have not ended. */
  readonly reserved: Reserves
  /** What the parent has reserved for this thread. Policies and grants cannot exceed it. */
  readonly cap: Partial<Spent>
}

/** The spending before a seq or a time, in the order of `SPENDABLE` to keep the account small. */
export type SpendPoint = readonly [when: number, ...spent: number[]]

export const ACCOUNT: Account = {
  spent: NOTHING_SPENT,
  before: NOTHING_SPENT,
  at: 0,
  epoch: 0,
  trail: [],
  granted: {},
  reserved: {},
  cap: {},
}

const TRAIL_MAX = 24

/** Books an event. Returns the account and the limit that the event exceeds; the unit of that limit is not booked. */
export function book(
  account: Account,
  event: Stamped,
  { limits, shared }: { readonly limits: Limits; readonly shared: readonly LimitStatus[] },
  input: { readonly seq: number; readonly countsAsStep: boolean; readonly waiting: boolean },
): readonly [Account, LimitStatus | undefined] {
  const { spent, trail } = account
  const { seq, countsAsStep, waiting } = input
  const epoch = ('epoch' in event ? event.epoch : undefined) ?? account.epoch
  // Time before the first event of a driver, or before a person's answer, does not count.
  const idle = waiting || epoch !== account.epoch || (account.at === 0 && account.epoch === 0)
  const duration = spent.duration + (idle ? 0 : event.at - account.at)
  const wanted = addEvent(spent, event, countsAsStep, duration)
  const over = firstMet({ account, event, wanted }, limits, shared)
  const marks = countsAsStep || event.type.endsWith('.called')
  const reserves = over === undefined || event.type === 'child.done'
  const next: Account = {
    spent: over === undefined ? wanted : withoutOver(spent, event, wanted, over.unit),
    before: account.before,
    at: event.at,
    epoch,
    trail: marks ? remember(trail, spendPoint(seq, spent), TRAIL_MAX) : trail,
    granted: account.granted,
    reserved: reserves ? updateReserves(account.reserved, event, seq) : account.reserved,
    cap: event.type === 'thread.started' ? (event.parent?.limits ?? {}) : account.cap,
  }
  return [next, over]
}

/** What is booked of an event that exceeds a limit. */
function withoutOver(spent: Spent, event: AgentEvent, wanted: Spent, unit: keyof Spent): Spent {
  // A call that exceeds a limit is not made.
  const booked = event.type.endsWith('.called') ? { ...spent, duration: wanted.duration } : wanted
  if (unit === 'duration' || event.type === 'child.done') return booked
  return { ...booked, [unit]: spent[unit] }
}

function addEvent(spent: Spent, event: AgentEvent, countsAsStep: boolean, duration: number): Spent {
  if (event.type === 'child.done') return { ...addSpent(spent, event.spent), duration }
  const usage = 'usage' in event ? event.usage : undefined
  // Compensation does not count because a limit must not interrupt it.
  const calls = event.type === 'tool.called' && event.compensates === undefined
  return {
    steps: spent.steps + (countsAsStep ? 1 : 0),
    toolCalls: spent.toolCalls + (calls ? 1 : 0),
    modelCalls: spent.modelCalls + (event.type === 'model.called' ? 1 : 0),
    tokens: spent.tokens + (usage ? usage.input + usage.output : 0),
    usd: usage ? roundMoney(spent.usd + usage.usd) : spent.usd,
    duration,
  }
}

export function spendPoint(when: number, spent: Spent): SpendPoint {
  const { steps, toolCalls, modelCalls, tokens, usd, duration } = spent
  return [when, steps, toolCalls, modelCalls, tokens, usd, duration]
}

export function spentAtPoint([, ...amounts]: SpendPoint): Spent {
  const entries = SPENDABLE.map((unit, index) => [unit, amounts[index] ?? 0])
  return Object.fromEntries(entries) as unknown as Spent
}

/** Restarts the limits of the round. */
export function restartRoundLimits(account: Account): Account {
  const granted = Object.entries(account.granted).filter(([name]) => !isOfRound(name))
  return { ...account, before: account.spent, granted: Object.fromEntries(granted) }
}

/** Books a child that ends after its parent, or a model call that was abandoned at the end. */
export function closeAccount(
  account: Account,
  event: EventOf<'child.done' | 'call.late'>,
  seq: number,
): Account {
  const spent = addEvent(account.spent, event, false, account.spent.duration)
  return { ...account, spent, reserved: updateReserves(account.reserved, event, seq) }
}

/** The spending before event `seq`, as far back as the trail reaches. */
export function spentAt(account: Account, seq: number): Spent {
  const point = account.trail.findLast(([at]) => at <= seq) ?? account.trail[0]
  return point ? spentAtPoint(point) : account.spent
}

/** A quarter of a limit: enough to finish another way, too little to start over. Counts are whole: a part of a call permits none. */
export function extensionOf(unit: keyof Spent, limit: number): number {
  if (unit === 'usd' || unit === 'duration') return limit / 4
  return Math.max(Math.ceil(limit / 4), unit === 'steps' ? 4 : 1)
}

/** Extends a limit. */
export function grant(account: Account, { name, unit, limit }: LimitStatus): Account {
  const more = extensionOf(unit, limit)
  const granted = { ...account.granted, [name]: (account.granted[name] ?? 0) + more }
  return { ...account, granted }
}

export function overLimit(account: Account, met: LimitStatus, seq: number): FindingDraft {
  const { name, unit, scope } = met
  const limit = met.limit + (account.granted[name] ?? 0)
  const owner = scope
    ? ({ of: 'scope', scope: scope.name, key: scope.key } as const)
    : ({ of: isOfRound(name) ? 'round' : 'thread' } as const)
  // What running children may still spend is neither spent nor free.
  const held = reservedAmount(account.reserved, unit)
  const reserved = (unit === 'usd' ? roundMoney(held) : held) || undefined
  const params = { unit, limit, ...owner, ...defined({ reserved }) }
  const reason = { code: 'limit-reached', params } as const
  const seen = { id: `budget ${name}`, members: [name], events: [seq], reason }
  const onset = account.trail[0]?.[0] ?? 0
  return findingDraft('budget', name, { ...seen, onset, ...defined({ scope: scope?.name }) })
}

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
type ReservedChild = 'effect' | 'region' | 'subject' | 'key' | 'thread' | 'item'

/** A child that has not ended. `seq`: the event that started it. */
export interface Reserve extends Pick<EventOf<'child.started'>, ReservedChild> {
  readonly seq: number
  readonly limits: Partial<Spent>
}

/** Keyed by the calls of the children. A shared budget is reserved so that it cannot be spent twice. */
type Reserves = Readonly<Record<string, Reserve>>

function updateReserves(reserves: Reserves, event: AgentEvent, seq: number): Reserves {
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
type Use = Readonly<{ account: Account; event: AgentEvent; wanted: Spent }>

/** The first limit that the event exceeds. Only limits of the units that the event uses are compared. */
function firstMet(use: Use, limits: Limits, shared: LimitStatuses): LimitStatus | undefined {
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

const reaches = (unit: keyof Spent, spent: Spent, limit: number): boolean =>
  unit === 'usd' ? roundMoney(spent.usd - limit) >= 0 : spent[unit] >= limit

const LIMITS = [
  ...SPENDABLE.map(unit => ({ name: unit as string, unit, ofRound: false })),
  ...SPENDABLE.map(unit => ({ name: `round.${unit}`, unit, ofRound: true })),
]

const DURATIONS = LIMITS.filter(({ unit }) => unit === 'duration')

const isOfRound = (name: string): boolean => name.startsWith('round.')

function statusOf(limits: Limits, account: Account, own: (typeof LIMITS)[number]) {
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
export const allLimits = (
  account: Account,
  limits: Limits,
  shared: LimitStatuses,
): LimitStatuses => [...LIMITS.flatMap(own => statusOf(limits, account, own) ?? []), ...shared]

const lowestTotal = (all: readonly LimitStatus[], unit: keyof Spent): number =>
  Math.min(...all.filter(limit => limit.unit === unit).map(({ most }) => most))

/**
 * The limits of a child: its `own` by its policy, and its share of what is left. An unlimited unit is not shared. `places`: how
 * many children may still start in parallel, this one included. All get the same share.
 */
export function shareOf(
  account: Account,
  limits: Limits,
  { own, shared, places }: { own: Partial<Spent>; shared: LimitStatuses; places: number },
): Partial<Spent> {
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
export function timeLeft(account: Account, limits: Limits, shared: readonly LimitStatus[]): number {
  const own = DURATIONS.flatMap(each => statusOf(limits, account, each) ?? [])
  const most = lowestTotal([...own, ...shared], 'duration')
  return Math.max(0, most - account.spent.duration)
}
