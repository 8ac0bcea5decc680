/** Where a run could go: the ways out that its machine knows, and the one that a person chooses. */
import type { Effect } from './effects.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import { rollbackTarget } from './savepoint.ts'
import type { Run } from './run.ts'
import type { ChosenRung } from './watch/event/event.ts'
import type { Finding } from './watch/event/finding.ts'
import {
  NO_SMARTER_MODEL,
  type Route,
  type EscapeEdge,
  type EscapeRoutes,
} from './watch/escape/rungs.ts'
import type { Reason } from './watch/reason/reason.ts'
import type { EscapePolicy } from './watch/policy/policy.ts'

/** The ways out of a state. */
export function escapeRoutesOf(machine: AgentMachine, run: Run, state: string): EscapeRoutes {
  return new MachineRoutes(machine, run, state)
}

export interface Choice {
  readonly rung?: ChosenRung | undefined
  readonly to?: string | undefined
}

/** The route that a person chooses as the answer to a question of the ladder, or why it cannot be taken. */
export function choiceOf(
  machine: AgentMachine,
  run: Run,
  { about, region, state }: Effect & { readonly type: 'interrupt' },
  { rung, to }: Choice,
): Route | Reason {
  const [finding] = about?.because ?? []
  if (!about || !finding) return { code: 'no-finding' }
  const ways = escapeRoutesOf(machine, run, state)
  const { from } = about
  if (rung === 'rollback') {
    const mark = ways.rollback(run.policy.escape)
    return typeof mark === 'number' ? { rung, region: '', from: state, to: mark } : mark
  }
  if (rung === 'rethink') {
    const thinker = (to === undefined ? [...new Set([from, ...finding.states])] : [to]).find(each =>
      ways.rethinks(finding, each),
    )
    return thinker === undefined ? NO_SMARTER_MODEL : { rung, region, from, to: thinker }
  }
  const way = ways.alternatives(finding).find(each => to === undefined || each.to === to)
  return way
    ? { rung: 'alternative', region, ...way }
    : { code: 'no-alternative-edge', params: to === undefined ? {} : { to } }
}

/** Where the run could go. Made at every event and asked when something was found, which is rare: as a class it costs nothing until then. */
class MachineRoutes implements EscapeRoutes {
  readonly state: string
  readonly #machine: AgentMachine
  readonly #run: Run

  constructor(machine: AgentMachine, run: Run, state: string) {
    this.state = state
    this.#machine = machine
    this.#run = run
  }

  leads(finding: Finding, rung: string, to?: string): boolean {
    return this.#machine.can(this.#run.snapshot, {
      type: 'escape',
      region: leftRegion(finding),
      rung,
      ...(to === undefined ? {} : { to }),
    })
  }

  review(finding: Finding): boolean {
    return this.leads(finding, 'review')
  }

  rethinks(finding: Finding, state: string): boolean {
    return this.#machine.rethinks(state) && this.leads(finding, 'rethink', state)
  }

  rollback(policy: EscapePolicy): number | Reason {
    return rollbackTarget(this.#run, policy)
  }

  alternatives(finding: Finding): readonly EscapeEdge[] {
    if (finding.class === 'indeterminate') return []
    const { alternatives } = this.#run.policy.escape
    return escapeStarts(finding, this.state).flatMap<EscapeEdge>(from =>
      [
        ...declaredEdges(this.#machine, alternatives, from, finding).map(to => ({ from, to })),
        ...undeclaredEdges(from, finding),
      ].filter(way => this.leads(finding, 'alternative', 'to' in way ? way.to : undefined)),
    )
  }
}

/** The region that a way out leaves: a limit concerns the whole thread, and all of them are left. */
export function leftRegion({ kind, region }: Pick<Finding, 'kind' | 'region'>): string {
  return kind === 'budget' ? '' : region
}

/** Where the way out may start: at what failed; for a loop, anywhere in it. */
function escapeStarts(finding: Finding, state: string): readonly string[] {
  return finding.kind === 'failure' || finding.kind === 'circuit' ? [state] : finding.states
}

/** A chart written by hand names no target: its own `escape` edges lead where they lead. */
function undeclaredEdges(from: string, { kind }: Finding): readonly EscapeEdge[] {
  return kind === 'budget' ? [] : [{ from }]
}

function declaredEdges(
  machine: AgentMachine,
  alternatives: Readonly<Record<string, readonly string[]>>,
  from: string,
  { kind }: Finding,
): readonly string[] {
  const named = machine.named(from, kind)
  // Going round another way spends more of what is spent already: only an edge named for it does.
  return kind === 'budget' ? named : [...new Set([...named, ...(alternatives[from] ?? [])])]
}
