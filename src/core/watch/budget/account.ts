/** The account of a thread: what it has spent, when, and which limit it meets. Folded from events alone. */
import type { FindingDraft } from '../finding.ts'
import type { AgentEvent, Stamped } from '../event.ts'
import type { Limits } from '../policy.ts'
import { remember } from '../memory.ts'
import type { LimitStatus } from './scope.ts'
import { updateReserves, type Reserves, reservedAmount } from './reserve.ts'
import { roundMoney, NOTHING_SPENT, SPENDABLE, type Spent, addSpent } from './spent.ts'

/** A limit of the thread, or of each of its rounds. */
export type LimitName = keyof Spent | `round.${keyof Spent}`

export interface Account {
  readonly spent: Spent
  /** What had been spent when the round began. */
  readonly before: Spent
  /** The time of the last event, and the epoch of the driver that committed it. */
  readonly at: number
  readonly epoch: number
  /** Points on the way, oldest first, so that a finding can say what was burned since its onset. */
  readonly trail: readonly Point[]
  /** What was granted on top of a limit when its finding was answered by going on. */
  readonly granted: Readonly<Partial<Record<string, number>>>
  /** What is set aside for children that have not ended, by their calls. */
  readonly reserved: Reserves
  /** What the thread's own parent has set aside for it: no policy and no grant goes beyond. */
  readonly cap: Partial<Spent>
}

/** What had been spent when event `seq` came, in the order of `SPENDABLE`: an account of bounded and small size. */
type Point = readonly [seq: number, ...spent: number[]]

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

export interface Booking {
  readonly seq: number
  /** The event begins a step: a node is about to work for the first time since its state was entered, or a wait or a question of its own is over. */
  readonly begins: boolean
  /** Before this event the thread was waiting for people only. */
  readonly waiting: boolean
}

export interface Allowance {
  readonly limits: Limits
  /** Limits that the thread shares with others. */
  readonly shared: readonly LimitStatus[]
}

/** Books an event; the second value is the limit it would go over, whose unit is then not booked. */
export function book(
  account: Account,
  event: Stamped,
  { limits, shared }: Allowance,
  { seq, begins, waiting }: Booking,
): readonly [Account, LimitStatus | undefined] {
  const { spent } = account
  const epoch = ('epoch' in event ? event.epoch : undefined) ?? account.epoch
  // Another driver's first event, or a person's answer: the time before it was nobody's work.
  const idle = waiting || epoch !== account.epoch || (account.at === 0 && account.epoch === 0)
  const duration = spent.duration + (idle ? 0 : event.at - account.at)
  const wanted = addEvent(spent, event, begins, duration)
  const over = firstMet({ account, event, wanted }, { limits, shared })
  // A call that meets a limit is left before it is made.
  const made =
    over !== undefined && event.type.endsWith('.called') ? { ...spent, duration } : wanted
  const booked =
    over === undefined || over.unit === 'duration' || event.type === 'child.done'
      ? made
      : { ...made, [over.unit]: spent[over.unit] }
  const trail =
    begins || event.type.endsWith('.called')
      ? remember(account.trail, pointOf(seq, spent), TRAIL_MAX)
      : account.trail
  const cap = event.type === 'thread.started' ? (event.parent?.limits ?? {}) : account.cap
  const aside =
    over === undefined || event.type === 'child.done'
      ? updateReserves(account.reserved, event, seq)
      : account.reserved
  return [
    {
      spent: booked,
      before: account.before,
      at: event.at,
      epoch,
      trail,
      granted: account.granted,
      reserved: aside,
      cap,
    },
    over,
  ]
}

function addEvent(spent: Spent, event: AgentEvent, begins: boolean, duration: number): Spent {
  if (event.type === 'child.done') return addChild(spent, event.spent, duration)
  const usage = event.type === 'model.done' ? event.usage : undefined
  return {
    steps: spent.steps + (begins ? 1 : 0),
    // Undoing is owed, not spent: a limit must not leave half of it done.
    toolCalls:
      spent.toolCalls + (event.type === 'tool.called' && event.compensates === undefined ? 1 : 0),
    modelCalls: spent.modelCalls + (event.type === 'model.called' ? 1 : 0),
    tokens: spent.tokens + (usage ? usage.input + usage.output : 0),
    usd: usage ? roundMoney(spent.usd + usage.usd) : spent.usd,
    duration,
  }
}

/** All a child has spent counts here, too; its time has passed here as well. */
function addChild(spent: Spent, child: Spent, duration: number): Spent {
  return { ...addSpent(spent, child), duration }
}

