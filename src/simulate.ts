/** `escapement/simulate`: scenarios of tool failures, run on virtual time with many seeds. */
export { attributeActs, attributeEvents } from './core/watch/attribution/attribute.ts'
export type { Attribution, FaultKind } from './core/watch/attribution/fault.ts'
export { loadScenario } from './host/simulation/load-scenario.ts'
export type { LoadedScenario } from './host/simulation/load-scenario.ts'
export type { Tape, TapeEntry } from './simulate/inject/call.ts'
export { monteCarlo } from './simulate/monte/monte.ts'
export type { MonteOptions, Subjects } from './simulate/monte/monte.ts'
export type { PolicyDifference, PolicyFigures } from './simulate/monte/figures.ts'
export type { MonteReport, MonteVerdict } from './simulate/monte/report.ts'
export { isOracleFailed, OracleFailed } from './simulate/oracle/condition.ts'
export type { SimulatedOutcome } from './simulate/oracle/outcome.ts'
export { isSystemFailed, SystemFailed } from './simulate/run/fake-system.ts'
export type { CreateSystem, FakeFunction, FakeSystem } from './simulate/run/fake-system.ts'
export { simulate } from './simulate/run/simulate.ts'
export type {
  SimulatedRun,
  SimulatedThread,
  SimulateOptions,
  Subject,
} from './simulate/run/simulate.ts'
export type { Divergence, OnMiss } from './simulate/replay/cassette.ts'
export { replayThread } from './simulate/replay/replay.ts'
export type { ReplayedThread, ReplayOptions } from './simulate/replay/replay.ts'
export { EFFECTS, explore } from './simulate/search/explore.ts'
export type { Exploration, ExploredFailure, ExploreOptions } from './simulate/search/explore.ts'
export { shrink } from './simulate/search/shrink.ts'
export type { Shrunk, ShrunkFault } from './simulate/search/shrink.ts'
export { InvalidScenario, isInvalidScenario, parseScenario } from './simulate/scenario/scenario.ts'
export type { FakeTool } from './testing/fake-tool.ts'
export { readScenario, scenarioJsonSchema } from './simulate/scenario/scenario.ts'
export type { Scenario, ScenarioInput } from './simulate/scenario/scenario.ts'
