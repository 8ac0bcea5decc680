/** The machine's half of `advance`: what an event means to the law, and what the run is once the law has been followed. */
import type { AgentMachine } from './graph/agent-machine.ts'
import type { Entered, MachineEvent } from './graph/machine.ts'
import { issued, type Effect, type Question } from './effects.ts'
import { type Meaning, meaningOf } from './meaning.ts'
import type { Run } from './run.ts'
import type { Stamped } from './watch/event.ts'
import { EYES_VERSION } from './watch/detectors.ts'

/** The run after the law and before the watchdog; `go` takes one more step of the machine from here. */
export interface Heard {
  readonly before: Run
  readonly run: Run
  readonly edges: readonly string[]
  readonly entered: readonly Entered[]
  readonly meaning: Meaning
  /** The outcome found no edge. */
  readonly unhandled: boolean
  readonly ignored: boolean
  readonly reason?: string
  go(event: MachineEvent, about?: Question): Heard
}

export function heard(machine: AgentMachine, before: Run, event: Stamped): Heard {
  const begins = event.type === 'thread.started' && before.seq < 0
  const meaning = meaningOf(machine, before, event)
  const noted: Run = { ...noting(before, event, meaning), seq: before.seq + 1, at: event.at }
  const start = {
    before,
    run: noted,
    edges: [],
    entered: [],
    meaning,
    unhandled: false,
    ignored: meaning.ignored === true,
    ...(meaning.reason === undefined ? {} : { reason: meaning.reason }),
  }
  const still = withGo(machine, start)
  if (begins) return moved(machine, start, machine.start(event.input), undefined)
  const taken = meaning.events.find(candidate => machine.can(noted.snapshot, candidate))
  return taken ? still.go(taken) : { ...still, unhandled: meaning.events.length > 0 }
}

/** Somebody's word has ended the thread, and the machine has no edge for it. */
export function endsByWord({ unhandled, meaning }: Heard): boolean {
  return unhandled && meaning.ends !== undefined
}

type Resting = Omit<Heard, 'go'>

function withGo(machine: AgentMachine, resting: Resting): Heard {
  return {
    ...resting,
    go: (event, about) => (machine.can(resting.run.snapshot, event) ? moved(machine, resting, machine.step(resting.run.snapshot, event), about) : withGo(machine, resting)),
  }
}

/** The run after one step of the machine: entries counted, effects of exited states gone, new ones promised. */
function moved(machine: AgentMachine, resting: Resting, step: ReturnType<AgentMachine['step']>, about: Question | undefined): Heard {
  const { run } = resting
  const entries: Record<string, number> = { ...run.entries }
  for (const { state } of step.entered) entries[state] = (entries[state] ?? 0) + 1
  const active = step.snapshot.status === 'active' ? machine.active(step.snapshot) : new Set<string>()
  const reentered = new Set(step.entered.map(({ state }) => state))
  const stays = (effect: Effect) => active.has(effect.state) && !reentered.has(effect.state)
  const pending = [...run.pending.filter(stays), ...issued(machine, step.asked, { seq: run.seq, at: run.at, entries, about })]
  return withGo(machine, {
    ...resting,
    run: { ...run, snapshot: step.snapshot, entries, pending },
    edges: [...resting.edges, ...step.edges],
    entered: step.entered,
  })
}

/** Rows that show that something came of an effect's start: without one, the third start is a crash loop. */
const ANSWERS: ReadonlySet<string> = new Set(['tool.done', 'tool.failed', 'model.done', 'model.failed', 'call.reconciled', 'circuit.refused', 'reported'])

/** What the run notes of an event whether or not the machine moves: starts, settled effects, questions, undo, policy. */
function noting(run: Run, event: Stamped, { settles, pending }: Meaning): Run {
  const left = (pending ?? run.pending).filter(({ id }) => id !== settles)
  const touched = 'effect' in event && ANSWERS.has(event.type) ? left.map(effect => answering(effect, event.effect)) : left
  const noted = { ...run, pending: touched, watch: run.watch.version === EYES_VERSION ? run.watch : { ...run.watch, version: EYES_VERSION, regions: {} } }
  if (event.type === 'policy.changed') return { ...noted, policy: event.policy }
  if (event.type === 'tool.done' && event.compensable) return { ...noted, undo: [...run.undo, { seq: run.seq + 1, call: event.call, tool: event.subject }] }
  return noted
}

function answering(effect: Effect, id: string): Effect {
  return effect.id === id && effect.type === 'invoke' && effect.starts > 1 ? { ...effect, starts: 1 } : effect
}
