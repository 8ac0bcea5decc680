/** Folds the journals of an archive with the machines of its graphs, which compare every edge. */
import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import { type Budget, OverBudget } from '../../core/graph/cel/cost.ts'
import type { Row, Run } from '../../core/run/run.ts'
import type { GraphVersion } from '../../core/watch/event/event.ts'
import { type Json, jsonLength } from '../../core/watch/data/json.ts'
import { isWrapped } from '../../core/run/wrapped-run.ts'
import {
  type Archive,
  type ArchivedThread,
  BadArchive,
  LEFT_MAX,
  sourceOf,
  versionOf,
} from '../store/archive.ts'
import { packer } from '../store/checkpoint.ts'
import { foldRows } from '../store/replay.ts'
import { machineOfVersion, migrationIn } from '../store/source.ts'
import { upcastKey, upcastSource } from '../store/upcast.ts'

export interface FoldPorts {
  /** The machine of a stored graph. */
  readonly machineOf: (source: Json) => Promise<AgentMachine>
  /** Awaited between two pages of rows and between two machines, so that signals of the process are noticed. */
  readonly pause?: () => Promise<unknown>
  /** Nothing is stored once it is aborted. */
  readonly signal?: AbortSignal
}

/** The rows that are folded at once. A row of a thread with much open work takes some ms. */
const PAGE = 16
/** Characters of rows after which the rest of a page waits: the detectors read texts several times. */
const PAGE_LENGTH = 65_536
/** Steps after which the rest of a page waits. They take some 20 ms. */
const PAGE_COST = 500_000

/**
 * What all conditions, checks by schemas, merges and hashes of an archive may cost, in steps of CEL: some four to ten seconds. Each row is
 * folded with those of its graph, and the graph and the channels may be forged.
 */
export const ARCHIVE_COST_MAX = 100_000_000
/** What those of one row may cost: no signal is noticed before its end. */
export const ROW_COST_MAX = 20_000_000

/** Children, messages and writes that an imported thread holds open at once. Each row copies them: without a limit, the import takes time that grows with the square of the rows. */
const OPEN_MAX = 1_000

export class ArchiveFolder {
  /** The graphs that the folded threads run or have run. The archive may contain others. */
  readonly graphs = new Map<string, Json>()
  readonly #ports: FoldPorts
  readonly #kept: Archive['kept']
  /** Threads and versions of one graph share its machine. */
  readonly #machines = new Map<string, Promise<AgentMachine>>()
  /** Those that a thread has started with. */
  readonly #started = new Set<AgentMachine>()
  #left = ARCHIVE_COST_MAX
  /** What is left for the current row. */
  readonly #row = { left: 0 }

  constructor(ports: FoldPorts, kept: Archive['kept']) {
    this.#ports = ports
    this.#kept = kept
  }

