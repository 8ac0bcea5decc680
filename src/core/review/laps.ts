/** The laps of a loop, side by side: what was done in each, and what differed between them. */
import { failureMessage } from '../watch/failure/failure.ts'
import type { Row } from '../run.ts'
import type { Stamped } from '../watch/event/event.ts'
import type { Finding } from '../watch/event/finding.ts'
import { canonical } from '../watch/data/signature.ts'

export interface Laps {
  /** The first, and the latest few. */
  readonly shown: readonly Lap[]
  readonly leftOut: number
  /** What was not the same in all of them; none: exactly the same. */
  readonly differing: readonly Difference[]
}

export interface Lap {
  readonly events: readonly LapEvent[]
  /** Events of this lap that are not shown. */
  readonly leftOut: number
}

/** `text` is a call with its arguments and the beginning of its answer, or what the model said. */
export interface LapEvent {
  readonly seq: number
  readonly text: string
}

/** `path` reads `2 search args.page`: the second event of the lap, and the place in it; `values` are those of the laps, in order. */
export interface Difference {
  readonly path: string
  readonly values: readonly string[]
}

const LATEST = 3
const EVENTS_MAX = 12
const DIFFERENCES_MAX = 12
const ARGS_MAX = 120
const RESULT_MAX = 200
const VALUE_MAX = 60
/** Laps compared: the latest ones. */
const COMPARED_MAX = 16

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

/** One thing that was done, as far as laps are compared by it. */
interface Step {
  readonly seq: number
  readonly text: string
  readonly name: string
  readonly content: Readonly<Record<string, unknown>>
}

/** What was done from one event to another, in a region or in all of them. */
function stepsBetween(
  rows: readonly Row[],
  first: number,
  last: number,
  region?: string,
): readonly Step[] {
  const asked = new Map<string, unknown>()
  return rows.flatMap(({ seq, event }) => {
    if (seq > last) return []
    if (event.type === 'tool.called') asked.set(event.call, event.args)
    if (seq < first || (region !== undefined && !('region' in event && event.region === region)))
      return []
    const step = stepOf(event, 'call' in event ? asked.get(event.call) : undefined)
    return step ? [{ seq, ...step }] : []
  })
}

function stepOf(event: Stamped, args: unknown): Omit<Step, 'seq'> | undefined {
  switch (event.type) {
    case 'tool.done':
      return {
        name: event.subject,
        text: `${eventText(event, args)} → ${truncate(canonical(event.result), RESULT_MAX)}`,
        content: { args, result: event.result },
      }
    case 'tool.failed':
    case 'circuit.refused': {
      if (event.type === 'tool.failed' && !event.final) return undefined
      const { message } = event.failure
      const said = failureMessage(event.failure)
      return {
        name: event.subject,
        text: `${eventText(event, args)} failed: ${truncate(said, RESULT_MAX)}`,
        content: { args, error: message },
      }
    }
    case 'model.done': {
      const wanted = event.calls.map(({ tool, args }) => `wants ${callText(tool, args)}`).join(', ')
      return {
        name: event.subject,
        text: truncate(`${event.subject} ${wanted || `says ${event.text}`}`, RESULT_MAX),
        content: { text: event.text, calls: event.calls.map(({ tool, args }) => ({ tool, args })) },
      }
    }
    case 'node.done': {
      const name = event.effect.replace(/#.*$/, '')
      return {
        name,
        text: `${name} done${event.label === undefined ? '' : `.${event.label}`} ${truncate(canonical(event.output), RESULT_MAX)}`,
        content: { output: event.output },
      }
    }
    default:
      return undefined
  }
}

const RECENT = 10

/** What was done last before event `until`, for questions that are not about a loop. */
export function recentBefore(rows: readonly Row[], until: number): readonly LapEvent[] {
  return stepsBetween(rows, 0, until)
    .slice(-RECENT)
    .map(({ seq, text }) => ({ seq, text }))
}

/** Cuts the steps where one lap ends and the next begins. */
function lapsIn(steps: readonly Step[], { events, period }: Finding): readonly (readonly Step[])[] {
  const calls = steps.filter(({ content }) => 'args' in content)
  const own = calls.filter(({ seq }) => events.includes(seq))
  // The events are entries of states: a lap is what lies between two of them.
  if (own.length === 0)
    return events
      .slice(1)
      .map((end, index) => steps.filter(({ seq }) => seq > (events[index] ?? 0) && seq <= end))
  // They are single calls, wherever they lie; or the members of the last lap: all of them are laid side by side, and the last has only begun.
  if (own.length !== period) return own.map(step => [step])
  return Array.from({ length: Math.ceil(calls.length / period) }, (_, lap) =>
    calls.slice(lap * period, (lap + 1) * period),
  )
}

/** A last lap that has only begun is not compared. */
function differencesOf(all: readonly (readonly Step[])[]): readonly Difference[] {
  const laps = (all.at(-1)?.length ?? 0) < (all[0]?.length ?? 0) ? all.slice(0, -1) : all
  const [first] = laps
  if (!first || laps.length < 2) return []
  const names = laps.map(lap => lap.map(({ name }) => name).join(' → '))
  if (new Set(names).size > 1)
    return [{ path: 'the order of events', values: names.map(name => truncate(name, VALUE_MAX)) }]
  return first
    .flatMap((step, index) =>
      differingPlaces(
        `${index + 1} ${step.name}`,
        laps.map(lap => lap[index]?.content),
      ),
    )
    .slice(0, DIFFERENCES_MAX)
}

/** The places where values differ, as deep as all of them are of one shape. */
function differingPlaces(path: string, values: readonly unknown[]): readonly Difference[] {
  const texts = values.map(value => canonical(value))
  if (new Set(texts).size < 2) return []
  if (!values.every(isMap)) return [{ path, values: texts.map(text => truncate(text, VALUE_MAX)) }]
  const keys = [...new Set(values.flatMap(value => Object.keys(value)))]
  return keys.flatMap(key =>
    differingPlaces(
      `${path}${path.includes('.') || / \w+ /.test(path) ? '.' : ' '}${key}`,
      values.map(value => value[key]),
    ),
  )
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function eventText(
  event: { readonly subject: string; readonly compensates?: string },
  args: unknown,
): string {
  return `${event.compensates === undefined ? '' : 'undoing '}${callText(event.subject, args)}`
}

function callText(name: string, args: unknown): string {
  return `${name} ${args === undefined ? '' : truncate(canonical(args), ARGS_MAX)}`.trimEnd()
}

function truncate(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text
}
