/** A process to be killed: `node worker.ts <order as JSON>`. It prints `ready`, and works on its store until it dies. */
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { createRuntime } from '../../../src/host/runtime.ts'
import { chance } from '../chance.ts'
import { orderGraph, storeIn } from './graphs.ts'
import { shopIn } from './shop.ts'
import { type Desk, doUnits } from './units.ts'
import { witnessed } from './witness.ts'

/** The orders of a worker. */
export interface Work {
  readonly folder: string
  /** Names the process and seeds its chance. */
  readonly name: string
  /** Leaves questions about calls that another process may still make. */
  readonly patient: boolean
}

/** Units of work at once. */
const LANES = 3
/** Refusals that a service expects: the units choose their threads at random. */
const EXPECTED = new Set([
  'Conflict',
  'HostClosed',
  'InvalidEvent',
  'InvalidFork',
  'ThreadExists',
  'UnknownThread',
])

const { folder, name, patient } = JSON.parse(process.argv[2] ?? '') as Work
const graph = await orderGraph()
const store = witnessed(storeIn(folder), folder, name)
const runtime = createRuntime({ store, graphs: [graph] })
const stop = new AbortController()
let count = 0
const desk: Desk = {
  ...{ folder, store, runtime, graph, patient, shop: shopIn(folder), chance: chance(name) },
  newName: kind => `${kind}-${name}-${++count}`,
}

process.once('SIGTERM', async () => {
  stop.abort()
  await runtime.close()
  process.exit(143)
})
void runtime.work({ signal: stop.signal, onError: report })
process.stdout.write('ready\n')
const doUnit = doUnits(desk, name)
for (let lane = 0; lane < LANES; lane++) void work()

async function work(): Promise<void> {
  while (!stop.signal.aborted) {
    await doUnit().catch(report)
    await pause(1)
  }
}

function report(error: unknown): void {
  const { name, message } = error as Error
  const isRename = name === 'BadArchive' && message.startsWith('cannot be renamed')
  if (stop.signal.aborted || EXPECTED.has(name) || isRename) return
  process.stderr.write(`${(error as Error).stack}\n`)
}
