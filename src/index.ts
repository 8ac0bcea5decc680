/** The public names of escapement. The watchdog alone is `escapement/watchdog`. */
export { systemClock } from './adapters/node/ports.ts'
export { type NodePorts, nodePorts, recorder } from './adapters/node/ports.ts'
export {
  isMissingPackage,
  isNoEndpoint,
  MissingPackage,
  NoEndpoint,
  openaiModels,
} from './adapters/model/langchain/openai-model.ts'
export { logNotifier } from './adapters/notify/log.ts'
export { webhook, type WebhookParts } from './adapters/notify/webhook.ts'
export { loadSpec } from './adapters/spec/load-spec.ts'
export { sqliteStore } from './adapters/store/sqlite/sqlite-store.ts'
export { advance, isNondeterministic, Nondeterministic, refold } from './core/advance.ts'
export { type AgentMachine, machineOf, machineOfSpec } from './core/graph/agent-machine.ts'
export { lint } from './core/graph/lint/lint.ts'
export type { MachineEvent } from './core/graph/machine.ts'
export { changePolicy } from './core/graph/spec/policy-schema.ts'
export type { PolicyRead } from './core/watch/policy/policy-notation.ts'
export {
  InvalidSpec,
  isInvalidSpec,
  parseSpec,
  safeParseSpec,
  type SpecIssue,
} from './core/graph/spec/read.ts'
export { type Spec, specJsonSchema } from './core/graph/spec/spec.ts'
export { effectsOf, type ExternalEffect } from './core/review/ledger.ts'
export { type Review, reviewOf } from './core/review/review.ts'
export type { Ending, Row, Run } from './core/run.ts'
export type { OpenQuestion, ThreadStatus } from './core/view.ts'
export { defineClassifier, defineDetector, defineRung } from './core/watch/detect/custom.ts'
export { explain } from './core/watch/reason/reason.ts'
export type { Code, Reason, ReasonParams } from './core/watch/reason/reason.ts'
export type { Json } from './core/watch/data/json.ts'
export { type AgentDefinition, createAgent } from './host/create-agent.ts'
export { defineGraph } from './host/define-graph.ts'
export { isWrongGraph, WrongGraph } from './runtime/store/source.ts'
export { HostClosed, isHostClosed, type Settled } from './host/host.ts'
export {
  BoundElsewhere,
  isBoundElsewhere,
  isSpecFaults,
  loadGraph,
  type LoadOptions,
  SpecFaults,
} from './host/load.ts'
export { isWrappedThread, WrappedThread } from './host/stored.ts'
export { isNoSecret, NoSecret } from './host/notifiers.ts'
export { isWrongClock, WrongClock } from './host/thread-start.ts'
export { type AnyModel, isUnknownModel, modelFrom, UnknownModel } from './host/model-from.ts'
export {
  createRuntime,
  type Runtime,
  type RuntimeOptions,
  type StartOptions,
} from './host/runtime.ts'
export type {
  ForkOptions,
  QuestionState,
  ThreadEvent,
  ThreadHandle,
  ThreadResult,
  ThreadState,
} from './host/thread.ts'
export type { WorkOptions } from './host/worker.ts'
export { bindGraph, CannotBind, isCannotBind, type SpecGraph } from './kit/bind/bind.ts'
export { BusinessError, isBusinessError } from './kit/tool.ts'
export { node } from './kit/nodes/node.ts'
export type { ModelOptions } from './kit/model.ts'
export { scriptedModel } from './testing/scripted-model.ts'
export { InvalidArguments, isInvalidArguments, tool } from './kit/tool.ts'
export { drive, InvalidInput, isInvalidInput } from './runtime/drive/drive.ts'
export type { Breakers } from './runtime/gate/gate.ts'
export {
  fork,
  type ForkTerms,
  InvalidFork,
  isInvalidFork,
} from './runtime/drive/copy.ts'
export { createGate, type Gate } from './runtime/gate/gate.ts'
export { CallFailed, done, isCallFailed } from './runtime/outcome.ts'
export type { Message, ModelReply } from './runtime/model-message.ts'
export type {
  ChannelsOf,
  Clock,
  Graph,
  InputOf,
  Live,
  Model,
  ModelRequest,
  Node,
  Notice,
  Notifier,
  OutputOf,
  Ports,
  Task,
  Tool,
} from './runtime/ports.ts'
export { InvalidEvent, isInvalidEvent } from './runtime/store/person-event.ts'
export type { Recorder } from './runtime/journal/recorder.ts'
export { replay } from './runtime/store/replay.ts'
export { memoryStore } from './runtime/store/memory-store.ts'
export {
  Conflict,
  isConflict,
  isStoreUnavailable,
  isReservedName,
  isThreadExists,
  isUnknownThread,
  type Store,
  StoreUnavailable,
  ReservedName,
  ThreadExists,
  UnknownThread,
} from './runtime/store/store.ts'
export { virtualClock } from './testing/clock.ts'
