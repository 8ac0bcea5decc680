/** The watchdog around an agent that was not built here: told what happens, it says what it makes of it. */
import type { BreakerCell } from '../failure/breaker.ts'
import type { Stamped } from '../event/event.ts'
import { CONTINUE, type Verdict } from '../escape/ladder.ts'
import { type CustomParts, watchParts } from '../parts.ts'
import type { Json } from '../data/json.ts'
import type { Limits, Policy } from '../policy/policy.ts'
import type { PolicyNotation } from '../policy/policy-keys.ts'
import { parsePolicy } from '../policy/policy-notation.ts'
import { canonical, hash } from '../data/signature.ts'
import { type Price, SPENDABLE } from '../event/spent.ts'
import { boundedJson } from './bounded-json.ts'
import { type ToolGate, toolGate } from './tool-gate.ts'
import { modelCalled, eventsOf, type AgentPlace, type Turn } from './turn.ts'
import { noveltyOf } from './recent-messages.ts'
import { restoreState } from './restore-state.ts'
import {
  type Capabilities,
  type WatchdogRow,
  type WatchdogState,
  type EscapeVerdict,
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

/** All times are in ms, and come from the caller. */
export interface Watchdog extends ToolGate {
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
    ...toolGate(options, policy, () => state),
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
