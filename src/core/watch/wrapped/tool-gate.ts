/** Guards the tools of a wrapped agent with limits and breakers. Agents may share breakers, so they are not part of the state. */
import { type Account, allLimits } from '../budget/account.ts'
import { dependencyOf } from '../retries.ts'
import { checkTime } from '../data/duration.ts'
import { defined } from '../data/json.ts'
import { classifyWith } from '../detect/custom.ts'
import { admit, breakerCell, breakerIn, circuitChange, isRefusing } from '../failure/breaker.ts'
import { rebaseBreakers, settleBreaker, storeBreaker } from '../failure/breaker.ts'
import type { Admission, BreakerCell } from '../failure/breaker.ts'
import { factsOf, type Failure, type Redact, stated } from '../failure/failure.ts'
import type { CustomParts } from '../parts.ts'
import type { Policy } from '../policy/policy.ts'
import { explain, type Reason } from '../reason/reason.ts'
import type { WatchdogState } from './state.ts'
import type { CallOutcome } from './turn.ts'

/** Whether a call may be made, and which tool makes it. */
export type Permit =
  | GrantedPermit
  | { readonly kind: 'no'; readonly outcome: CallOutcome; readonly why: string }

/** The call may be made. Pass the permit to `settle` when the call has ended. */
export interface GrantedPermit {
  readonly kind: 'go'
  /** The tool to call: a substitute if the breaker of the requested tool is open. */
  readonly tool: string
  readonly admission: Admission
  readonly began: number
  readonly instead?: CallOutcome['instead']
}

export interface ToolGate {
  /** Asks whether a call may be made. `place`: the number of earlier calls in the same turn. */
  permit(tool: string, at: number, place: number): Permit
  /** Reports the end of a call to its breaker and returns the outcome. `thrown`: the call failed with any value, including `undefined`. */
  settle(permit: GrantedPermit, at: number, thrown?: { readonly error: unknown }): CallOutcome
  /** Tools with an open breaker and without a substitute. */
  unavailableTools(at: number): readonly string[]
}

interface GateOptions {
  readonly breakers?: BreakerCell
  readonly substitutes?: Readonly<Record<string, string>>
  readonly parts?: CustomParts
  readonly redact?: Redact | undefined
}

export function toolGate(of: GateOptions, policy: Policy, stateNow: () => WatchdogState): ToolGate {
  const { breakers: cell = breakerCell(), substitutes = {}, parts, redact } = of
  const options = policy.breaker
  const observing = policy.mode === 'observe'
  // A model may request a tool of any name, including `constructor`.
  const substituteOf = (tool: string) =>
    Object.hasOwn(substitutes, tool) ? substitutes[tool] : undefined
  const enter = (tool: string, at: number) => {
    const resource = dependencyOf('tool', tool)
    const admitted = admit(breakerIn(cell, resource), at, options)
    storeBreaker(cell, resource, admitted[0])
    return admitted
  }
  return {
    permit(tool, at, place) {
      checkTime(at)
      rebaseBreakers(cell, at)
      const overLimit = limitRefusal(policy, stateNow().watch.account, at, place)
      if (overLimit) return overLimit
      const [breaker, admitted] = enter(tool, at)
      if (admitted !== 'refused') return { kind: 'go', tool, admission: admitted, began: at }
      if (observing) return { kind: 'go', tool, admission: 'pass', began: at }
      const retryAt = 'retryAt' in breaker ? breaker.retryAt : at
      const by = substituteOf(tool)
      const admission = by === undefined ? 'refused' : enter(by, at)[1]
      return by === undefined || admission === 'refused'
        ? breakerRefusal(redact ? redact(tool) : tool, at, retryAt)
        : { kind: 'go', tool: by, admission, began: at, instead: { by, retryAt } }
    },
    settle({ tool, admission, began, instead }, at, thrown) {
      checkTime(at)
      const facts = thrown && factsOf(thrown.error, redact)
      const failure: Failure | undefined = facts && {
        ...facts,
        ...classifyWith(facts, policy.failures, parts?.classifier),
      }
      const resource = dependencyOf('tool', tool)
      const before = breakerIn(cell, resource)
      const after = settleBreaker(before, resultOf(failure), { admission, at, options })
      storeBreaker(cell, resource, after)
      const change = circuitChange(before, after)
      const probe = admission === 'probe' ? (true as const) : undefined
      const circuit = change.change === 'none' ? undefined : change
      return { began, ended: at, ...defined({ instead, probe, circuit, failure }) }
    },
    unavailableTools(at) {
      if (observing) return []
      rebaseBreakers(cell, at)
      return Object.entries(cell.table)
        .filter(([, breaker]) => isRefusing(breaker, at))
        .map(([resource]) => resource.replace('tool:', ''))
        .filter(tool => substituteOf(tool) === undefined)
    },
  }
}

/** Refuses a call once a limit of tool calls is reached. */
function limitRefusal({ limits }: Policy, account: Account, at: number, place: number) {
  const calls = account.spent.toolCalls + place
  const met = allLimits(account, limits, []).find(
    ({ unit, most }) => unit === 'toolCalls' && calls >= most,
  )
  if (!met) return undefined
  const { unit, limit, name } = met
  const of = name === 'toolCalls' ? 'thread' : 'round'
  const why = explain({ code: 'limit-reached', params: { unit, limit, of } })
  return { kind: 'no', outcome: { began: at, ended: at, over: true }, why } as const
}

function breakerRefusal(tool: string, at: number, retryAt: number): Permit {
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

/** What a call shows about the health of its tool. A tool that rejects a request is healthy. Invalid arguments never reach it. */
function resultOf(failure: Failure | undefined): 'success' | 'failure' | 'neither' {
  if (failure?.class === 'cancelled' || failure?.name === 'InvalidArguments') return 'neither'
  return failure === undefined || failure.scope === 'request' ? 'success' : 'failure'
}
