/** `escapement/watchdog`: the watchdog alone, for agents in other frameworks. Pure, without dependencies. */
export {
  type Breaker,
  type BreakerCell,
  breakerCell,
  type BreakerOptions,
  type BreakerTable,
  CLOSED,
} from './core/watch/failure/breaker.ts'
export {
  type ReviewAnswer,
  type Watchdog,
  type WatchdogOptions,
  watchdog,
} from './core/watch/wrapped/watchdog.ts'
export type { GrantedPermit, Permit } from './core/watch/wrapped/tool-gate.ts'
export type { CallOutcome, CompletedCall, Turn } from './core/watch/wrapped/turn.ts'
export { stopMessage, rethinkMessage, reviewQuestion } from './core/watch/wrapped/state.ts'
export type { WatchdogRow, WatchdogState, EscapeVerdict } from './core/watch/wrapped/state.ts'
export type { AgentEvent, Stamped } from './core/watch/event/event.ts'
export {
  classify,
  type Failure,
  type FailureClass,
  type FailureRule,
  factsOf,
} from './core/watch/failure/failure.ts'
export { FAILURE_RULES } from './core/watch/failure/failure-rules.ts'
export { explain } from './core/watch/reason/reason.ts'
export type { Code, Reason, ReasonParams } from './core/watch/reason/reason.ts'
export type { Finding } from './core/watch/event/finding.ts'
export { defineDetector, defineRung } from './core/watch/detect/custom.ts'
export { type CustomParts, type WatchParts, watchParts } from './core/watch/parts.ts'
export type { Route } from './core/watch/escape/rungs.ts'
export type { Verdict } from './core/watch/escape/ladder.ts'
export { POLICY, type Policy } from './core/watch/policy/policy.ts'
export type { PolicyNotation } from './core/watch/policy/policy-keys.ts'
export { InvalidPolicy, isInvalidPolicy } from './core/watch/policy/policy-notation.ts'
export { errorKey } from './core/watch/normalize/answer-features.ts'
export { callKey, canonical, digest } from './core/watch/data/json.ts'
export type { WatchInput } from './core/watch/regions.ts'
export { applyVerdict, judge, WATCH, type Watch } from './core/watch/judge.ts'
