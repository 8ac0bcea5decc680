/** From a store back to a run: the nearest checkpoint, and every row after it folded again. */
import { advance, refold } from '../../core/advance.ts'
import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import { type Row, type Run, SHAPE, type Started, initialRun } from '../../core/run.ts'
import type { Stamped } from '../../core/watch/event/event.ts'
import { unpack } from './checkpoint.ts'
import type { Store } from './store.ts'

/**
 * The run of a thread after event `seq` (default: the last). `undefined`: there is no such thread.
 * @throws Nondeterministic when the machine takes other edges than were recorded.
 * @example const run = await replay(graph.machine, store, 'ticket-42', 17)
 */
export async function replay(
  machine: AgentMachine,
  store: Store,
  thread: string,
  seq?: number,
): Promise<Run | undefined> {
  const loaded = await store.load(thread, seq)
  if (!loaded) return undefined
  if (!loaded.checkpoint) return foldRows(machine, undefined, loaded.rows)
  const stored = loaded.checkpoint.run as Partial<Pick<Run, 'shape' | 'watch'>> | null
  // A run of another shape, or detectors that remember in another one: folded again from the first row.
  if (stored?.shape !== SHAPE || stored.watch?.version !== machine.parts.detectors.version)
    return foldRows(machine, undefined, await rowsUpTo(store, thread, seq))
  return foldRows(
    machine,
    await unpack(loaded.checkpoint.run, hashes => store.chunks(hashes)),
    loaded.rows,
  )
}

/** Folds the rows of a journal, from its beginning if there is no run yet. */
export function foldRows(
  machine: AgentMachine,
  from: Run | undefined,
  rows: readonly Row[],
): Run | undefined {
  return rows.reduce<Run | undefined>(
    (run, row) => refold(machine, run ?? initialRun(row.event as Stamped<Started>), row),
    from,
  )
}

async function rowsUpTo(
  store: Store,
  thread: string,
  seq: number | undefined,
): Promise<readonly Row[]> {
  const rows = await store.rows(thread)
  return seq === undefined ? rows : rows.filter(row => row.seq <= seq)
}

/** Judges a journal anew with today's policy and detectors: what they would have said at each row, beside what was said then. */
export function rejudge(
  machine: AgentMachine,
  rows: readonly Row[],
): readonly { readonly seq: number; readonly then: string; readonly now: string }[] {
  const differences: { seq: number; then: string; now: string }[] = []
  let run: Run | undefined
  for (const row of rows) {
    const before = run ?? initialRun(row.event as Stamped<Started>)
    const now = verdictText(advance(machine, before, row.event).last)
    const then = verdictText(row)
    if (now !== then) differences.push({ seq: row.seq, then, now })
    run = refold(machine, before, row)
  }
  return differences
}

function verdictText({ verdict }: Pick<Row, 'verdict'>): string {
  return verdict.kind === 'continue'
    ? 'continue'
    : `${verdict.kind === 'warn' ? 'warn' : verdict.route.rung}: ${verdict.because.map(({ detector }) => detector).join(', ')}`
}
