/** The public names of escapement. The watchdog alone is `escapement/watchdog`. */
export { systemClock } from './adapters/node/clock.ts'
export { type NodePorts, nodePorts } from './adapters/node/ports.ts'
export { recorder } from './adapters/node/recorder.ts'
export { logNotifier } from './adapters/notify/log.ts'
export { webhook, type WebhookParts } from './adapters/notify/webhook.ts'
export { loadSpec } from './adapters/spec/load-spec.ts'
export { sqliteStore } from './adapters/store/sqlite/sqlite-store.ts'
export { advance, Nondeterministic, refold } from './core/advance.ts'
export { type AgentMachine, machineOf, machineOfSpec } from './core/graph/agent-machine.ts'
export { lint } from './core/graph/lint.ts'
export { changePolicy, type PolicyChanged } from './core/graph/spec/change-policy.ts'
export { defineGraph, InvalidSpec } from './core/graph/spec/define.ts'
export { readSpec } from './core/graph/spec/read.ts'
export { type Spec, specJsonSchema } from './core/graph/spec/spec.ts'
export { effectsOf, type ExternalEffect } from './core/ledger.ts'
export { type Review, reviewOf } from './core/review.ts'
export type { Ending, Row, Run } from './core/run.ts'
export { defineClassifier, defineDetector, defineRung } from './core/watch/own.ts'
export { bindGraph } from './kit/bind.ts'
export { defineNode } from './kit/define-node.ts'
export { scriptedModel } from './kit/scripted-model.ts'
export { tool } from './kit/tool.ts'
export { drive, InvalidInput } from './runtime/drive.ts'
export type { Breakers } from './runtime/breakers.ts'
export { fork, type ForkTerms, InvalidFork } from './runtime/fork.ts'
export { createGate, type Gate } from './runtime/gate.ts'
export {
  type Clock,
  failing,
  type Graph,
  labelled,
  type Live,
  type Message,
  type Model,
  type Node,
  type Notice,
  type Notifier,
  type Ports,
  type Task,
  type Tool,
} from './runtime/ports.ts'
export { InvalidEvent } from './runtime/person-event.ts'
export { ThreadExists } from './runtime/plant.ts'
export type { Recorder } from './runtime/recorder.ts'
export { replay } from './runtime/replay.ts'
export { memoryStore } from './runtime/memory-store.ts'
export { Conflict, isConflict, type Store, UnknownThread } from './runtime/store.ts'
export { virtualClock } from './simulate/clock.ts'
