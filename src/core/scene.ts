/** What the watchdog is told of a step of the machine. */
import { type Effect, pendingEffect } from './effects.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import { endsByWord, type Heard } from './hear.ts'
import type { Run } from './run.ts'
import type { Stamped } from './watch/event.ts'
import type { Finding } from './watch/finding.ts'
import type { Way, Ways } from './watch/ladder.ts'
import type { Scene } from './watch/watchdog.ts'

export function sceneOf(machine: AgentMachine, heard: Heard, event: Stamped): Scene {
  const { run, before, entered } = heard
  const own = 'effect' in event ? pendingEffect(before.pending, event.effect) : undefined
  const state = entered.at(-1)?.state ?? own?.state ?? run.pending[0]?.state ?? ''
  const region = own?.region ?? ''
  return {
    seq: run.seq,
    region,
    entered: entered.length > 0 ? placesOf(machine, heard) : [],
    unhandled: unhandledOf(heard, own?.state ?? state),
    progress: entered.length > 0 ? machine.measure(run.snapshot.context) : undefined,
    begins: beginsStep(heard, own, event),
    waiting: before.pending.length > 0 && before.pending.every(waitsForPeople),
    over: run.snapshot.status !== 'active' || endsByWord(heard),
    ways: new Outs(machine, run, state),
  }
}

function placesOf(machine: AgentMachine, { run, entered }: Heard): Scene['entered'] {
  const hash = machine.hashOf(run.snapshot.context, run.policy.detect.ignore)
  return entered.map(({ state, region, phase }) => ({ state, region, hash, phase: phase && run.entries[state] === 1 }))
}

/** Work counts when it begins, waits and questions when they are over: a round of anything must meet the limit some time. */
function beginsStep({ meaning }: Heard, own: Effect | undefined, event: Stamped): boolean {
  if (own?.type === 'invoke') return event.type === 'turn.started' && own.starts === 0
  // A question about a call is part of its node's step; those of an escape have a budget of their own.
  const asked = own?.type === 'interrupt' && (own.call !== undefined || own.about !== undefined)
  return own !== undefined && !asked && meaning.settles === own.id
}

/** A question, or a node that rests until one about its call is answered. */
function waitsForPeople(effect: Effect): boolean {
  return effect.type === 'interrupt' || (effect.type === 'invoke' && effect.blocked !== undefined)
}

/** An outcome without an edge, or a thread that has nothing left to do although it has not ended. */
function unhandledOf(heard: Heard, state: string): Scene['unhandled'] {
  const { run, meaning, unhandled, ignored } = heard
  if (ignored || endsByWord(heard)) return undefined
  const [first] = meaning.events
  if (unhandled && first) {
    const { class: failureClass = 'unknown', summary = `no edge leads from ${state} for ${first.type}`, as } = meaning.failed ?? {}
    return { outcome: first.type, state, class: failureClass, summary, ...(as === undefined ? {} : { as }) }
  }
  if (run.pending.length > 0 || run.snapshot.status !== 'active') return undefined
  return { outcome: 'nothing', state, class: 'unknown', summary: `nothing is left to do in ${state}, and it is no end` }
}

/** Where the run could go. Made at every event and asked when something was found, which is rare: as a class it costs nothing until then. */
class Outs implements Ways {
  readonly state: string
  readonly #machine: AgentMachine
  readonly #run: Run

  constructor(machine: AgentMachine, run: Run, state: string) {
    this.state = state
    this.#machine = machine
    this.#run = run
  }

  review(finding: Finding): boolean {
    return this.#leads(finding, 'review')
  }

  alternatives(finding: Finding): readonly Way[] {
    if (finding.class === 'indeterminate') return []
    const { alternatives } = this.#run.policy.escape
    return startsOf(finding, this.state).flatMap<Way>(from =>
      [...declared(this.#machine, alternatives, from, finding).map(to => ({ from, to })), ...undeclared(from, finding)].filter(way =>
        this.#leads(finding, 'alternative', 'to' in way ? way.to : undefined),
      ),
    )
  }

  #leads(finding: Finding, rung: string, to?: string): boolean {
    return this.#machine.can(this.#run.snapshot, { type: 'escape', region: leftBy(finding), rung, ...(to === undefined ? {} : { to }) })
  }
}

/** The region that a way out leaves: a limit concerns the whole thread, and all of them are left. */
export function leftBy({ kind, region }: Pick<Finding, 'kind' | 'region'>): string {
  return kind === 'budget' ? '' : region
}

/** Where the way out may start: at what failed; for a loop, anywhere in it. */
function startsOf(finding: Finding, state: string): readonly string[] {
  return finding.kind === 'failure' || finding.kind === 'circuit' ? [state] : finding.states
}

/** A chart written by hand names no target: its own `escape` edges lead where they lead. */
function undeclared(from: string, { kind }: Finding): readonly Way[] {
  return kind === 'budget' ? [] : [{ from }]
}

function declared(machine: AgentMachine, alternatives: Readonly<Record<string, readonly string[]>>, from: string, { kind }: Finding): readonly string[] {
  const named = machine.named(from, kind)
  // Going round another way spends more of what is spent already: only an edge named for it does.
  return kind === 'budget' ? named : [...new Set([...named, ...(alternatives[from] ?? [])])]
}
