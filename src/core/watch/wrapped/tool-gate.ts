/** The gate of a wrapped agent's tools: limits and breakers. The breakers are shared, and not part of the state. */
import type { Account } from '../budget/account.ts'
import { allLimits } from '../budget/limits.ts'
import type { LimitStatus } from '../budget/scope.ts'
import { explain, type Reason } from '../reason/reason.ts'
import {
  type Admission,
  type BreakerCell,
  breakerCell,
  type BreakerOptions,
  breakerOpenUntil,
  enterBreaker,
  leaveBreaker,
  rebaseBreakers,
} from '../failure/breaker.ts'
import { classifyWith } from '../detect/custom.ts'
import { dependencyOf } from '../circuits.ts'
import { type Failure, factsOf, stated } from '../failure/failure.ts'
import type { CustomParts } from '../parts.ts'
import type { Limits, Policy } from '../policy/policy.ts'
import type { WatchdogState } from './state.ts'
import type { CallOutcome } from './turn.ts'

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

export interface ToolGate {
  /** May a call be made? `place`: how many calls of the same turn come before it. */
  permit(tool: string, at: number, place: number): Permit
  /** A call has come to its end: tells its breaker, and what became of it. `thrown`: it has failed; what is thrown may be anything, `undefined` too. */
  settle(permit: GrantedPermit, at: number, thrown?: { readonly error: unknown }): CallOutcome
  /** Tools that are out of order, and stand in for by nobody. */
  unavailableTools(at: number): readonly string[]
}

interface GateOptions {
  readonly breakers?: BreakerCell
  readonly substitutes?: Readonly<Record<string, string>>
  readonly parts?: CustomParts
}

/** The limit that is met where so many calls of tools have been made. */
function reachedLimit(account: Account, limits: Limits, calls: number): LimitStatus | undefined {
  return allLimits(account, limits, []).find(
    ({ name, unit, most }) => unit === 'toolCalls' && calls >= most + (account.granted[name] ?? 0),
  )
}

/** The part of it that guards the tools. Its breakers are shared, and no part of the state. */
export function toolGate(
  { breakers: cell = breakerCell(), substitutes = {}, parts }: GateOptions,
  policy: Policy,
  stateNow: () => WatchdogState,
): ToolGate {
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
      if (met) return overLimit(met, at)
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
      return refusedCall(tool, at, retryAt)
    },
    settle({ tool, admission, began, instead }, at, thrown) {
      const failure = thrown && failureOf(thrown.error)
      const circuit = leaveBreaker(cell, dependencyOf('tool', tool), resultOf(failure), {
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

function overLimit({ unit, limit, name }: LimitStatus, at: number): Permit {
  const of = name === 'toolCalls' ? 'thread' : 'round'
  return {
    kind: 'no',
    outcome: { began: at, ended: at, over: true },
    why: explain({ code: 'limit-reached', params: { unit, limit, of } }),
  }
}

/** The breaker of the tool is open. */
function refusedCall(tool: string, at: number, retryAt: number): Permit {
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
  return { kind: 'no', outcome: { began: at, ended: at, failure, retryAt }, why: explain(reason) }
}

/** What a call says of its tool. A rejected request was answered. Invalid arguments never reached the tool. */
function resultOf(failure: Failure | undefined): 'success' | 'failure' | 'neither' {
  if (failure?.class === 'cancelled' || failure?.name === 'InvalidArguments') return 'neither'
  return failure === undefined || failure.scope === 'request' ? 'success' : 'failure'
}
