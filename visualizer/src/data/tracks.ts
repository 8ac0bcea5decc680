/** How channels and the budget change over a run, folded with the core of the runtime. Loaded when a person first asks for it. */
import type { Row, Run } from '../../../src/core/run/run.ts'
import { allLimits } from '../../../src/core/watch/budget/account.ts'
import { scopeLimits } from '../../../src/core/watch/budget/scope.ts'
import type { ThreadGraph } from '../../../src/host/thread/thread-graph.ts'
import { lineText } from '../design/format.ts'
import { after, inSlices, type Keyframe, machineFor, restoredOf } from './restored.ts'

/** A channel has this value from event `seq` on. */
export interface ChannelChange {
  readonly seq: number
  readonly text: string
}

/** From event `seq` on, this is the limit of which the most is used. */
export interface BudgetUse {
  readonly seq: number
  /** As in the policy, such as `steps` and `round.usd`. */
  readonly limit: string
  /** The used part, from 0 to 1. */
  readonly part: number
}

export interface Tracks {
  readonly budget: readonly BudgetUse[]
  readonly channels: ReadonlyMap<string, readonly ChannelChange[]>
}

export interface TrackFold {
  /** Reads only the rows that are new since the last call. */
  in(rows: readonly Row[], signal: AbortSignal): Promise<Tracks>
}

export function createTracks(graph: ThreadGraph, names: readonly string[]): TrackFold {
  const machine = machineFor(graph)
  const budget: BudgetUse[] = []
  const changes = new Map(names.map(name => [name, [] as ChannelChange[]]))
  let current: Keyframe | undefined
  let next = 0
  const take = (row: Row) => {
    current = after(machine, current, row)
    next = row.seq + 1
    const used = mostUsed(current.run)
    const last = budget.at(-1)
    if (used && (last?.part !== used.part || last.limit !== used.limit))
      budget.push({ seq: row.seq, ...used })
    const written = [...changes].filter(([name]) => current?.writtenBy[name] === row.seq)
    if (written.length === 0) return
    const { channels } = restoredOf(machine, current)
    for (const [name, of] of written) of.push({ seq: row.seq, text: textOf(channels[name]) })
  }
  return {
    async in(rows, signal) {
      await inSlices({ rows, from: next, to: rows.length - 1, signal }, take)
      return { budget: [...budget], channels: new Map(changes) }
    },
  }
}

const textOf = (value: unknown): string => (value === '' ? '""' : lineText(value))

/** The limit of which the most is used. Undefined for a thread without limits. */
function mostUsed({ watch, policy, at }: Run): Omit<BudgetUse, 'seq'> | undefined {
  const { account, scopes } = watch
  const { limits } = policy
  const all = allLimits(account, limits, scopeLimits(scopes, limits.scopes, at, account))
  return all
    .map(({ name, unit, limit, most }) => {
      const left = most - account.spent[unit]
      return { limit: name, part: Math.min(1, Math.max(0, limit > 0 ? 1 - left / limit : 1)) }
    })
    .reduce<Omit<BudgetUse, 'seq'> | undefined>(
      (highest, each) => (highest && highest.part >= each.part ? highest : each),
      undefined,
    )
}
