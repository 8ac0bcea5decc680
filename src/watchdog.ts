/** `escapement/watchdog`: the eye alone, for agents that were not built here. Pure; it imports nothing. */
export { type Breaker, type BreakerOptions, CLOSED } from './core/watch/failure/breaker.ts'
export {
  type BreakerCell,
  breakerCell,
  type BreakerTable,
} from './core/watch/failure/breaker-table.ts'
export {
  type Answer,
  type Dog,
  type DogOptions,
  type Go,
  type Permit,
  watchdog,
} from './core/watch/dog/dog.ts'
export type { Fate, Made, Turn } from './core/watch/dog/turn.ts'
export type { DogRow, DogState, Escape } from './core/watch/dog/state.ts'
export { endingOf, noteTo, questionTo } from './core/watch/dog/words.ts'
export type { AgentEvent, Stamped } from './core/watch/event.ts'
export {
  classify,
  type Failure,
  type FailureClass,
  type FailureRule,
  factsOf,
} from './core/watch/failure/failure.ts'
export { FAILURE_RULES } from './core/watch/failure/failure-rules.ts'
export { explain } from './core/watch/catalog.ts'
export type { Code, Reason, ReasonParams } from './core/watch/reason.ts'
export type { Finding } from './core/watch/finding.ts'
export { defineDetector, defineRung } from './core/watch/detect/own.ts'
export { type OwnParts, type WatchParts, watchParts } from './core/watch/parts.ts'
export type { Route, Verdict } from './core/watch/ladder.ts'
export { POLICY, type Policy } from './core/watch/policy.ts'
export type { PolicyPart } from './core/watch/policy-part.ts'
export { errorKey } from './core/watch/sight/sense.ts'
export { callKey, canonical, digest } from './core/watch/signature.ts'
export { concluded, judge, type Scene, WATCH, type Watch } from './core/watch/watchdog.ts'
