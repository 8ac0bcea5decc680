/** What a thread has set aside for the threads it has started: a budget that is shared cannot be spent twice. */
import type { AgentEvent, Item } from '../event/event.ts'
import type { Spent } from '../event/spent.ts'

/** A child that has not ended. */
export interface Reserve {
  readonly effect: string
  readonly region: string
  /** The graph's name in the spec. */
  readonly subject: string
  readonly key: string
  readonly thread: string
  /** The seq of the event that started it. */
  readonly seq: number
  readonly limits: Partial<Spent>
  readonly item?: Item
}

/** By the calls of the children. */
export type Reserves = Readonly<Record<string, Reserve>>

export function updateReserves(reserves: Reserves, event: AgentEvent, seq: number): Reserves {
  if (event.type === 'child.started') {
    const { effect, region, subject, key, thread, reserved: limits, item } = event
    return {
      ...reserves,
      [event.call]: {
        effect,
        region,
        subject,
        key,
        thread,
        seq,
        limits,
        ...(item ? { item } : {}),
      },
    }
  }
  if (event.type !== 'child.done' || !Object.hasOwn(reserves, event.call)) return reserves
  const { [event.call]: _, ...others } = reserves
  return others
}

/** How much of a unit is set aside. Time is not: it passes for all of them at once. */
export function reservedAmount(reserves: Reserves, unit: keyof Spent): number {
  let sum = 0
  if (unit !== 'duration') for (const call in reserves) sum += reserves[call]?.limits[unit] ?? 0
  return sum
}
