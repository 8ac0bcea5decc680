/** `escapement/testing`: scripts for models and tools, and plays of graphs on virtual time. */
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
