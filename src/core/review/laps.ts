/** The laps of a loop, side by side: the events of each lap, and the differences between laps. */
import type { Row } from '../run/run.ts'
import { truncate } from '../watch/data/fault.ts'
import { canonical } from '../watch/data/json.ts'
import type { Stamped, Finding } from '../watch/event/event.ts'
import { failureMessage } from '../watch/failure/failure.ts'

export interface Laps {
  /** The first lap and the latest ones. */
  readonly shown: readonly Lap[]
  readonly leftOut: number
  /** The values that differ between laps. Empty if all laps are identical. */
  readonly differing: readonly Difference[]
}

export type Lap = Readonly<{ events: readonly LapEvent[]; leftOut: number }>

/** `text` is a call with its arguments and the start of its answer, or the text of a model. */
export type LapEvent = Readonly<{ seq: number; text: string }>

/** `path` reads `2 search args.page`: the second event of the lap, and the key in it. `values` has one entry per lap, in order. */
export type Difference = Readonly<{ path: string; values: readonly string[] }>

const LATEST = 3
const EVENTS_MAX = 12
const DIFFERENCES_MAX = 12
const ARGS_MAX = 120
const RESULT_MAX = 200
const VALUE_MAX = 60
/** The levels of values that are compared one by one: each reads all below it again. */
const LEVELS_MAX = 8
/** The number of latest laps that are compared. */
const COMPARED_MAX = 16
const RECENT = 10

export function lapsOf(rows: readonly Row[], finding: Finding): Laps {
  const laps = lapsIn(stepsBetween(rows, finding.onset, finding.noticed, finding.region), finding)
  const shown = laps.length <= LATEST + 1 ? laps : [...laps.slice(0, 1), ...laps.slice(-LATEST)]
  return {
    shown: shown.map(steps => ({
      events: steps.slice(0, EVENTS_MAX).map(({ seq, text }) => ({ seq, text })),
      leftOut: Math.max(0, steps.length - EVENTS_MAX),
    })),
    leftOut: laps.length - shown.length,
    differing: differencesOf(laps.slice(-COMPARED_MAX)),
  }
}

/** The latest events before event `until`. */
export function recentBefore(rows: readonly Row[], until: number): readonly LapEvent[] {
  const steps = stepsBetween(rows, 0, until)
  return steps.slice(-RECENT).map(({ seq, text }) => ({ seq, text }))
}

/** One event, with the content that laps are compared by. */
type Step = LapEvent & Readonly<{ name: string; content: Readonly<Record<string, unknown>> }>

/** The steps from one event to another, in one region or in all of them. */
function stepsBetween(rows: readonly Row[], first: number, last: number, region?: string): Step[] {
  const args = new Map<string, unknown>()
  return rows.flatMap(({ seq, event }) => {
    if (seq > last) return []
    const isCall = event.type === 'tool.called' || event.type === 'circuit.refused'
    if (isCall && event.args !== undefined) args.set(event.call, event.args)
    const isOther = region !== undefined && !('region' in event && event.region === region)
    if (seq < first || isOther) return []
    const step = stepOf(event, 'call' in event ? args.get(event.call) : undefined)
    return step ? [{ seq, ...step }] : []
  })
}

function stepOf(event: Stamped, args: unknown): Omit<Step, 'seq'> | undefined {
  switch (event.type) {
    case 'tool.done': {
      const { subject: name, result } = event
      const text = `${eventText(event, args)} → ${truncate(canonical(result), RESULT_MAX)}`
      return { name, text, content: { args, result } }
    }
    case 'tool.failed':
    case 'circuit.refused': {
      if (event.type === 'tool.failed' && !event.final) return undefined
      const { subject: name, failure } = event
      const message = truncate(failureMessage(failure), RESULT_MAX)
      const text = `${eventText(event, args)} failed: ${message}`
      return { name, text, content: { args, error: failure.message } }
    }
    case 'model.done': {
      const { subject: name, text } = event
      const calls = event.calls.map(({ tool, args }) => ({ tool, args }))
      const wanted = calls.map(({ tool, args }) => `wants ${callText(tool, args)}`).join(', ')
      const line = truncate(`${name} ${wanted || `says ${text}`}`, RESULT_MAX)
      return { name, text: line, content: { text, calls } }
    }
    case 'node.done': {
      const { output, label } = event
      const name = event.effect.replace(/#.*$/, '')
      const outcome = label === undefined ? 'done' : `done.${label}`
      const text = `${name} ${outcome} ${truncate(canonical(output), RESULT_MAX)}`
      return { name, text, content: { output: withoutCallIds(output) } }
    }
    default:
      return undefined
  }
}

/** Messages and requested calls carry ids of calls. They differ in every lap and explain nothing. */
function withoutCallIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCallIds)
  if (!isMap(value)) return value
  const isRequest = typeof value.tool === 'string' && 'args' in value
  const { role } = value
  const id = isRequest ? 'id' : role === 'assistant' ? 'answer' : role === 'tool' && 'call'
  const kept = Object.entries(value).filter(([key]) => key !== id)
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutCallIds(inner)]))
}

