/** Runs trials on all cores: worker threads take them in small batches. */
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { codedError } from '../../core/watch/data/fault.ts'
import type { Cell } from '../../simulate/scenario/vary.ts'
import type { Trial } from '../../simulate/monte/monte.ts'
import type { SimulatedRun } from '../../simulate/run/simulate.ts'

/** Trials with their numbers. */
export type ToWorker = Readonly<{ trials: readonly (readonly [id: number, trial: Trial])[] }>

export type FromWorker = Readonly<{ id: number }> &
  (
    | { readonly run: SimulatedRun; readonly error?: undefined }
    | { readonly error: { readonly name: string; readonly message: string } }
  )

/** A run cannot be judged: the oracle or the fake system failed, or the run did not end in real time. */
export class SimulationFailed extends codedError('SimulationFailed', 'simulation-failed') {}

export interface PoolOptions {
  /** The scenario file. Each worker loads it. */
  readonly file: string
  /** The values of a cell of its grid. */
  readonly cell?: Cell
  /** Default: one for each core. */
  readonly workers?: number
  readonly onRun: (trial: Trial, run: SimulatedRun) => void
  readonly signal?: AbortSignal
  /** Real ms without a result after which a run counts as hung. */
  readonly hungAfter?: number
}

/** Trials in progress in one worker. Together they share the turns of its event loop. */
const BATCH = 16
const HUNG_AFTER = 30_000
const YOUNG_MB = 64

/** The compiled package has `.js` files, the sources `.ts`. */
const WORKER = new URL(`./worker${extname(import.meta.url)}`, import.meta.url)

/** @throws SimulationFailed; the signal's reason */
export async function runTrials(trials: readonly Trial[], options: PoolOptions): Promise<void> {
  const { workers = availableParallelism(), signal } = options
  if (trials.length === 0) return
  const left = trials.entries()
  const count = Math.max(1, Math.min(workers, Math.ceil(trials.length / BATCH)))
  const pool = Array.from({ length: count }, () => new Member(left, options))
  const stop = () => Promise.all(pool.map(member => member.terminate()))
  try {
    const cancelled = new Promise<never>((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
    )
    signal?.throwIfAborted()
    await Promise.race([Promise.all(pool.map(member => member.done)), cancelled])
  } finally {
    await stop()
  }
}

/** One worker thread. It holds up to `BATCH` trials. */
class Member {
  readonly done: Promise<void>
  readonly #worker: Worker
  readonly #open = new Map<number, Trial>()

  constructor(
    left: Iterator<[number, Trial]>,
    { file, cell, onRun, hungAfter = HUNG_AFTER }: PoolOptions,
  ) {
    this.#worker = new Worker(WORKER, {
      workerData: { file, cell },
      // Nearly everything dies young: with more room for it, a run takes a tenth less time.
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.done = promise
    const inProgress = () => [...this.#open.values()].slice(0, 3).map(nameOf).join('; ')
    const hung = () =>
      reject(
        new SimulationFailed(
          `no run ended within ${hungAfter / 1_000} s of real time; in progress: ${inProgress()}. Look for a loop without an end in the fake system`,
        ),
      )
    let timer = setTimeout(hung, hungAfter)
    const settle = (how: () => void) => {
      clearTimeout(timer)
      how()
    }
    this.#worker.on('error', error => settle(() => reject(error)))
    // Also after an error and after the last run, when the promise is settled.
    this.#worker.on('exit', code =>
      settle(() =>
        reject(
          new SimulationFailed(
            `the process of the runs was ended with code ${code}; in progress: ${inProgress()}. Look for process.exit in the fake system and the graph`,
          ),
        ),
      ),
    )
    this.#worker.on('message', (message: FromWorker) => {
      clearTimeout(timer)
      const { id, error } = message
      const trial = this.#open.get(id) as Trial
      if (error) return reject(failureOf(trial, error))
      this.#open.delete(id)
      onRun(trial, message.run)
      this.#refill(left)
      if (this.#open.size === 0) return resolve()
      timer = setTimeout(hung, hungAfter)
    })
    this.#refill(left)
  }

  terminate(): Promise<number> {
    return this.#worker.terminate()
  }

  #refill(left: Iterator<[number, Trial]>): void {
    const trials: [number, Trial][] = []
    while (this.#open.size < BATCH) {
      const next = left.next()
      if (next.done) break
      this.#open.set(...next.value)
      trials.push(next.value)
    }
    if (trials.length > 0) this.#worker.postMessage({ trials } satisfies ToWorker)
  }
}

const nameOf = ({ policy, seed, again, healthy }: Trial): string =>
  `policy ${policy}, seed ${seed}${again ? ' (again)' : ''}${healthy ? ' (healthy)' : ''}`

function failureOf(trial: Trial, { name, message }: { name: string; message: string }): Error {
  const where = `${nameOf(trial)}: ${message}`
  return new SimulationFailed(name === 'Error' ? where : `${where} (${name})`)
}
