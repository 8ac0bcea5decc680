/** The watchdog around an agent that was not built here: told what happens, it says what it makes of it. */
import type { Admission, BreakerOptions } from '../failure/breaker.ts'
import {
  type BreakerCell,
  breakerCell,
  breakerOpenUntil,
  enterBreaker,
  leaveBreaker,
  rebaseBreakers,
} from '../failure/breaker-table.ts'
import { dependencyOf } from '../failure/circuits.ts'
import type { Stamped } from '../event.ts'
import { classifyWith } from '../detect/classify-with.ts'
import { explain } from '../catalog.ts'
import { type Failure, factsOf, stated } from '../failure/failure.ts'
import type { Reason } from '../reason.ts'
import { CONTINUE, type Verdict } from '../ladder.ts'
import { type CustomParts, watchParts } from '../parts.ts'
import type { Json } from '../json.ts'
import type { Limits, Policy } from '../policy.ts'
import type { PolicyNotation } from '../policy-keys.ts'
import { parsePolicy } from '../policy-notation.ts'
import { canonical, hash } from '../signature.ts'
import type { Account } from '../budget/account.ts'
import { allLimits } from '../budget/limits.ts'
import type { LimitStatus } from '../budget/scope.ts'
import { type Price, SPENDABLE } from '../budget/spent.ts'
import { boundedJson } from './bounded-json.ts'
import { modelCalled, eventsOf, type CallOutcome, type AgentPlace, type Turn } from './turn.ts'
import { noveltyOf } from './recent-messages.ts'
import {
  type Capabilities,
  type WatchdogRow,
  type WatchdogState,
  type EscapeVerdict,
  restoreState,
  type WatchdogTerms,
  foldEvent,
} from './state.ts'

/** What a watchdog is told of its agent. */
export interface WatchdogOptions {
  /** What differs from the default policy, in the notation of a spec. */
  readonly policy?: PolicyNotation
  /** What it kept before; absent: a new watch. */
  readonly state?: WatchdogState
  /** The name of the agent. Default: `agent`. */
  readonly agent?: string
  /** The name of its model. Default: `model`. */
  readonly model?: string
  /** Detectors, rungs and a classifier of one's own. */
  readonly parts?: CustomParts
  /** Shared with the other agents of the process; absent: breakers of its own. */
  readonly breakers?: BreakerCell
  /** Is told every row, in order, and of which thread: `recorder` keeps them in a store. */
  readonly record?: (row: WatchdogRow, thread: string) => void
  /** The thread as which it is recorded. Default: the name of the agent. */
  readonly thread?: string
  /** Tools that change the world. A new write that succeeded is progress. */
  readonly writes?: readonly string[]
  /** For a tool that is out of order, the tool that answers in its place. */
  readonly substitutes?: Readonly<Record<string, string>>
  /** An answer of the model without a call is a finding. */
  readonly commandExpected?: boolean
  /** What the model costs. Absent: nothing. */
  readonly price?: Price
  /** What can be done with the agent. A wrap knows it; default: all of it. */
  readonly can?: Partial<Capabilities>
}

/** Whether a call may be made, by whom, and under which terms it is told afterwards. */
export type Permit =
  | GrantedPermit
  | { readonly kind: 'no'; readonly outcome: CallOutcome; readonly why: string }

/** The call may be made; handed back to `settle` when it has come to its end. */
export interface GrantedPermit {
  readonly kind: 'go'
  /** The tool that answers: another one where its own is out of order. */
  readonly tool: string
  readonly admission: Admission
  readonly began: number
  readonly instead?: CallOutcome['instead']
}

/** All times are in ms, and come from the caller. */
export interface Watchdog {
  /** Plain JSON: keep it where the agent's own state is kept. */
  readonly state: WatchdogState
  /** The way out that is to be taken now: `rethink` is taken by the next turn, `review` by asking a person, `stop` by ending. */
  readonly pendingEscape: EscapeVerdict | undefined
  /** The turn under way is one in which the model thinks again. */
  readonly rethinking: EscapeVerdict | undefined
  /** Any event, as in a journal. */
  observe(event: Stamped): Verdict
  /** What calling the model now would lead to. Changes nothing. */
  preview(at: number): Verdict
  /** The model is about to be called. */
  beforeModelCall(at: number): Verdict
  /** The model has answered, and the calls that it asked for have been made. */
  afterModelTurn(turn: Turn): Verdict
  /** May a call be made? `place`: how many calls of the same turn come before it. */
  permit(tool: string, at: number, place: number): Permit
  /** A call has come to its end: tells its breaker, and what became of it. `thrown`: it has failed; what is thrown may be anything, `undefined` too. */
  settle(permit: GrantedPermit, at: number, thrown?: { readonly error: unknown }): CallOutcome
  /** Tools that are out of order, and stand in for by nobody. */
  unavailableTools(at: number): readonly string[]
  /**
   * Somebody says something to the agent: its first task, or the next message. What has not been said lately begins another round: no call
   * and no text of before counts as a repetition any more. What is new only in its numbers, times and ids does so where a tool has answered
   * something new since the last message; else it gives the limits of a round anew, and no more. A watch that had ended goes on in any
   * case, with the limits that are left.
   */
  userMessage(input: unknown, at: number): Verdict
  /** A person has answered what is due. Too late, it counts for nothing, and `review.otherwise` holds. */
  resolveReview(decision: ReviewAnswer, at: number): Verdict
}

