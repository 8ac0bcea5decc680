/** The attack by inputs: mutated inputs for every parser, in threads that are watched for hangs. */
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Progress, Violation } from '../violation.ts'
import type { Count, Counted, Range } from './thread.ts'

export interface InputsOptions {
  readonly seed: number
  /** Inputs that must pass the syntax layer. */
  readonly inputs: number
  /** Plays this input only. */
  readonly input?: number
  readonly progress?: Progress
}

export interface InputsReport {
  readonly targets: Readonly<Record<string, Count>>
  readonly parsed: number
  /** The growth of the heap after the first quarter, in bytes. */
  readonly growth: number
  readonly violations: readonly Violation[]
}

/** Violations after which the attack stops. */
const VIOLATIONS_MAX = 10
/** Inputs of one thread: the next one starts with an empty heap. */
const BATCH = 50_000
/** An input that takes longer than this, in ms, hangs. */
const HANGS = 60_000
/** The heap may grow by so many bytes between the first quarter of a batch and its end: caches have limits. */
const GROWTH_MAX = 64_000_000

export async function attackByInputs(options: InputsOptions): Promise<InputsReport> {
  const { seed, inputs, progress = () => {} } = options
  const targets: Record<string, Count> = {}
  const violations: Violation[] = []
  let [parsed, growth] = [0, 0]
  let from = options.input ?? 0
  while (parsed < inputs && violations.length < VIOLATIONS_MAX) {
    const size = options.input === undefined ? Math.min(BATCH, inputs - parsed) : 1
    const counted = await playBatch({ seed, from, to: from + size })
    from += size
    for (const [name, count] of Object.entries(counted.targets))
      targets[name] = sumOf(targets[name], count)
    parsed = Object.values(targets).reduce((all, each) => all + each.parsed, 0)
    const [before, after] = counted.heap
    growth = Math.max(growth, after - before)
    violations.push(...counted.broken.map(each => violation(seed, each)))
    if (after - before > GROWTH_MAX) violations.push(violation(seed, { number: from, rule: GROWS }))
    progress('inputs', Math.min(parsed, inputs), inputs)
    if (options.input !== undefined) break
  }
  return { targets, parsed, growth, violations }
}

const GROWS = `the heap grew by more than ${GROWTH_MAX / 1e6} MB in one batch`

function violation(seed: number, { number, rule }: { number: number; rule: string }): Violation {
  return { rule, repeat: `npm run attack -- --seed ${seed} --input ${number}` }
}

async function playBatch(range: Omit<Range, 'at'>): Promise<Counted> {
  const at = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL('thread.ts', import.meta.url), {
    workerData: { ...range, at },
    // Packages of other libraries print warnings about such inputs.
    ...{ stdout: true, stderr: true },
  })
  const done = new Promise<Counted>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  const stop = new AbortController()
  const hung = hangs(at, stop.signal).then(number => ({ number, rule: 'the input hangs' }))
  const died = (error: unknown) => ({
    number: Atomics.load(at, 0),
    rule: `the input ended the thread: ${(error as Error).stack}`,
  })
  try {
    const end = await Promise.race([done.catch(died), hung])
    return 'targets' in end ? end : { targets: {}, broken: [end], heap: [0, 0] }
  } finally {
    stop.abort()
    await worker.terminate()
  }
}

/** Resolves with the number of an input that hangs. */
async function hangs(at: Int32Array, signal: AbortSignal): Promise<number> {
  let last = -1
  let since = performance.now()
  while (!signal.aborted) {
    await pause(500, undefined, { signal }).catch(() => {})
    const now = Atomics.load(at, 0)
    if (now !== last) since = performance.now()
    last = now
    if (performance.now() - since > HANGS) return now
  }
  return -1
}

function sumOf(one: Count | undefined, other: Count): Count {
  if (!one) return other
  return {
    parsed: one.parsed + other.parsed,
    refused: one.refused + other.refused,
    unparsed: one.unparsed + other.unparsed,
    slowest: Math.max(one.slowest, other.slowest),
  }
}
