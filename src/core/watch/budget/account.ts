/** The account of a thread: its spending over time, folded from events. */
import { defined, remember } from '../data/json.ts'
import type { AgentEvent, EventOf, Stamped } from '../event/event.ts'
import { findingDraft, type FindingDraft } from '../event/finding.ts'
import { addSpent, NOTHING_SPENT, roundMoney, SPENDABLE, type Spent } from '../event/spent.ts'
import type { Limits } from '../policy/policy.ts'
import { type Balance, firstMet, isOfRound, type LimitStatus, updateReserves } from './limits.ts'

export interface Account extends Balance {
  /** The time of the last event, and the epoch of the driver that committed it. */
  readonly at: number
  readonly epoch: number
  /** Earlier spending by seq, oldest first. It shows what a finding has cost since its onset. */
  readonly trail: readonly SpendPoint[]
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
  input: { readonly seq: number; readonly begins: boolean; readonly waiting: boolean },
): readonly [Account, LimitStatus | undefined] {
  const { spent, trail } = account
  const { seq, begins, waiting } = input
  const epoch = ('epoch' in event ? event.epoch : undefined) ?? account.epoch
  // Time before the first event of a driver, or before a person's answer, does not count.
  const idle = waiting || epoch !== account.epoch || (account.at === 0 && account.epoch === 0)
  const duration = spent.duration + (idle ? 0 : event.at - account.at)
  const wanted = addEvent(spent, event, begins, duration)
  const over = firstMet({ account, event, wanted }, limits, shared)
  const marks = begins || event.type.endsWith('.called')
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

function addEvent(spent: Spent, event: AgentEvent, begins: boolean, duration: number): Spent {
  if (event.type === 'child.done') return { ...addSpent(spent, event.spent), duration }
  const usage = 'usage' in event ? event.usage : undefined
  // Compensation does not count because a limit must not interrupt it.
  const calls = event.type === 'tool.called' && event.compensates === undefined
  return {
    steps: spent.steps + (begins ? 1 : 0),
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
export function nextRound(account: Account): Account {
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

/** Extends a limit by a quarter: enough to finish another way, too little to start over. */
export function grant(account: Account, { name, unit, limit }: LimitStatus): Account {
  const more = Math.max(limit / 4, unit === 'steps' ? 4 : 0)
  const granted = { ...account.granted, [name]: (account.granted[name] ?? 0) + more }
  return { ...account, granted }
}

export function overLimit(account: Account, met: LimitStatus, seq: number): FindingDraft {
  const { name, unit, scope } = met
  const limit = met.limit + (account.granted[name] ?? 0)
  const owner = scope
    ? ({ of: 'scope', scope: scope.name, key: scope.key } as const)
    : ({ of: isOfRound(name) ? 'round' : 'thread' } as const)
  const reason = { code: 'limit-reached', params: { unit, limit, ...owner } } as const
  const seen = { id: `budget ${name}`, members: [name], events: [seq], reason }
  const onset = account.trail[0]?.[0] ?? 0
  return findingDraft('budget', name, { ...seen, onset, ...defined({ scope: scope?.name }) })
}