/** Splits the steps into laps. */
function lapsIn(steps: readonly Step[], { events, period }: Finding): readonly (readonly Step[])[] {
  const calls = steps.filter(({ content }) => 'args' in content)
  const shown = new Set(events)
  const own = calls.filter(({ seq }) => shown.has(seq))
  // The events of the finding are state entries: a lap is the steps between two of them.
  if (own.length === 0)
    return lapsBetween(
      steps,
      [...shown].sort((a, b) => a - b),
    )
  // The events are single calls.
  if (own.length !== period) return own.map(step => [step])
  // The events are the members of the last lap: all calls form laps, and the last one may be incomplete.
  return Array.from({ length: Math.ceil(calls.length / period) }, (_, lap) =>
    calls.slice(lap * period, (lap + 1) * period),
  )
}

/** The steps after each of some events, in order, up to the next one. */
function lapsBetween(steps: readonly Step[], entries: readonly number[]) {
  let first = steps.findIndex(({ seq }) => seq > (entries[0] ?? 0))
  return entries.slice(1).map(end => {
    const start = Math.max(0, first)
    while (first >= 0 && first < steps.length && (steps[first] as Step).seq <= end) first++
    return steps.slice(start, Math.max(0, first))
  })
}

/** The differences between laps, without an incomplete last lap. */
function differencesOf(all: readonly (readonly Step[])[]): readonly Difference[] {
  const laps = (all.at(-1)?.length ?? 0) < (all[0]?.length ?? 0) ? all.slice(0, -1) : all
  const [first] = laps
  if (!first || laps.length < 2) return []
  const names = laps.map(lap => lap.map(({ name }) => name).join(' → '))
  if (new Set(names).size > 1)
    return [{ path: 'the order of events', values: names.map(name => truncate(name, VALUE_MAX)) }]
  const contents = (index: number) => laps.map(lap => lap[index]?.content)
  return first
    .flatMap(({ name }, index) => differingPlaces(`${index + 1} ${name}`, contents(index)))
    .slice(0, DIFFERENCES_MAX)
}

/** The paths at which values differ, down to the depth at which all of them are objects, or to `LEVELS_MAX` levels. */
function differingPlaces(
  path: string,
  values: readonly unknown[],
  level = 0,
): readonly Difference[] {
  const texts = values.map(value => canonical(value))
  if (new Set(texts).size < 2) return []
  if (level === LEVELS_MAX || !values.every(isMap))
    return [{ path, values: texts.map(text => truncate(text, VALUE_MAX)) }]
  const keys = [...new Set(values.flatMap(value => Object.keys(value)))]
  const separator = path.includes('.') || / \w+ /.test(path) ? '.' : ' '
  return keys.flatMap(key => {
    const inner = values.map(value => value[key])
    return differingPlaces(`${path}${separator}${key}`, inner, level + 1)
  })
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

type OfCall = { readonly subject: string; readonly compensates?: string }

const eventText = ({ subject, compensates }: OfCall, args: unknown): string =>
  `${compensates === undefined ? '' : 'undoing '}${callText(subject, args)}`

const callText = (name: string, args: unknown): string =>
  `${name} ${args === undefined ? '' : truncate(canonical(args), ARGS_MAX)}`.trimEnd()
