/** `escapement/testing`: scripted models and tools, and runs of graphs on a virtual clock. */
export { virtualClock } from './testing/clock.ts'
export type { Played, PlayedCall, PlayedEscape, PlayOptions } from './testing/play.ts'
export type { PlayedAnswer } from './testing/stage.ts'
export { play } from './testing/play.ts'
export { isNoTurn, NoTurn, calls, fails, hangs, modelOf } from './testing/scripted-model.ts'
export { repeats, returns, says } from './testing/scripted-model.ts'
export type { Fault, TurnInput, ModelScript, ToolScript } from './testing/scripted-model.ts'
export type { ToolStep } from './testing/scripted-model.ts'
