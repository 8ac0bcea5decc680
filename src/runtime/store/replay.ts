/** Rebuilds a run from a store: loads the nearest checkpoint and folds every later row. */
import { advance, refold } from '../../core/advance.ts'
import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import { type Row, type Run, SHAPE, type Started, initialRun } from '../../core/run/run.ts'
import type { Stamped } from '../../core/watch/event/event.ts'
import { unpack } from './checkpoint.ts'
import { checkpointName, damagedError } from './row-text.ts'
import type { Store } from './store.ts'

/**
 * The run of a thread after event `seq` (default: the last), or `undefined` for an unknown thread.
 * @throws StoreUnavailable when its checkpoint is damaged; Nondeterministic when the machine takes other edges than were recorded.
 * @example const run = await replay(graph.machine, store, 'ticket-42', 17)
 */
export async function replay(
  machine: AgentMachine,
  store: Store,
  thread: string,
  seq = Number.POSITIVE_INFINITY,
): Promise<Run | undefined> {
  const loaded = await store.load(thread, seq)
  if (!loaded) return undefined
  if (!loaded.checkpoint) return foldRows(machine, undefined, loaded.rows)
  const stored = loaded.checkpoint.run as Partial<Pick<Run, 'shape' | 'watch'>> | null
  // A checkpoint of an older shape or of older detectors: fold again from the first row.
  if (stored?.shape !== SHAPE || stored.watch?.version !== machine.parts.detectors.version) {
    const rows = await store.rows(thread)
    return foldRows(machine, undefined, rows.slice(0, seq + 1))
  }
  const run = await unpack(loaded.checkpoint.run, hashes => store.chunks(hashes)).catch(
    async (error: unknown) => {
      // The chunks of a thread that is removed meanwhile are gone, not damaged.
      if (await store.thread(thread)) throw error
    },
  )
  if (!run) return undefined
  // A checkpoint of an earlier version has no checksum of its number, and a custom store may have none at all.
  if (run.seq !== loaded.checkpoint.seq)
    throw damagedError(checkpointName(thread, loaded.checkpoint.seq))
  return foldRows(machine, run, loaded.rows)
}

/** Folds the rows of a journal, from its beginning without a run. */
export function foldRows(machine: AgentMachine, from: Run | undefined, rows: readonly Row[]) {
  return rows.reduce<Run | undefined>(
    (run, row) => refold(machine, run ?? initialRun(row.event as Stamped<Started>), row),
    from,
  )
}

/** Judges a journal with the current policy and detectors, and returns each row whose verdict differs. */
export function rejudge(
  machine: AgentMachine,
  rows: readonly Row[],
): readonly { readonly seq: number; readonly then: string; readonly now: string }[] {
  let run: Run | undefined
  return rows.flatMap(row => {
    const before = run ?? initialRun(row.event as Stamped<Started>)
    const now = verdictText(advance(machine, before, row.event).last)
    const then = verdictText(row)
    run = refold(machine, before, row)
    return now === then ? [] : [{ seq: row.seq, then, now }]
  })
}

function verdictText({ verdict }: Pick<Row, 'verdict'>): string {
  if (verdict.kind === 'continue') return 'continue'
  const what = verdict.kind === 'warn' ? 'warn' : verdict.route.rung
  return `${what}: ${verdict.because.map(({ detector }) => detector).join(', ')}`
}