/** `dismiss`: what was found is not a loop. The detectors ignore it from then on. */
export type ReviewAnswer = 'approved' | 'dismiss' | 'rejected' | 'stop'

/**
 * @example
 * const monitor = watchdog({ policy: { limits: { toolCalls: 25 } } })
 * monitor.beforeModelCall(Date.now())
 * monitor.afterModelTurn({ text: 'Looking.', calls: [{ tool: 'search', args: { q: 'x' }, result: 'none', outcome }], at: Date.now() })
 * if (monitor.state.because) throw new Error(explain(monitor.state.because))
 */
export function watchdog(options: WatchdogOptions = {}): Watchdog {
  const policy = policyOf(options.policy ?? {})
  const parts = watchParts(options.parts ?? {})
  const terms: WatchdogTerms = {
    agent: options.agent ?? 'agent',
    policy,
    parts,
    can: { rethink: true, ask: true, ...options.can },
  }
  const record = options.record ?? (() => {})
  let state = restoreState(options.state, terms)

  const fold = (event: Stamped): Verdict => {
    const [next, row] = foldEvent(state, event, terms)
    state = next
    record(row, options.thread ?? terms.agent)
    return row.verdict
  }
  const observe = (event: Stamped): Verdict => {
    if (state.seq < 0) fold(startedEvent(terms, null, event.at))
    return fold(event)
  }
  const asked = (at: number) =>
    modelCalled(at, { ...agentPlace(options, terms, state), turn: state.turns + 1 })
  return {
    ...gateOf(options, policy, () => state),
    get state() {
      return state
    },
    get pendingEscape() {
      return state.pendingEscape
    },
    get rethinking() {
      return state.rethinking
    },
    observe,
    preview: at => foldEvent(state, asked(at), terms)[1].verdict,
    beforeModelCall: at => observe(asked(at)),
    userMessage(input, at) {
      const { value } = boundedJson(input)
      if (state.seq < 0) return fold(startedEvent(terms, value, at))
      return isNewMessage(state, value) ? observe({ type: 'message', input: value, at }) : CONTINUE
    },
    afterModelTurn: turn =>
      decisiveVerdict(eventsOf(turn, agentPlace(options, terms, state)).map(observe)),
    resolveReview: (decision, at) => observe(answerEvent(state, terms, decision, at)),
  }
}

/** A default limit holds for each round, so a conversation may last. In mode `observe` only limits that were set hold. */
function policyOf(notation: PolicyNotation): Policy {
  const policy = parsePolicy(notation)
  const { limits, mode } = policy
  const set = notation.limits ?? {}
  const inherited = SPENDABLE.filter(unit => set[unit] === undefined)
  const byDefault = Object.fromEntries(inherited.map(unit => [unit, limits[unit]]))
  const thread = Object.entries(limits).filter(([key]) => !Object.hasOwn(byDefault, key))
  const round = mode === 'observe' ? limits.round : { ...byDefault, ...limits.round }
  return {
    ...policy,
    limits: {
      ...(Object.fromEntries(thread) as unknown as Limits),
      steps: set.steps ?? Number.MAX_SAFE_INTEGER,
      ...(round ? { round } : {}),
    },
  }
}

/** Of the verdicts of a turn the one that stands: the first that ends it, else the last that leads out. */
function decisiveVerdict(verdicts: readonly Verdict[]): Verdict {
  const escapes = verdicts.filter(({ kind }) => kind === 'escape') as readonly EscapeVerdict[]
  return (
    escapes.find(({ route }) => route.rung === 'stop') ??
    escapes.at(-1) ??
    verdicts.find(({ kind }) => kind === 'warn') ??
    CONTINUE
  )
}

/** A question to a person stays open. A harness that says "go on", or the same observations in turn, has said nothing new to an agent at work. */
function isNewMessage({ ended, pendingEscape, messages = [] }: WatchdogState, said: Json): boolean {
  return (
    ended !== undefined ||
    (pendingEscape?.route.rung !== 'review' && noveltyOf(messages, said) !== 'none')
  )
}

function startedEvent({ policy, parts, agent }: WatchdogTerms, input: Json, at: number): Stamped {
  return {
    type: 'thread.started',
    input,
    seed: 0,
    specHash: wrapHash(agent),
    policy,
    versions: { ...parts.versions, wrapped: agent },
    at,
  }
}

/** What stands for the spec of an agent that has none here. */
function wrapHash(agent: string): string {
  return `wrapped ${hash(canonical(agent))}`
}

