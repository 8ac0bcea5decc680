/** The account of a thread: what it has spent, when, and which limit it meets. Folded from events alone. */
import type { FindingDraft } from '../event/finding.ts'
import type { AgentEvent, Stamped } from '../event/event.ts'
import { remember } from '../data/json.ts'
import type { LimitStatus } from './scope.ts'
import { type Allowance, type Balance, firstMet, isOfRound } from './limits.ts'
import { updateReserves } from './reserve.ts'
import { roundMoney, NOTHING_SPENT, SPENDABLE, type Spent, addSpent } from '../event/spent.ts'

export interface Account extends Balance {
  /** The time of the last event, and the epoch of the driver that committed it. */
  readonly at: number
  readonly epoch: number
  /** Points on the way, oldest first, so that a finding can say what was burned since its onset. */
  readonly trail: readonly Point[]
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

/** Books an event; the second value is the limit it would go over, whose unit is then not booked. */
export function book(
  account: Account,
  event: Stamped,
  allowance: Allowance,
  { seq, begins, waiting }: Booking,
): readonly [Account, LimitStatus | undefined] {
  const { spent, trail } = account
  const epoch = ('epoch' in event ? event.epoch : undefined) ?? account.epoch
  // Before another driver's first event, or a person's answer, no driver was at work.
  const idle = waiting || epoch !== account.epoch || (account.at === 0 && account.epoch === 0)
  const duration = spent.duration + (idle ? 0 : event.at - account.at)
  const wanted = addEvent(spent, event, begins, duration)
  const over = firstMet({ account, event, wanted }, allowance)
  const marks = begins || event.type.endsWith('.called')
  const next: Account = {
    spent: over === undefined ? wanted : withoutOver(spent, event, wanted, over.unit),
    before: account.before,
    at: event.at,
    epoch,
    trail: marks ? remember(trail, pointOf(seq, spent), TRAIL_MAX) : trail,
    granted: account.granted,
    reserved:
      over === undefined || event.type === 'child.done'
        ? updateReserves(account.reserved, event, seq)
        : account.reserved,
    cap: event.type === 'thread.started' ? (event.parent?.limits ?? {}) : account.cap,
  }
  return [next, over]
}

/** What is booked of an event that meets a limit. */
function withoutOver(spent: Spent, event: AgentEvent, wanted: Spent, unit: keyof Spent): Spent {
  // A call that meets a limit is left before it is made.
  const made = event.type.endsWith('.called') ? { ...spent, duration: wanted.duration } : wanted
  if (unit === 'duration' || event.type === 'child.done') return made
  return { ...made, [unit]: spent[unit] }
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

/** The account of a thread that begins another round: the limits of rounds count from here. */
export function nextRound(account: Account): Account {
  const granted = Object.fromEntries(
    Object.entries(account.granted).filter(([name]) => !isOfRound(name)),
  )
  return { ...account, before: account.spent, granted }
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

export function overLimit(account: Account, limit: LimitStatus, seq: number): FindingDraft {
  const { name, unit, scope } = limit
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
        limit: limit.limit + (account.granted[name] ?? 0),
        ...(scope
          ? { of: 'scope', scope: scope.name, key: scope.key }
          : { of: isOfRound(name) ? 'round' : 'thread' }),
      },
    },
    ...(scope === undefined ? {} : { scope: scope.name }),
  }
}
