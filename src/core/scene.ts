/** What the watchdog is told of a step of the machine. */
import type { Effect } from './effects.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import { endsByWord, type Heard } from './hear.ts'
import type { Stamped } from './watch/event.ts'
import type { Finding } from './watch/finding.ts'
import type { Way, Ways } from './watch/ladder.ts'
import type { Scene } from './watch/watchdog.ts'

export function sceneOf(machine: AgentMachine, heard: Heard, event: Stamped): Scene {
  const { run, before, entered } = heard
  const own = 'effect' in event ? before.pending.find(({ id }) => id === event.effect) : undefined
  const state = entered.at(-1)?.state ?? own?.state ?? run.pending[0]?.state ?? ''
  const region = own?.region ?? ''
  const hash = entered.length > 0 ? machine.hashOf(run.snapshot.context, run.policy.detect.ignore) : ''
  const progress = entered.length > 0 ? machine.measure(run.snapshot.context) : undefined
  return {
    seq: run.seq,
    region,
    entered: entered.map(({ state, region, phase }) => ({ state, region, hash, phase: phase && run.entries[state] === 1 })),
    ...unhandledOf(heard, own?.state ?? state),
    ...(progress === undefined ? {} : { progress }),
    begins: event.type === 'turn.started' && own?.type === 'invoke' && own.starts === 0,
    waiting: before.pending.length > 0 && before.pending.every(waitsForPeople),
    over: run.snapshot.status !== 'active' || endsByWord(heard),
    ways: waysOf(machine, heard, { state, region }),
  }
}

/** A question, or a node that rests until one about its call is answered. */
function waitsForPeople(effect: Effect): boolean {
  return effect.type === 'interrupt' || (effect.type === 'invoke' && effect.blocked !== undefined)
}

/** An outcome without an edge, or a thread that has nothing left to do although it has not ended. */
function unhandledOf(heard: Heard, state: string): Pick<Scene, 'unhandled'> {
  const { run, meaning, unhandled, ignored } = heard
  if (ignored || endsByWord(heard)) return {}
  const [first] = meaning.events
  if (unhandled && first) {
    const { class: failureClass = 'unknown', summary = `no edge leads from ${state} for ${first.type}` } = meaning.failed ?? {}
    return { unhandled: { outcome: first.type, state, class: failureClass, summary } }
  }
  if (run.pending.length > 0 || run.snapshot.status !== 'active') return {}
  return { unhandled: { outcome: 'nothing', state, class: 'unknown', summary: `nothing is left to do in ${state}, and it is no end` } }
}

function waysOf(machine: AgentMachine, { run }: Heard, { state, region }: { state: string; region: string }): Ways {
  const leads = (rung: string, to?: string) => machine.can(run.snapshot, { type: 'escape', region, rung, ...(to === undefined ? {} : { to }) })
  return {
    state,
    review: leads('review'),
    alternatives: finding => {
      if (finding.class === 'indeterminate') return []
      return startsOf(finding, state).flatMap<Way>(from =>
        [...declared(machine, run.policy.escape.alternatives, from, finding).map(to => ({ from, to })), ...undeclared(from, finding)].filter(way =>
          leads('alternative', 'to' in way ? way.to : undefined),
        ),
      )
    },
  }
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
