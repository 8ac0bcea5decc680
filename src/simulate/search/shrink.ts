/** Shrinks a failing run: whole faults first, then entries of the tape. The failure must stay the same. */
import { defined } from '../../core/watch/data/json.ts'
import type { Tape, TapeEntry } from '../inject/call.ts'
import { faultsOfSeed, faultsOfTape } from '../inject/decide.ts'
import { simulate, type SimulatedRun, type Subject } from '../run/simulate.ts'
import type { Effect } from '../scenario/effect.ts'
import type { Fault } from '../scenario/fault.ts'
import { fingerprintOf } from './fingerprint.ts'

/** The smallest failing run that was found. */
export interface Shrunk {
  readonly fingerprint: string
  readonly because: string
  readonly seed: number
  readonly run: Pick<SimulatedRun, 'outcome' | 'violations'>
  /** The faults that suffice, each at fixed calls. */
  readonly faults: readonly ShrunkFault[]
  readonly tape: Tape
  /** The faults and the tape before. */
  readonly before: { readonly faults: number; readonly tape: number }
  /** Runs that were tried. */
  readonly runs: number
}

/** A fault at fixed calls of its target, in the notation of scenarios. */
export type ShrunkFault = Readonly<{
  id: string
  on: string
  how: { readonly nth: readonly number[] } | { readonly after: number } | 'always'
  what: Effect
}>

interface ShrinkOptions {
  readonly seed: number
  /** Replaces the faults of the scenario, as a tape of an exploration. */
  readonly tape?: Tape
  /** Ends the search between two runs. */
  readonly signal?: AbortSignal
  /** Awaited between two runs, so that signals of the process are noticed. */
  readonly pause?: () => Promise<unknown>
}

/** Runs of one subject, counted. */
class Lab {
  runs = 0
  readonly #subject: Subject
  readonly #options: ShrinkOptions
  #fingerprint = ''

  constructor(subject: Subject, options: ShrinkOptions) {
    this.#subject = subject
    this.#options = options
  }

  async start(tape: Tape | undefined): Promise<SimulatedRun> {
    const run = await this.#run(tape ? faultsOfTape(tape) : undefined)
    this.#fingerprint = fingerprintOf(run)
    return run
  }

  /** The run with these faults, if it fails in the same way. */
  async withFaults(faults: readonly Fault[]): Promise<SimulatedRun | undefined> {
    const { heal } = this.#subject.scenario
    return this.#same(
      await this.#run(faultsOfSeed({ faults: [...faults], heal }, this.#options.seed)),
    )
  }

  async withTape(tape: Tape): Promise<SimulatedRun | undefined> {
    return this.#same(await this.#run(faultsOfTape(tape)))
  }

  get fingerprint(): string {
    return this.#fingerprint
  }

  #same(run: SimulatedRun): SimulatedRun | undefined {
    return fingerprintOf(run) === this.#fingerprint ? run : undefined
  }

  async #run(decide?: ReturnType<typeof faultsOfTape>): Promise<SimulatedRun> {
    const { pause, seed, signal } = this.#options
    await pause?.()
    signal?.throwIfAborted()
    this.runs++
    return simulate(this.#subject, { seed, ...defined({ decide, signal }) })
  }
}

/**
 * Shrinks the run of a seed, or of a tape.
 * @throws OracleFailed, SystemFailed
 * @example const { faults, because } = await shrink({ scenario, policy: 'default', graph }, { seed: 7 })
 */
export async function shrink(subject: Subject, options: ShrinkOptions): Promise<Shrunk> {
  const { seed, tape: given } = options
  const lab = new Lab(subject, options)
  const first = await lab.start(given)
  const { faults } = subject.scenario
  const fewer = given ? first : await dropFaults(lab, faults, first)
  const tape = await minimize(fewer.tape, async part => (await lab.withTape(part)) !== undefined)
  const last = (await lab.withTape(tape)) ?? first
  return {
    fingerprint: lab.fingerprint,
    because: last.because,
    seed,
    run: { outcome: last.outcome, violations: last.violations },
    faults: await faultsOf(lab, tape),
    tape,
    before: { faults: new Set(first.tape.map(({ fault }) => fault)).size, tape: first.tape.length },
    runs: lab.runs,
  }
}

/** Drops whole faults. A persistent failure does not shrink entry by entry. */
async function dropFaults(lab: Lab, all: readonly Fault[], first: SimulatedRun) {
  let best = first
  await minimize(all, async part => {
    const run = await lab.withFaults(part)
    best = run ?? best
    return run !== undefined
  })
  return best
}

/** Delta debugging (ddmin): removes parts of the list, first large and then small ones. */
async function minimize<T>(
  all: readonly T[],
  fails: (part: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let list = all
  for (let parts = 2; list.length > 0; ) {
    const size = Math.ceil(list.length / parts)
    const starts = Array.from({ length: Math.ceil(list.length / size) }, (_, part) => part * size)
    let shorter: readonly T[] | undefined
    for (const start of starts) {
      const rest = list.filter((_, index) => index < start || index >= start + size)
      if (await fails(rest)) {
        shorter = rest
        break
      }
    }
    if (shorter) [list, parts] = [shorter, Math.max(2, parts - 1)]
    else if (size === 1) return list
    else parts = Math.min(list.length, parts * 2)
  }
  return list
}

/** Groups a tape by target and effect. Many calls in a row are simplified to a process, if the failure stays the same. */
async function faultsOf(lab: Lab, tape: Tape): Promise<readonly ShrunkFault[]> {
  const groups = new Map<string, TapeEntry[]>()
  for (const entry of tape) {
    const key = `${entry.target} ${JSON.stringify(entry.effect)}`
    groups.set(key, [...(groups.get(key) ?? []), entry])
  }
  const faults: ShrunkFault[] = []
  for (const [first, ...others] of groups.values()) {
    if (!first) continue
    const indexes = [first, ...others].map(({ index }) => index)
    const { fault, target, effect } = first
    const id = faults.some(known => known.id === fault) ? `${fault}-${faults.length + 1}` : fault
    faults.push({ id, on: target, how: { nth: indexes }, what: effect })
  }
  return Promise.all(faults.map(fault => simplified(lab, fault, faults)))
}

/** `always` or `after` for a long list of calls. */
async function simplified(lab: Lab, fault: ShrunkFault, all: readonly ShrunkFault[]) {
  const indexes = typeof fault.how === 'object' && 'nth' in fault.how ? fault.how.nth : []
  if (indexes.length < 3) return fault
  const after = (indexes[0] ?? 1) - 1
  const how = after === 0 ? ('always' as const) : { after }
  const candidate: ShrunkFault = { ...fault, how }
  const others = all.map(each => (each === fault ? candidate : each))
  return (await lab.withFaults(others.map(parsed))) ? candidate : fault
}

function parsed({ id, on, how, what }: ShrunkFault): Fault {
  const [kind = '', pattern = ''] = on.split(/:(.*)/s)
  const target = { kind: kind as Fault['on']['kind'], pattern }
  return { id, on: target, how: how as Fault['how'], what, when: {}, arm: 1 }
}
