/** Folds a journal with the core of the runtime. This module is a part of the bundle that is loaded when it is needed. */
import { refold } from '../../../src/core/advance.ts'
import { type AgentMachine, machineOfSpec } from '../../../src/core/graph/agent-machine.ts'
import { itemsOf, type Log } from '../../../src/core/graph/channels.ts'
import type { Spec } from '../../../src/core/graph/spec/spec.ts'
import { initialRun, type Row, type Run, type Started } from '../../../src/core/run.ts'
import type { Json } from '../../../src/core/watch/data/json.ts'
import type { Stamped } from '../../../src/core/watch/event/event.ts'
import type { ThreadGraph } from '../../../src/host/thread-graph.ts'

export interface Restored {
  readonly channels: Readonly<Record<string, Json>>
  readonly writtenBy: Readonly<Record<string, number>>
}

export interface Fold {
  to(rows: readonly Row[], at: number, signal: AbortSignal): Promise<Restored>
}

/** A run, with the event that last wrote each channel. Runs share most of their data. */
interface Keyframe {
  readonly run: Run
  readonly writtenBy: Readonly<Record<string, number>>
}

const KEYFRAME_EVERY = 200
/** The time in ms for which the fold keeps the page busy. */
const SLICE_MS = 12

export function createFold({ spec }: ThreadGraph): Fold {
  const machine = machineOfSpec(spec as unknown as Spec)
  const keyframes: Keyframe[] = []
  return {
    async to(rows, at, signal) {
      let place = Math.min(keyframes.length, Math.floor((at + 1) / KEYFRAME_EVERY))
      let current = keyframes[place - 1]
      let next = place * KEYFRAME_EVERY
      let sliceEnd = performance.now() + SLICE_MS
      for (; next <= at; next++) {
        const row = rows[next]
        if (!row) break
        current = after(machine, current, row)
        if ((next + 1) % KEYFRAME_EVERY === 0 && keyframes.length === place) {
          keyframes.push(current)
          place++
        }
        if (performance.now() < sliceEnd) continue
        await new Promise(resolve => setTimeout(resolve))
        signal.throwIfAborted()
        sliceEnd = performance.now() + SLICE_MS
      }
      return restoredOf(machine, current)
    },
  }
}

function after(machine: AgentMachine, before: Keyframe | undefined, row: Row): Keyframe {
  const started = before?.run ?? initialRun(row.event as Stamped<Started>)
  const run = refold(machine, started, row)
  const old = started.snapshot.context
  const { context } = run.snapshot
  if (old === context) return { run, writtenBy: before?.writtenBy ?? {} }
  const written = Object.keys(context).filter(name => context[name] !== old[name])
  if (written.length === 0) return { run, writtenBy: before?.writtenBy ?? {} }
  const seqs = Object.fromEntries(written.map(name => [name, row.seq]))
  return { run, writtenBy: { ...before?.writtenBy, ...seqs } }
}

function restoredOf(machine: AgentMachine, frame: Keyframe | undefined): Restored {
  if (!frame) return { channels: {}, writtenBy: {} }
  const { context } = frame.run.snapshot
  const { logs } = machine
  const entries = Object.entries(context).map(([name, value]) => {
    return [name, logs.has(name) ? itemsOf(value as unknown as Log) : value] as const
  })
  return {
    channels: Object.fromEntries(entries) as Restored['channels'],
    writtenBy: frame.writtenBy,
  }
}

/** `undefined` for a graph whose statechart is in code. */
export function chartOfSpec(spec: Json): AgentMachine['chart'] | undefined {
  try {
    return machineOfSpec(spec as unknown as Spec).chart
  } catch {
    return undefined
  }
}