  /** The machine of a thread, and its run. @throws BadArchive; the signal's reason */
  async fold({ thread, rows }: ArchivedThread): Promise<{ machine: AgentMachine; run: Run }> {
    const [first] = rows
    if (isWrapped(first?.event))
      throw new BadArchive(
        `thread '${thread}' belongs to a wrapped agent: it can be read, not imported`,
      )
    const moved = migrationIn(rows)
    const name = moved ? (moved.source ?? moved.specHash) : first ? sourceOf(first) : ''
    const source = this.#graph(name)
    if (source === undefined) throw new BadArchive(`thread '${thread}': its graph is missing`)
    const { signal } = this.#ports
    try {
      const version = moved ? moved.versions.escapement : versionOf(rows)
      const newest = await this.#machine(`${upcastKey(version)} ${name}`, () =>
        this.#ports.machineOf(upcastSource(version, source)),
      )
      const left = await this.#machinesOf(moved?.left ?? [])
      const machine = left.length > 0 ? { ...newest, left } : newest
      const run = await this.#run(machine, rows)
      // A graph whose channels are not those of its runs is found before anything is stored.
      packer(machine.logs)(run)
      return { machine, run }
    } catch (cause) {
      signal?.throwIfAborted()
      const { code, message } = cause as Error & { readonly code?: string }
      // Only errors of this package explain themselves.
      const why = code === undefined ? 'a row does not have the form of an event' : message
      throw new BadArchive(`thread '${thread}' cannot be replayed: ${why}`, { cause })
    }
  }

  async #run(machine: AgentMachine, rows: readonly Row[]): Promise<Run> {
    const charged = chargedTo(this.#row, machine)
    let run: Run | undefined
    let before: Run | undefined
    for (let next = 0; next < rows.length; ) {
      const page = rows.slice(next, next + PAGE)
      const least = this.#left - PAGE_COST
      let length = 0
      for (const row of page) {
        if (this.#left < least || length > PAGE_LENGTH) break
        length += jsonLength(row)
        run = this.#foldRow(charged, run, row)
        this.#chargeEntries(run, before, machine)
        before = run
        next += 1
      }
      checkOpen(run as Run)
      await this.#pause()
    }
    return run as Run
  }

  /** @throws BadArchive */
  #foldRow(charged: AgentMachine, run: Run | undefined, row: Row): Run {
    const max = Math.min(ROW_COST_MAX, this.#left)
    this.#row.left = max
    let next: Run | undefined
    try {
      next = foldRows(charged, run, [row])
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error
    }
    this.#left -= max - this.#row.left
    if (!next || this.#row.left < 0) throw tooCostly(row, this.#left)
    return next
  }

  /** @throws BadArchive */
  #chargeEntries(run: Run, before: Run | undefined, machine: AgentMachine): void {
    const isFirst = !before && !this.#started.has(machine)
    this.#started.add(machine)
    const entered = entriesOf(run) - (before ? entriesOf(before) : 0)
    this.#left -= (isFirst ? FIRST_ENTRY : ENTRY) * Math.max(0, entered) ** 3
    if (this.#left < 0) throw tooCostly(run, this.#left)
  }

  async #machinesOf(left: readonly GraphVersion[]): Promise<readonly AgentMachine[]> {
    if (left.length > LEFT_MAX)
      throw new BadArchive(`has left ${left.length} versions; expected at most ${LEFT_MAX}`)
    const getBlob = async (name: string) => this.#graph(name)
    const machines: AgentMachine[] = []
    for (const of of left) {
      const key = `left ${upcastKey(of.versions.escapement)} ${of.source ?? of.specHash}`
      machines.push(await this.#machine(key, () => machineOfVersion({ getBlob }, of)))
    }
    return machines
  }

  async #machine(key: string, make: () => Promise<AgentMachine>): Promise<AgentMachine> {
    const known = this.#machines.get(key)
    if (known) return known
    await this.#pause()
    const machine = make()
    this.#machines.set(key, machine)
    return machine
  }

  #graph(name: string): Json | undefined {
    const graph = this.#kept.get(name)
    if (graph !== undefined) this.graphs.set(name, graph)
    return graph
  }

  async #pause(): Promise<void> {
    const { pause, signal } = this.#ports
    await pause?.()
    signal?.throwIfAborted()
  }
}

/** The machine, whose work is charged to `budget`. It may be one that runs threads of this process. */
const chargedTo = (budget: Budget, machine: AgentMachine): AgentMachine => ({
  ...machine,
  start: input => machine.start(input, budget),
  restart: (context, input) => machine.restart(context, input, budget),
  checkInput: input => machine.checkInput(input, budget),
  applyOutput: (node, context, output) => machine.applyOutput(node, context, output, budget),
  hashOf: (context, ignored) => machine.hashOf(context, ignored, budget),
  measure: context => machine.measure(context, budget),
  ...(machine.left && { left: machine.left.map(each => chargedTo(budget, each)) }),
})

/**
 * Entering the regions of a node takes the third power of their number. The first start of a machine takes a quarter of a second for 100
 * regions, later entries 10 ms.
 */
const FIRST_ENTRY = 2.5
const ENTRY = 0.1

const entriesOf = ({ entries }: Run): number =>
  Object.values(entries).reduce((sum, count) => sum + count, 0)

function tooCostly({ seq }: Pick<Row, 'seq'>, left: number): BadArchive {
  const work = 'the conditions, schemas, channels and regions of'
  return new BadArchive(
    left < 0
      ? `${work} the archive cost more than ${ARCHIVE_COST_MAX} steps of CEL up to event ${seq}`
      : `${work} event ${seq} cost more than ${ROW_COST_MAX} steps of CEL`,
  )
}

/** @throws BadArchive */
function checkOpen(run: Run): void {
  const { watch, queue, compensable, pending, seq } = run
  const calls = pending.flatMap(effect =>
    effect.type === 'invoke' ? [effect.writing ?? [], effect.waits ?? []] : [],
  )
  const lists = [Object.keys(watch.account.reserved), queue, compensable, pending, ...calls]
  const open = lists.reduce((sum, { length }) => sum + length, 0)
  if (open > OPEN_MAX)
    throw new BadArchive(
      `row ${seq} leaves ${open} children, messages and writes open; expected at most ${OPEN_MAX}`,
    )
}
