/** `escapement/testing`: scripted models and tools, and runs of graphs on a virtual clock. */
export { virtualClock } from './testing/clock.ts'
export {
  play,
  type Played,
  type PlayedAnswer,
  type PlayedCall,
  type PlayedEscape,
  type PlayOptions,
} from './testing/play.ts'
export { type Fault, isNoTurn, NoTurn, type TurnInput } from './testing/scripted-model.ts'
export {
  calls,
  fails,
  hangs,
  type ModelScript,
  modelOf,
  repeats,
  returns,
  says,
  type ToolScript,
  type ToolStep,
} from './testing/steps.ts'
