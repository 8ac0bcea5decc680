/** The findings on recorded agents, compared with the labels of readers and the expectations of other watchdogs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readTraces } from '../../src/adapters/trace/traces.ts'
import { type Act, TRACE_WATCHER, watchAct } from '../../src/core/watch/trace-watcher.ts'
import { type DetectPolicy, POLICY } from '../../src/core/watch/policy/policy.ts'

const FOLDER = resolve(import.meta.dirname, '../../../shared/detect')
export const recorded = existsSync(FOLDER)

/** The two sets of recordings. The detectors were first tuned to the first one. */
export const SETS = ['first', 'second'] as const
export type SetName = (typeof SETS)[number]

function folderOf(set: SetName): string {
  return set === 'first' ? FOLDER : join(FOLDER, set)
}

export interface Label {
  readonly id: string
  readonly loop: boolean
  readonly start: number | null
  readonly onset: number | null
  readonly kind: string | null
  readonly confidence: 'clear' | 'borderline'
}

export interface Score {
  readonly found: number
  readonly alarms: number
  readonly missed: number
  readonly precision: number
  readonly recall: number
  readonly f1: number
  readonly falseAlarms: number
  /** In events, from the moment a reader would step in to the first flag; the least first. */
  readonly delays: readonly number[]
}

/** The first finding of every trace. */
export interface Flagged {
  readonly first: ReadonlyMap<string, number | undefined>
  readonly source: ReadonlyMap<string, string>
  /** The ids of those whose run is known to have succeeded. */
  readonly solved: readonly string[]
}

/** The number of the event with the first finding. */
export function firstFlag(
  acts: readonly Act[],
  policy: DetectPolicy = POLICY.detect,
): number | undefined {
  let watcher = TRACE_WATCHER
  for (const [at, act] of acts.entries()) {
    const [next, sketches] = watchAct(watcher, act, policy)
    if (sketches.length > 0) return at
    watcher = next
  }
  return undefined
}

type Flag = number | undefined

/** Returns the number of the event with the first finding; `null`: the trace does not suit this detection. */
type Detection = (acts: readonly Act[]) => Flag | null | Promise<Flag | null>

/** All traces of a set with each of several detections, read once. */
export async function flagged(
  detections: readonly Detection[],
  set: SetName = 'first',
): Promise<readonly Flagged[]> {
  const source = new Map<string, string>()
  const solved: string[] = []
  const first = detections.map(() => new Map<string, number | undefined>())
  const folder = join(folderOf(set), 'traces')
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    for await (const trace of readTraces(file)) {
      for (const [index, detect] of detections.entries()) {
        const flag = await detect(trace.acts)
        if (flag !== null) first[index]?.set(trace.id, flag)
      }
      if (trace.solved) solved.push(trace.id)
    }
    for (const { id, source: from } of linesOf<{ id: string; source: string }>(file))
      source.set(id, from)
  }
  return first.map(flags => ({ first: flags, source, solved }))
}

export function labels(set: SetName = 'first'): readonly Label[] {
  return linesOf<Label>(join(folderOf(set), 'labels.jsonl'))
}

/** The runs that reached their goal and in which no reader saw a loop, and those of them that are stopped. */
export function halted(
  { first, solved }: Flagged,
  set: SetName = 'first',
): { readonly of: number; readonly ids: readonly string[] } {
  const looping = new Set(labels(set).flatMap(({ id, loop }) => (loop ? [id] : [])))
  const healthy = solved.filter(id => first.has(id) && !looping.has(id))
  return { of: healthy.length, ids: healthy.filter(id => first.get(id) !== undefined) }
}

/** A loop is found by a first flag at or after its start; an earlier one is a false alarm. */
export function scored(
  rows: readonly Label[],
  first: ReadonlyMap<string, number | undefined>,
): Score {
  const delays: number[] = []
  const count = { found: 0, alarms: 0, missed: 0, quiet: 0 }
  for (const { id, loop, start, onset } of rows) {
    const at = first.get(id)
    const found = loop && at !== undefined && at >= (start ?? 0)
    if (found) delays.push(at - (onset ?? at))
    if (found) count.found++
    else if (loop) count.missed++
    if (at !== undefined && !found) count.alarms++
    else if (at === undefined && !loop) count.quiet++
  }
  return {
    found: count.found,
    alarms: count.alarms,
    missed: count.missed,
    precision: count.found / (count.found + count.alarms),
    recall: count.found / (count.found + count.missed),
    f1: (2 * count.found) / (2 * count.found + count.alarms + count.missed),
    falseAlarms: count.alarms / (count.alarms + count.quiet),
    delays: delays.toSorted((a, b) => a - b),
  }
}

interface RecordedEvent {
  readonly t: 'say' | 'call' | 'result'
  readonly who?: string
  readonly role?: string
  readonly text?: string
  readonly tool?: string
  readonly args?: unknown
  readonly ok?: boolean
  readonly page?: unknown
  readonly msg?: boolean
}

export interface Scenario {
  readonly id: string
  readonly peer: string
  readonly events: readonly RecordedEvent[]
  readonly expect: { readonly stuck: boolean }
}

export function scenarios(): readonly Scenario[] {
  return JSON.parse(readFileSync(join(FOLDER, 'scenarios.json'), 'utf8')) as Scenario[]
}

/** The events of a scenario: partial texts are joined into one message, and a page is identified by all its data. */
export function actsOf({ events }: Scenario): readonly Act[] {
  const acts: Act[] = []
  let piece = false
  for (const { t, who, role, text = '', tool = '', args = null, ok, page, msg } of events) {
    const by = who ?? role
    const last = acts.at(-1)
    const goesOn = t === 'say' && !msg && by === undefined
    if (goesOn && piece && last?.act === 'said')
      acts[acts.length - 1] = { ...last, text: last.text + text }
    else if (t === 'say')
      acts.push({
        act: 'said',
        text,
        ...(by === undefined ? {} : { by }),
        ...(by === 'user' ? { person: true } : {}),
      })
    else if (t === 'call') acts.push({ act: 'called', tool, args: args as never })
    else
      acts.push({
        act: 'answered',
        ok: ok ?? null,
        text: page === undefined ? text : JSON.stringify(page),
      })
    piece = goesOn
  }
  return acts
}

function linesOf<T>(file: string): readonly T[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as T)
}
