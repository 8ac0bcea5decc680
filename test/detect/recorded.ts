/** What the eye makes of recorded agents, and how that stands to what people, and other watchdogs, said of them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readTraces } from '../../src/adapters/trace/traces.ts'
import type { Act } from '../../src/core/watch/act.ts'
import { ONLOOKER, seen } from '../../src/core/watch/onlooker.ts'
import { POLICY } from '../../src/core/watch/policy.ts'

const FOLDER = resolve(import.meta.dirname, '../../../shared/detect')
export const recorded = existsSync(FOLDER)

interface Label {
  readonly id: string
  readonly loop: boolean
  readonly start: number | null
  readonly onset: number | null
  readonly confidence: 'clear' | 'borderline'
}

export interface Score {
  readonly f1: number
  readonly falseAlarms: number
  readonly delays: readonly number[]
}

/** The number of the event at which the eye first told of something. */
export function firstFlag(acts: readonly Act[]): number | undefined {
  let onlooker = ONLOOKER
  for (const [at, act] of acts.entries()) {
    const [next, sketches] = seen(onlooker, act, POLICY.detect)
    if (sketches.length > 0) return at
    onlooker = next
  }
  return undefined
}

/** The first flag of every trace, and the ids of those whose run is known to have succeeded. */
export async function flagged(): Promise<{ readonly first: ReadonlyMap<string, number | undefined>; readonly solved: readonly string[] }> {
  const first = new Map<string, number | undefined>()
  const solved: string[] = []
  for (const name of readdirSync(join(FOLDER, 'traces'))) {
    const file = join(FOLDER, 'traces', name)
    for await (const { id, acts } of readTraces(file)) first.set(id, firstFlag(acts))
    for (const { id, outcome } of linesOf<{ id: string; outcome?: { success?: boolean } }>(file)) if (outcome?.success === true) solved.push(id)
  }
  return { first, solved }
}

export function labels(): readonly Label[] {
  return linesOf<Label>(join(FOLDER, 'labels.jsonl'))
}

/** A loop is found by a first flag at or after its start; an earlier one is a false alarm. */
export function scored(rows: readonly Label[], first: ReadonlyMap<string, number | undefined>): Score {
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
    f1: (2 * count.found) / (2 * count.found + count.alarms + count.missed),
    falseAlarms: count.alarms / (count.alarms + count.quiet),
    delays: delays.toSorted((a, b) => a - b),
  }
}

interface Told {
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
  readonly events: readonly Told[]
  readonly expect: { readonly stuck: boolean }
}

export function scenarios(): readonly Scenario[] {
  return JSON.parse(readFileSync(join(FOLDER, 'scenarios.json'), 'utf8')) as Scenario[]
}

/** A scenario's events: texts that are no messages of their own are pieces of one, and a page is told by all that is known of it. */
export function actsOf({ events }: Scenario): readonly Act[] {
  const acts: Act[] = []
  let piece = false
  for (const { t, who, role, text = '', tool = '', args = null, ok, page, msg } of events) {
    const by = who ?? role
    const last = acts.at(-1)
    const goesOn = t === 'say' && !msg && by === undefined
    if (goesOn && piece && last?.act === 'said') acts[acts.length - 1] = { ...last, text: last.text + text }
    else if (t === 'say') acts.push({ act: 'said', text, ...(by === undefined ? {} : { by }), ...(by === 'user' ? { person: true } : {}) })
    else if (t === 'call') acts.push({ act: 'called', tool, args: args as never })
    else acts.push({ act: 'answered', ok: ok ?? null, text: page === undefined ? text : JSON.stringify(page) })
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
