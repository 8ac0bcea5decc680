/** The account of a thread: what it has spent, when, and which limit it meets. Folded from events alone. */
import type { Sketch } from './finding.ts'
import type { AgentEvent, Stamped } from './event.ts'
import type { Limits } from './policy.ts'
import { remember } from './memory.ts'
import type { Bound } from './scope.ts'
import { NOTHING_SPENT, SPENDABLE, type Spent } from './spent.ts'

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
}

/** What had been spent when event `seq` came, in the order of `SPENDABLE`: an account of bounded and small size. */
type Point = readonly [seq: number, ...spent: number[]]

export const ACCOUNT: Account = { spent: NOTHING_SPENT, before: NOTHING_SPENT, at: 0, epoch: 0, trail: [], granted: {} }

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
  readonly shared: readonly Bound[]
}

/** Books an event; the second value is the limit it would go over, whose unit is then not booked. */
export function book(account: Account, event: Stamped, { limits, shared }: Allowance, { seq, begins, waiting }: Booking): readonly [Account, Bound | undefined] {
  const { spent } = account
  const epoch = ('epoch' in event ? event.epoch : undefined) ?? account.epoch
  // Another driver's first event, or a person's answer: the time before it was nobody's work.
  const idle = waiting || epoch !== account.epoch || (account.at === 0 && account.epoch === 0)
  const wall = spent.wall + (idle ? 0 : event.at - account.at)
  const wanted = added(spent, event, begins, wall)
  const own = LIMITS.find(name => limitMet(unitOf(name), wanted, spent, event, limitOf(limits, account, name)))
  const over = own ? ownBound(limits, account, own) : shared.find(bound => limitMet(bound.unit, wanted, spent, event, mostOf(bound, account)))
  // A call that meets a limit is left before it is made.
  const made = over !== undefined && event.type.endsWith('.called') ? { ...spent, wall } : wanted
  const booked = over === undefined || over.unit === 'wall' ? made : { ...made, [over.unit]: spent[over.unit] }
  const trail = begins || event.type.endsWith('.called') ? remember(account.trail, pointOf(seq, spent), TRAIL_MAX) : account.trail
  return [{ ...account, spent: booked, at: event.at, epoch, trail }, over]
}

function added(spent: Spent, event: AgentEvent, begins: boolean, wall: number): Spent {
  const usage = event.type === 'model.done' ? event.usage : undefined
  return {
    steps: spent.steps + (begins ? 1 : 0),
    // Undoing is owed, not spent: a limit must not leave half of it done.
    toolCalls: spent.toolCalls + (event.type === 'tool.called' && event.compensates === undefined ? 1 : 0),
    modelCalls: spent.modelCalls + (event.type === 'model.called' ? 1 : 0),
    tokens: spent.tokens + (usage ? usage.input + usage.output : 0),
    usd: spent.usd + (usage ? usage.usd : 0),
    wall,
  }
}

function pointOf(seq: number, { steps, toolCalls, modelCalls, tokens, usd, wall }: Spent): Point {
  return [seq, steps, toolCalls, modelCalls, tokens, usd, wall]
}

/** Counts are refused before the unit over the limit is used; tokens and money at the first call after it was met. */
function limitMet(unit: keyof Spent, wanted: Spent, spent: Spent, event: AgentEvent, limit: number): boolean {
  if (unit === 'tokens' || unit === 'usd') return event.type === 'model.called' && spent[unit] >= limit
  if (unit === 'wall') return wanted.wall >= limit
  return wanted[unit] > spent[unit] && wanted[unit] > limit
}

const LIMITS: readonly LimitName[] = [...SPENDABLE, ...SPENDABLE.map(unit => `round.${unit}` as const)]

function unitOf(name: LimitName): keyof Spent {
  return name.replace('round.', '') as keyof Spent
}

/** What the thread may have spent when the limit is met, counted from its beginning. */
function limitOf(limits: Limits, account: Account, name: LimitName): number {
  return (declared(limits, name) ?? Number.POSITIVE_INFINITY) + (account.granted[name] ?? 0) + (isOfRound(name) ? account.before[unitOf(name)] : 0)
}

function declared(limits: Limits, name: LimitName): number | undefined {
  return isOfRound(name) ? limits.round?.[unitOf(name)] : limits[unitOf(name)]
}

function isOfRound(name: string): boolean {
  return name.startsWith('round.')
}

/** The limits of the thread and of its round, and those it shares. */
export function allBounds(account: Account, limits: Limits, shared: readonly Bound[]): readonly Bound[] {
  return [...LIMITS.flatMap(name => ownBound(limits, account, name) ?? []), ...shared]
}

function ownBound(limits: Limits, account: Account, name: LimitName): Bound | undefined {
  const unit = unitOf(name)
  const limit = declared(limits, name)
  return limit === undefined ? undefined : { name, unit, limit, most: limit + (isOfRound(name) ? account.before[unit] : 0) }
}

function mostOf({ name, most }: Bound, { granted }: Account): number {
  return most + (granted[name] ?? 0)
}

/** The account of a thread that begins another round: the limits of rounds count from here. */
export function nextRound(account: Account): Account {
  const granted = Object.fromEntries(Object.entries(account.granted).filter(([name]) => !isOfRound(name)))
  return { ...account, before: account.spent, granted }
}

/** What had been spent when event `seq` came, as far back as the trail goes. */
export function spentAt(account: Account, seq: number): Spent {
  const [, ...amounts] = account.trail.findLast(([at]) => at <= seq) ?? account.trail[0] ?? []
  return amounts.length === 0 ? account.spent : (Object.fromEntries(SPENDABLE.map((unit, index) => [unit, amounts[index] ?? 0])) as unknown as Spent)
}

/** Going on beyond a limit grants a quarter of it more: enough to finish another way, not to begin anew. */
export function grant(account: Account, { name, unit, limit }: Bound): Account {
  const more = Math.max(limit / 4, unit === 'steps' ? 4 : 0)
  return { ...account, granted: { ...account.granted, [name]: (account.granted[name] ?? 0) + more } }
}

/** How long the thread may still run, in ms. */
export function wallLeft(account: Account, limits: Limits, shared: readonly Bound[]): number {
  const bounds = allBounds(account, limits, shared).filter(({ unit }) => unit === 'wall')
  return Math.max(0, Math.min(...bounds.map(bound => mostOf(bound, account))) - account.spent.wall)
}

export function overLimit(account: Account, bound: Bound, seq: number): Sketch {
  const { name, unit, scope } = bound
  const limit = bound.limit + (account.granted[name] ?? 0)
  const whose = scope === undefined ? (isOfRound(name) ? ' a round' : '') : ` for all threads of the scope ${scope.name} (${scope.key})`
  return {
    kind: 'budget',
    detector: name,
    id: `budget ${name}`,
    members: [name],
    period: 1,
    repeats: 1,
    onset: account.trail[0]?.[0] ?? 0,
    events: [seq],
    summary: `the limit of ${limit} ${unit === 'wall' ? 'ms of wall time' : unit}${whose} is reached`,
    ...(scope === undefined ? {} : { scope: scope.name }),
  }
}