function pointOf(
  seq: number,
  { steps, toolCalls, modelCalls, tokens, usd, duration }: Spent,
): Point {
  return [seq, steps, toolCalls, modelCalls, tokens, usd, duration]
}

/** An event, and what would have been spent with it. */
interface Use {
  readonly account: Account
  readonly event: AgentEvent
  readonly wanted: Spent
}

/** Most events use one or two units: only these are laid against their limits. */
function firstMet(use: Use, { limits, shared }: Allowance): LimitStatus | undefined {
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
function limitOf(limits: Limits, account: Account, { name, unit, ofRound }: NamedLimit): number {
  const limit = ofRound ? limits.round?.[unit] : limits[unit]
  const own =
    limit === undefined
      ? Number.POSITIVE_INFINITY
      : limit + (account.granted[name] ?? 0) + (ofRound ? account.before[unit] : 0)
  return ofRound ? own : Math.min(own, account.cap[unit] ?? Number.POSITIVE_INFINITY)
}

function isOfRound(name: string): boolean {
  return name.startsWith('round.')
}

/** The limits of the thread and of its round, and those it shares. */
export function allLimits(
  account: Account,
  limits: Limits,
  shared: readonly LimitStatus[],
): readonly LimitStatus[] {
  return [...LIMITS.flatMap(own => ownLimit(limits, account, own) ?? []), ...shared]
}

function ownLimit(
  limits: Limits,
  account: Account,
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

function mostOf({ name, most }: LimitStatus, { granted }: Account): number {
  return most + (granted[name] ?? 0)
}

/** The account of a thread that begins another round: the limits of rounds count from here. */
export function nextRound(account: Account): Account {
  const granted = Object.fromEntries(
    Object.entries(account.granted).filter(([name]) => !isOfRound(name)),
  )
  return { ...account, before: account.spent, granted }
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
  account: Account,
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
    // Time passes for all of them at once; counts are whole, and where there is one left for somebody, the first gets it.
    const share =
      unit === 'duration'
        ? left
        : unit === 'usd'
          ? left / places
          : Math.max(Math.min(left, 1), Math.floor(left / places))
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

/** The account once a child has ended whose parent had ended before. */
export function closeAccount(
  account: Account,
  event: Extract<Stamped, { type: 'child.done' }>,
  seq: number,
): Account {
  return {
    ...account,
    spent: addChild(account.spent, event.spent, account.spent.duration),
    reserved: updateReserves(account.reserved, event, seq),
  }
}

/** What had been spent when event `seq` came, as far back as the trail goes. */
export function spentAt(account: Account, seq: number): Spent {
  const [, ...amounts] = account.trail.findLast(([at]) => at <= seq) ?? account.trail[0] ?? []
  return amounts.length === 0
    ? account.spent
    : (Object.fromEntries(
        SPENDABLE.map((unit, index) => [unit, amounts[index] ?? 0]),
      ) as unknown as Spent)
}

/** Going on beyond a limit grants a quarter of it more: enough to finish another way, not to begin anew. */
export function grant(account: Account, { name, unit, limit }: LimitStatus): Account {
  const more = Math.max(limit / 4, unit === 'steps' ? 4 : 0)
  return {
    ...account,
    granted: { ...account.granted, [name]: (account.granted[name] ?? 0) + more },
  }
}

/** How long the thread may still run, in ms. */
export function durationLeft(
  account: Account,
  limits: Limits,
  shared: readonly LimitStatus[],
): number {
  const bounds = allLimits(account, limits, shared).filter(({ unit }) => unit === 'duration')
  return Math.max(
    0,
    Math.min(...bounds.map(bound => mostOf(bound, account))) - account.spent.duration,
  )
}

export function overLimit(account: Account, bound: LimitStatus, seq: number): FindingDraft {
  const { name, unit, scope } = bound
  const limit = bound.limit + (account.granted[name] ?? 0)
  return {
    kind: 'budget',
    detector: name,
    id: `budget ${name}`,
    members: [name],
    period: 1,
    repeats: 1,
    onset: account.trail[0]?.[0] ?? 0,
    events: [seq],
    reason: {
      code: 'limit-reached',
      params: {
        unit,
        limit,
        ...(scope
          ? { of: 'scope', scope: scope.name, key: scope.key }
          : { of: isOfRound(name) ? 'round' : 'thread' }),
      },
    },
    ...(scope === undefined ? {} : { scope: scope.name }),
  }
}
