/** Learns the steps of a compiled chart from XState, which takes several times as long. */
import type { Json } from '../watch/data/json.ts'
import type { Budget } from './cel/cost.ts'
import type { Context } from './channels.ts'
import type { Machine, MachineEvent, Snapshot, Step } from './machine.ts'

/** A step without the context. */
interface Learned extends Pick<Step, 'asked' | 'entered' | 'edges'> {
  readonly value: Json
  readonly status: Snapshot['status']
  readonly writes: boolean
}

interface Place {
  readonly steps: Map<string, Learned>
  active?: ReadonlySet<string>
}

/**
 * The machine of a chart whose guards and actions read nothing but the state and the event. Its step with the same
 * state, event type and region is always the same, except for the context, and so is its first one. XState takes each such step once.
 * Escapes and choices, which name their target, always go to XState.
 */
export function learnSteps(
  machine: Machine,
  contextOf: (input: Json, total?: Budget) => Context,
): Machine {
  const places = placesOf()
  let first: Step | undefined
  return {
    ...machine,
    start: (input, total) => {
      const context = first && contextOf(input, total)
      if (first && context) return { ...first, snapshot: { ...first.snapshot, context } }
      const step = machine.start(input)
      if (step.snapshot.status !== 'error') first = step
      return step
    },
    step: (snapshot, event) => {
      const key = keyOf(snapshot, event)
      if (key === undefined) return machine.step(snapshot, event)
      const { steps } = places(snapshot.value)
      const known = steps.get(key)
      if (known) return applyStep(known, snapshot, event)
      const step = machine.step(snapshot, event)
      const { asked, entered, edges, snapshot: next } = step
      const { value, status, context } = next
      const writes = context !== snapshot.context
      // An event without an edge changes nothing, and their number is unlimited.
      if (edges.length > 0 && status !== 'error')
        steps.set(key, { value, status, writes, asked, entered, edges })
      return step
    },
    can: (snapshot, event) => {
      const key = keyOf(snapshot, event)
      const isKnown = key !== undefined && places(snapshot.value).steps.has(key)
      return isKnown || machine.can(snapshot, event)
    },
    active: snapshot => {
      const place = places(snapshot.value)
      place.active ??= machine.active(snapshot)
      return place.active
    },
  }
}

function keyOf({ status }: Snapshot, { type, region, rung, to }: MachineEvent) {
  const isPlain = status === 'active' && rung === undefined && to === undefined
  return isPlain ? `${type} ${region}` : undefined
}

function applyStep(learned: Learned, { context }: Snapshot, { writes = {} }: MachineEvent): Step {
  const { value, status, asked, entered, edges } = learned
  const next = learned.writes ? { ...context, ...writes } : context
  return { snapshot: { value, status, context: next }, asked, entered, edges }
}

/** Values from XState and from learned steps keep their identity. Those of loaded snapshots are found by their text. */
function placesOf(): (value: Json) => Place {
  const byText = new Map<string, Place>()
  const byValue = new WeakMap<object, Place>()
  return value => {
    const known = typeof value === 'object' && value !== null ? byValue.get(value) : undefined
    if (known) return known
    const text = JSON.stringify(value)
    const place = byText.get(text) ?? { steps: new Map() }
    byText.set(text, place)
    if (typeof value === 'object' && value !== null) byValue.set(value, place)
    return place
  }
}