function agentPlace(
  { model = 'model', writes = [], commandExpected = false, price }: WatchdogOptions,
  { agent }: WatchdogTerms,
  { turns }: WatchdogState,
): AgentPlace {
  return { agent, model, turn: turns, writes, commandExpected, ...(price ? { price } : {}) }
}

function answerEvent(
  { pendingEscape, askedAt = 0 }: WatchdogState,
  { agent, policy }: WatchdogTerms,
  decision: ReviewAnswer,
  at: number,
): Stamped {
  const { deadline, otherwise } = policy.escape.review ?? {
    deadline: Number.POSITIVE_INFINITY,
    otherwise: 'stop',
  }
  const late = at >= askedAt + deadline
  const effect = `${pendingEscape?.route.rung === 'review' ? pendingEscape.route.from : agent}#ask`
  return {
    type: 'resume',
    effect,
    decision: late ? (otherwise === 'stop' ? 'stop' : 'approved') : decision,
    at,
  }
}

/** The limit that is met where so many calls of tools have been made. */
function reachedLimit(account: Account, limits: Limits, calls: number): LimitStatus | undefined {
  return allLimits(account, limits, []).find(
    ({ name, unit, most }) => unit === 'toolCalls' && calls >= most + (account.granted[name] ?? 0),
  )
}

/** The part of it that guards the tools. Its breakers are shared, and no part of the state. */
function gateOf(
  { breakers: cell = breakerCell(), substitutes = {}, parts }: WatchdogOptions,
  policy: Policy,
  stateNow: () => WatchdogState,
): Pick<Watchdog, 'permit' | 'settle' | 'unavailableTools'> {
  const options: BreakerOptions = policy.breaker
  const observing = policy.mode === 'observe'
  // A model may ask for a tool of any name, `constructor` included.
  const standIn = (tool: string) =>
    Object.hasOwn(substitutes, tool) ? substitutes[tool] : undefined
  const admission = (tool: string, at: number) =>
    enterBreaker(cell, dependencyOf('tool', tool), at, options)
  const failureOf = (error: unknown): Failure => {
    const facts = factsOf(error)
    return { ...facts, ...classifyWith(facts, policy.failures, parts?.classifier) }
  }
  return {
    permit(tool, at, place) {
      rebaseBreakers(cell, at)
      const { account } = stateNow().watch
      const met = reachedLimit(account, policy.limits, account.spent.toolCalls + place)
      if (met)
        return {
          kind: 'no',
          outcome: { began: at, ended: at, over: true },
          why: explain({
            code: 'limit-reached',
            params: {
              unit: met.unit,
              limit: met.limit,
              of: met.name === 'toolCalls' ? 'thread' : 'round',
            },
          }),
        }
      const [breaker, admitted] = admission(tool, at)
      if (admitted !== 'refused' || observing)
        return {
          kind: 'go',
          tool,
          admission: admitted === 'refused' ? 'pass' : admitted,
          began: at,
        }
      const retryAt = 'retryAt' in breaker ? breaker.retryAt : at
      const by = standIn(tool)
      const stand = by === undefined ? undefined : admission(by, at)[1]
      if (by !== undefined && stand !== undefined && stand !== 'refused')
        return { kind: 'go', tool: by, admission: stand, began: at, instead: { by, retryAt } }
      const seconds = Math.ceil((retryAt - at) / 1_000)
      const reason: Reason = { code: 'circuit-open', params: { call: tool, seconds } }
      const failure: Failure = {
        name: 'CircuitOpen',
        ...stated(reason),
        class: 'transient',
        scope: 'resource',
        rule: 'circuit',
        retryAfter: retryAt - at,
      }
      return {
        kind: 'no',
        outcome: { began: at, ended: at, failure, retryAt },
        why: explain(reason),
      }
    },
    settle({ tool, admission, began, instead }, at, thrown) {
      const failure = thrown && failureOf(thrown.error)
      // Who refuses a request has answered: that says nothing against the resource. Arguments that do not fit never came to it.
      const told =
        failure?.class === 'cancelled' || failure?.name === 'InvalidArguments'
          ? 'neither'
          : failure === undefined || failure.scope === 'request'
            ? 'success'
            : 'failure'
      const circuit = leaveBreaker(cell, dependencyOf('tool', tool), told, {
        admission,
        at,
        options,
      })
      return {
        began,
        ended: at,
        ...(instead ? { instead } : {}),
        ...(admission === 'probe' ? { probe: true as const } : {}),
        ...(circuit.change === 'none' ? {} : { circuit }),
        ...(failure ? { failure } : {}),
      }
    },
    unavailableTools(at) {
      if (observing) return []
      rebaseBreakers(cell, at)
      return Object.keys(cell.table).flatMap(resource => {
        const tool = resource.replace('tool:', '')
        return breakerOpenUntil(cell, resource, at) !== undefined && standIn(tool) === undefined
          ? [tool]
          : []
      })
    },
  }
}
