/** `escapement/testing`: scripted models and tools, and runs of graphs on a virtual clock. */
export { virtualClock } from './testing/clock.ts'
export type { Played, PlayedAnswer, PlayedCall, PlayedEscape, PlayOptions } from './testing/play.ts'
export { play } from './testing/play.ts'
export { type Fault, isNoTurn, NoTurn, type TurnInput } from './testing/scripted-model.ts'
export type { ModelScript, ToolScript, ToolStep } from './testing/steps.ts'
export { calls, fails, hangs, modelOf, repeats, returns, says } from './testing/steps.ts'
