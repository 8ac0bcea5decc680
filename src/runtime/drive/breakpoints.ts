/** The breakpoints of a drive. The store has those of all processes, and the drive reads them again with each heartbeat. */
import {
  type Condition,
  conditionBudget,
  conditionInput,
  conditionOf,
} from '../../core/run/condition.ts'
import { appliesTo, type Breakpoint } from '../../core/run/control.ts'
import type { AgentEvent } from '../../core/watch/event/event.ts'
import type { Journal } from '../journal/journal.ts'
import type { LiveRow, Ports } from '../ports.ts'

export interface DriveBreakpoints {
  readonly all: () => readonly Breakpoint[]
  /** Reads them again. @throws an error of the store */
  readonly reload: () => Promise<void>
}

/** Has the journal pause the thread after each row that makes a condition true: the condition was false for the row before. */
export async function loadBreakpoints(ports: Ports, journal: Journal): Promise<DriveBreakpoints> {
  const of = { graph: ports.graph.machine.id, thread: journal.lease.thread }
  const compile = compiler()
  let all: readonly Breakpoint[] = []
  let conditions: readonly Compiled[] = []
  let last: LiveRow | undefined
  const reload = async () => {
    const found = await ports.store.breakpoints()
    const next = found.flatMap(each => (appliesTo(each, of) ? compile(each) : []))
    const row = next.length > 0 && !last ? await lastRow(ports, journal) : undefined
    // The thread may have moved on meanwhile.
    last ??= row
    all = found
    conditions = next
  }
  let met: ReadonlyMap<Condition, boolean> = new Map()
  const pauseAfter = (item: LiveRow): AgentEvent | undefined => {
    const [before, metBefore] = [last, met]
    const { row, run } = item
    last = item
    met = new Map()
    if (conditions.length === 0 || run.paused || run.ended) return undefined
    const { machine } = ports.graph
    const budget = conditionBudget(() => ports.clock.now())
    const now = conditionInput(machine, run, row)
    const earlier = before && conditionInput(machine, before.run, before.row)
    const holdsNow = new Map(conditions.map(({ holds }) => [holds, holds(now, budget)]))
    met = holdsNow
    const wasMet = (holds: Condition) =>
      metBefore.get(holds) ?? (earlier !== undefined && holds(earlier, budget))
    const hit = conditions.find(({ holds }) => holdsNow.get(holds) && !wasMet(holds))
    if (!hit) return undefined
    const { epoch } = journal.lease
    return { type: 'pause', met: ports.redact({ when: hit.when, seq: row.seq }), epoch }
  }
  await reload()
  // The first row of a new thread was taken when its journal was opened.
  if (journal.run.seq === 0 && journal.unstored) {
    last = undefined
    const pause = pauseAfter(journal.unstored)
    if (pause) journal.take(pause)
  }
  journal.followUp = pauseAfter
  return { all: () => all, reload }
}

interface Compiled {
  readonly when: string
  readonly holds: Condition
}

/** Compiles each condition once. A later version may have stored one that this version cannot read: it never holds. */
function compiler() {
  const known = new Map<string, readonly Compiled[]>()
  return ({ when }: Breakpoint): readonly Compiled[] => {
    if (when === undefined) return []
    const compiled = known.get(when) ?? compiledFrom(when)
    known.set(when, compiled)
    return compiled
  }
}

function compiledFrom(when: string): readonly Compiled[] {
  try {
    return [{ when, holds: conditionOf(when) }]
  } catch {
    return []
  }
}

/** The last row of the journal, stored or not. */
async function lastRow({ store }: Ports, journal: Journal): Promise<LiveRow | undefined> {
  const { unstored, run, lease } = journal
  if (unstored) return unstored
  const [row] = await store.rows(lease.thread, run.seq - 1, 1)
  return row && { row, run }
}
