/** What the work in a state has taken: time, money, and failures. */
import type { Row } from '../../../src/core/run/run.ts'

export interface StateUse {
  /** The time in which the state was active, waits included. */
  readonly ms: number
  /** What its model calls and child threads have cost. */
  readonly usd: number
  /** Failed attempts, refused calls, and turns that failed without any. */
  readonly failed: number
  /** A call of its turn has failed, so that the failure of the turn is the same one. */
  readonly hasFailed: boolean
}

export const NO_USE: StateUse = { ms: 0, usd: 0, failed: 0, hasFailed: false }

interface Before {
  /** The time of the event before. */
  readonly at: number
  readonly active: Iterable<string>
}

/** Adds what an event shows. States around other states are counted, too. */
export function addUse(uses: Map<string, StateUse>, { event }: Row, { at, active }: Before): void {
  const ms = event.at - at
  if (ms > 0) for (const state of active) change(uses, state, use => ({ ms: use.ms + ms }))
  if (!('effect' in event)) return
  const state = event.effect.replace(/#\d+$/, '')
  const usd = usdOf(event)
  if (usd > 0) change(uses, state, use => ({ usd: use.usd + usd }))
  switch (event.type) {
    case 'turn.started':
      change(uses, state, () => ({ hasFailed: false }))
      return
    case 'tool.failed':
    case 'model.failed':
    case 'circuit.refused':
      change(uses, state, ({ failed }) => ({ failed: failed + 1, hasFailed: true }))
      return
    case 'node.failed':
      change(uses, state, use => ({ failed: use.failed + (use.hasFailed ? 0 : 1) }))
      return
    default:
  }
}

function usdOf(event: Row['event']): number {
  if (event.type === 'child.done') return event.spent.usd
  return 'usage' in event ? (event.usage?.usd ?? 0) : 0
}

function change(
  uses: Map<string, StateUse>,
  state: string,
  by: (use: StateUse) => Partial<StateUse>,
): void {
  const use = uses.get(state) ?? NO_USE
  uses.set(state, { ...use, ...by(use) })
}
