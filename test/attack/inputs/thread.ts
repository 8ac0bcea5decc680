/** A thread that plays inputs one after another. It counts them in shared memory: a thread that hangs cannot report. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { playInput } from './play.ts'

/** The inputs of one thread. */
export interface Range {
  readonly seed: number
  readonly from: number
  readonly to: number
  /** The number of the current input. */
  readonly at: Int32Array
}

export interface Count {
  readonly parsed: number
  readonly refused: number
  readonly unparsed: number
  readonly slowest: number
}

export interface Counted {
  readonly targets: Readonly<Record<string, Count>>
  readonly broken: readonly { readonly number: number; readonly rule: string }[]
  /** Bytes of the heap after the first quarter, and at the end. */
  readonly heap: readonly [number, number]
}

/** Violations after which a thread stops. */
const BROKEN_MAX = 5

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const folder = mkdtempSync(join(tmpdir(), 'escapement-inputs-'))
const targets: Record<string, Count> = {}
const broken: { number: number; rule: string }[] = []
const { seed, from, to, at } = workerData as Range
let quarter = 0
for (let number = from; number < to && broken.length < BROKEN_MAX; number++) {
  Atomics.store(at, 0, number)
  const { target, end, ms, broken: rule } = await playInput(seed, number, join(folder, 'input'))
  const before = targets[target] ?? { parsed: 0, refused: 0, unparsed: 0, slowest: 0 }
  targets[target] = {
    parsed: before.parsed + (end === 'unparsed' ? 0 : 1),
    refused: before.refused + (end === 'error' ? 1 : 0),
    unparsed: before.unparsed + (end === 'unparsed' ? 1 : 0),
    slowest: Math.max(before.slowest, ms),
  }
  if (rule !== undefined) broken.push({ number, rule })
  if (number === from + Math.floor((to - from) / 4)) quarter = heapNow()
}
const result: Counted = { targets, broken, heap: [quarter, heapNow()] }
rmSync(folder, { recursive: true, force: true })
parentPort?.postMessage(result)

function heapNow(): number {
  collect()
  return process.memoryUsage().heapUsed
}
