/** Folds a journal with the core of the runtime. This module is a part of the bundle that is loaded when it is needed. */
import './without-eval.ts'
import { refold } from '../../../src/core/advance.ts'
import {
  type ConditionInput,
  conditionInput,
  conditionOf,
} from '../../../src/core/run/condition.ts'
import { type AgentMachine, machineOfSpec } from '../../../src/core/graph/agent-machine.ts'
import { itemsOf, type Log } from '../../../src/core/graph/channels.ts'
import type { Spec } from '../../../src/core/graph/spec/spec.ts'
import { initialRun, type Row, type Run, type Started } from '../../../src/core/run/run.ts'
import type { Json } from '../../../src/core/watch/data/json.ts'
import type { Stamped } from '../../../src/core/watch/event/event.ts'
import type { ThreadGraph } from '../../../src/host/thread/thread-graph.ts'

export interface Restored {
  readonly channels: Readonly<Record<string, Json>>
  readonly writtenBy: Readonly<Record<string, number>>
}

export interface Fold {
  to(rows: readonly Row[], at: number, signal: AbortSignal): Promise<Restored>
}

/** A run, with the event that last wrote each channel. Runs share most of their data. */
export interface Keyframe {
  readonly run: Run
  readonly writtenBy: Readonly<Record<string, number>>
}

const KEYFRAME_EVERY = 200

/** @throws InvalidSpec */
export const machineFor = ({ spec }: ThreadGraph): AgentMachine =>
  machineOfSpec(spec as unknown as Spec)

export function createFold(graph: ThreadGraph): Fold {
  const machine = machineFor(graph)
  const keyframes: Keyframe[] = []
  return {
    async to(rows, at, signal) {
      const place = Math.min(keyframes.length, Math.floor((at + 1) / KEYFRAME_EVERY))
      let current = keyframes[place - 1]
      await inSlices({ rows, from: place * KEYFRAME_EVERY, to: at, signal }, row => {
        current = after(machine, current, row)
        if ((row.seq + 1) % KEYFRAME_EVERY === 0 && keyframes.length * KEYFRAME_EVERY <= row.seq)
          keyframes.push(current)
      })
      return restoredOf(machine, current)
    },
  }
}

/** The events of a run for which a condition is true. */
export interface Search {
  /** All of them so far. Reads only the rows that are new since the last call. */
  in(rows: readonly Row[], signal: AbortSignal): Promise<readonly number[]>
}

/**
 * Evaluates the condition of a breakpoint over past events. Without a graph that folds here, the condition does not see `spent` and
 * `channels`.
 * @throws InvalidCondition
 */
export function createSearch(graph: ThreadGraph | undefined, expression: string): Search {
  const condition = conditionOf(expression)
  const machine = graph && machineFor(graph)
  const hits: number[] = []
  let current: Keyframe | undefined
  let next = 0
  return {
    async in(rows, signal) {
      await inSlices({ rows, from: next, to: rows.length - 1, signal }, row => {
        if (machine) current = after(machine, current, row)
        const of =
          machine && current
            ? conditionInput(machine, current.run, row)
            : ({ ...row } as unknown as ConditionInput)
        if (condition(of)) hits.push(row.seq)
        next = row.seq + 1
      })
      return [...hits]
    },
  }
}

interface Range {
  readonly rows: readonly Row[]
  readonly from: number
  readonly to: number
  readonly signal: AbortSignal
}

/** The time in ms for which a walk over rows keeps the page busy. */
const SLICE_MS = 12

/** Visits rows in order. The page stays responsive meanwhile. */
export async function inSlices({ rows, from, to, signal }: Range, take: (row: Row) => void) {
  let sliceEnd = performance.now() + SLICE_MS
  for (let seq = from; seq <= to; seq++) {
    const row = rows[seq]
    if (!row) return
    take(row)
    if (performance.now() < sliceEnd) continue
    await new Promise(resolve => setTimeout(resolve))
    signal.throwIfAborted()
    sliceEnd = performance.now() + SLICE_MS
  }
}

/** The fold after one more row. */
export function after(machine: AgentMachine, before: Keyframe | undefined, row: Row): Keyframe {
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

export function restoredOf(machine: AgentMachine, frame: Keyframe | undefined): Restored {
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
