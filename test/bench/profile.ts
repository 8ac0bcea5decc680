/** Where the time of a step goes: a profile of the CPU during the run of `step.memory`, by part of the project. */
import { Session } from 'node:inspector/promises'
import type { Profiler } from 'node:inspector'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { LAP, type Length } from './lap.ts'
import { ourRun } from './ours.ts'
import { warmedUp } from './warm-up.ts'

const LENGTH: Length = { laps: 500, messages: 'each lap' }
const RUNS = 10
const STEPS = RUNS * LENGTH.laps * LAP

/** The first pattern that matches the URL of a function names its part. */
const PARTS: readonly (readonly [part: string, url: RegExp])[] = [
  ['the watchdog (`core/watch`)', /\/src\/core\/watch\//],
  ['the machine (`core/graph`, XState)', /\/src\/core\/graph\/|node_modules\/(xstate|.*cel)/],
  ['the tick (`core`)', /\/src\/core\//],
  ['the journal and the store', /\/src\/runtime\/(journal|store)\//],
  ['turns, calls and gates', /\/src\/(runtime|kit|adapters)\//],
  ['the agent of the bench', /\/test\/bench\//],
  ['Node.js', /^node:/],
]

export interface Share {
  readonly part: string
  /** The time of a step that this part takes itself, in µs. */
  readonly time: number
  readonly share: number
}

/** The parts of a step, the largest first. */
export async function stepProfile(): Promise<readonly Share[]> {
  await warmedUp()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 200 })
  await session.post('Profiler.start')
  for (let run = 0; run < RUNS; run++) await ourRun(memoryStore(), LENGTH)
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return sharesOf(profile)
}

function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): readonly Share[] {
  const parts = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]))
  const times = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const part = parts.get(id)
    if (part !== undefined) times.set(part, (times.get(part) ?? 0) + (timeDeltas[index] ?? 0))
  }
  const whole = [...times.values()].reduce((sum, time) => sum + time, 0)
  return [...times]
    .map(([part, time]) => ({ part, time: time / STEPS, share: time / whole }))
    .sort((one, other) => other.time - one.time)
}

function partOf({ functionName, url }: Profiler.Profile['nodes'][number]['callFrame']) {
  if (functionName === '(idle)') return undefined
  if (functionName === '(garbage collector)') return 'garbage collection'
  return PARTS.find(([, pattern]) => pattern.test(url))?.[0] ?? 'built-in functions of V8'
}
