/** Escape routes: where a run can go from a state, and the route that a person chooses. */
import { type Interrupt, pendingEffect } from './run/effects.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import type { EffectContext } from './interpretation.ts'
import { isRestricted } from './run/restriction.ts'
import type { Run } from './run/run.ts'
import { rollbackTarget } from './run/savepoint.ts'
import { defined } from './watch/data/json.ts'
import { NO_SMARTER_MODEL } from './watch/escape/rungs.ts'
import type { EscapeEdge, EscapeRoutes, Route } from './watch/escape/rungs.ts'
import type { ChosenRung, Finding } from './watch/event/event.ts'
import type { Failure } from './watch/failure/failure.ts'
import { failsAlways } from './watch/failure/failed-model.ts'
import type { EscapePolicy } from './watch/policy/policy.ts'
import type { Reason } from './watch/reason/reason.ts'
import { dependencyOf, openUntil } from './watch/retries.ts'

type Choice = { readonly rung?: ChosenRung | undefined; readonly to?: string | undefined }

/** The route that a person chooses as the answer to a review, or why it is not available. */
export function choiceOf(context: EffectContext<Interrupt>, { rung, to }: Choice): Route | Reason {
  const { machine, run, effect } = context
  const { about, region, state } = effect
  const [finding] = about?.because ?? []
  if (!about || !finding) return { code: 'no-finding' }
  const routes = new MachineRoutes(machine, run, state)
  const { from } = about
  if (rung === 'restrict') {
    const asked = pendingEffect(run.pending, effect.id)
    const isAsked = asked?.type === 'interrupt' && asked.about !== undefined
    const route = { rung, region, from, ...(isAsked && { to: to ?? from }) }
    return routes.restrict() ?? route
  }
  if (rung === 'rollback') {
    const savepoint = routes.rollback(run.policy.escape)
    return typeof savepoint === 'number'
      ? { rung, region: '', from: state, to: savepoint }
      : savepoint
  }
  if (rung === 'rethink') {
    const states = to === undefined ? [...new Set([from, ...finding.states])] : [to]
    const target = states.find(each => routes.rethinks(finding, each))
    return target === undefined ? NO_SMARTER_MODEL : { rung, region, from, to: target }
  }
  const edge = routes.alternatives(finding).find(each => to === undefined || each.to === to)
  return edge
    ? { rung: 'alternative', region, ...edge }
    : { code: 'no-alternative-edge', params: defined({ to }) }
}

/** The routes out of a state. One is created for every event, and its methods are called only for a finding: a class makes the creation cheap. */
export class MachineRoutes implements EscapeRoutes {
  readonly state: string
  readonly #machine: AgentMachine
  readonly #run: Run
  readonly #failure: Failure | undefined

  /** `failure`: that of the node in the state. */
  constructor(machine: AgentMachine, run: Run, state: string, failure?: Failure) {
    this.state = state
    this.#machine = machine
    this.#run = run
    this.#failure = failure
  }

  leads(finding: Finding, rung: string, to?: string): boolean {
    const event = { type: 'escape', region: leftRegion(finding), rung, ...defined({ to }) }
    return this.#machine.can(this.#run.snapshot, event)
  }

  restrict(): Reason | undefined {
    return isRestricted(this.#run) ? { code: 'already-restricted' } : undefined
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
    const { kind } = finding
    if (finding.class === 'indeterminate') return []
    // A failure is escaped where it happened, a loop anywhere in it.
    const starts = kind === 'failure' || kind === 'circuit' ? [this.state] : finding.states
    return starts
      .flatMap(from => this.#edges(from, kind))
      .filter(({ to }) => this.leads(finding, 'alternative', to) && !this.#meetsFailure(to))
  }

  /** Whether the model that failed would answer there too, and would fail again. */
  #meetsFailure(to: string | undefined): boolean {
    if (this.#failure === undefined || to === undefined) return false
    const [failed] = this.#machine.modelsIn(this.state)
    const models = this.#machine.modelsIn(to)
    if (failed === undefined || models[0] !== failed) return false
    const { openBreakers, at } = this.#run
    const isOpen = (model: string) =>
      openUntil(openBreakers, dependencyOf('model', model), at) !== undefined
    return failsAlways(this.#failure) || models.every(isOpen)
  }

  #edges(from: string, kind: Finding['kind']): readonly EscapeEdge[] {
    const named = this.#machine.named(from, kind)
    // Another way spends more of a spent budget. Only an edge named for the budget applies.
    if (kind === 'budget') return named.map(to => ({ from, to }))
    const { alternatives, explore } = this.#run.policy.escape
    const explored = explore.includes(from) ? this.#machine.continuations(from) : []
    const targets = new Set([...named, ...(alternatives[from] ?? []), ...explored])
    // The escape edges of a hand-written chart have no named target.
    return [...[...targets].map(to => ({ from, to })), { from }]
  }
}

/** The region that an escape leaves. A limit concerns the whole thread, and all regions are left. */
export const leftRegion = ({ kind, region }: Pick<Finding, 'kind' | 'region'>): string =>
  kind === 'budget' ? '' : region
