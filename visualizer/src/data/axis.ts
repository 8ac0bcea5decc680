/** Where the events of a run stand on its timeline, as places from 0 to 1: one after the other, or by the clock. */
import type { Row } from '../../../src/core/run/run.ts'
import { countUntil } from './sorted.ts'
import type { Span, SpanKind } from './spans.ts'

export interface Axis {
  /** Where an event begins. */
  readonly startOf: (seq: number) => number
  /** Where it ends: by the clock, at the same place. */
  readonly endOf: (seq: number) => number
  readonly seqAt: (place: number) => number
  /** Idle times that take little room. */
  readonly folded: readonly IdleTime[]
}

/** A time in which nothing ran. */
export interface IdleTime {
  /** The event before it. */
  readonly after: number
  readonly ms: number
  /** The places of its start and its end. */
  readonly from: number
  readonly to: number
}

/** Each event takes the same room. */
export function eventAxis(end: number): Axis {
  const count = Math.max(1, end + 1)
  return {
    startOf: seq => seq / count,
    endOf: seq => (seq + 1) / count,
    seqAt: place => Math.min(count - 1, Math.max(0, Math.floor(place * count))),
    folded: [],
  }
}

/** Idle times of more than a second and of this part of the rest are folded, as in the timelines of Temporal and Langfuse. */
const IDLE_MIN_MS = 1_000
const IDLE_PART = 0.05

/** The room of a folded idle time, and the most that all of them take. */
const FOLDED_ROOM = 0.03
const FOLDED_ROOM_MAX = 0.3

interface TimeAxisOptions {
  readonly rows: readonly Row[]
  readonly spans: readonly Span[]
  readonly folds: boolean
}

/** By the clock. With `folds`, long times in which nothing ran take little room. */
export function timeAxis({ rows, spans, folds }: TimeAxisOptions): Axis {
  const gaps = rows.slice(1).map(({ event }, index) => {
    return Math.max(0, event.at - (rows[index]?.event.at ?? event.at))
  })
  const idle = folds ? idleAmong(gaps, busyIn(spans, gaps.length)) : new Set<number>()
  const shown = gaps.reduce((sum, ms, seq) => sum + (idle.has(seq) ? 0 : ms), 0)
  // All at once, or nothing but waiting.
  if (shown === 0) return eventAxis(rows.length - 1)
  const room = Math.min(FOLDED_ROOM, FOLDED_ROOM_MAX / Math.max(1, idle.size))
  const scale = (1 - room * idle.size) / shown
  const places = [0]
  const folded: IdleTime[] = []
  for (const [after, ms] of gaps.entries()) {
    const from = places[after] ?? 0
    const to = from + (idle.has(after) ? room : ms * scale)
    places.push(to)
    if (idle.has(after)) folded.push({ after, ms, from, to })
  }
  const placeOf = (seq: number) => places[Math.max(0, Math.min(seq, places.length - 1))] ?? 0
  const seqAt = (place: number) => Math.max(0, countUntil(places, place, each => each) - 1)
  return { startOf: placeOf, endOf: placeOf, seqAt, folded }
}

/** Whether something ran after each event: a call, or a node without an open question. */
function busyIn(spans: readonly Span[], count: number): readonly boolean[] {
  const calls = runningIn(spans, count, ['model', 'tool', 'child'])
  const nodes = runningIn(spans, count, ['state'])
  const questions = runningIn(spans, count, ['question'])
  return calls.map((isCalling, seq) => isCalling || (nodes[seq] === true && !questions[seq]))
}

/** Whether a span of the kinds was open after each event. */
function runningIn(
  spans: readonly Span[],
  count: number,
  kinds: readonly SpanKind[],
): readonly boolean[] {
  const changes = new Int32Array(count + 1)
  for (const { kind, from, to, open } of spans) {
    if (!kinds.includes(kind) || from > count) continue
    changes[from] = (changes[from] ?? 0) + 1
    const end = open ? count : Math.min(to, count)
    changes[end] = (changes[end] ?? 0) - 1
  }
  let running = 0
  return Array.from({ length: count }, (_, seq) => {
    running += changes[seq] ?? 0
    return running > 0
  })
}

/** The idle times that are long beside the rest, the longest first: without one, the next may be long, too. */
function idleAmong(gaps: readonly number[], busy: readonly boolean[]): ReadonlySet<number> {
  const candidates = [...gaps.keys()]
    .filter(seq => !busy[seq])
    .sort((a, b) => (gaps[b] ?? 0) - (gaps[a] ?? 0))
  let rest = gaps.reduce((sum, ms) => sum + ms, 0)
  const idle = new Set<number>()
  for (const seq of candidates) {
    const ms = gaps[seq] ?? 0
    if (ms <= Math.max(IDLE_MIN_MS, rest * IDLE_PART)) break
    idle.add(seq)
    rest -= ms
  }
  return idle
}
