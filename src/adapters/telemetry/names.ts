/** The names in spans. `gen_ai.*` and `error.type` follow the GenAI conventions of OpenTelemetry at this version. */

/** The last version of the general conventions that includes those for GenAI. */
export const SCHEMA_URL = 'https://opentelemetry.io/schemas/1.41.0'

/** Values of `gen_ai.operation.name`, which begin the names of their spans. */
export const OPERATION = {
  run: 'invoke_agent',
  model: 'chat',
  tool: 'execute_tool',
} as const

export const ATTRIBUTE = {
  operation: 'gen_ai.operation.name',
  agent: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',
  provider: 'gen_ai.provider.name',
  model: 'gen_ai.request.model',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedTokens: 'gen_ai.usage.cache_read.input_tokens',
  tool: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  toolCall: 'gen_ai.tool.call.id',
  errorType: 'error.type',
  thread: 'escapement.thread',
  round: 'escapement.round',
  status: 'escapement.status',
  outcome: 'escapement.outcome',
  reason: 'escapement.reason',
  node: 'escapement.node',
  effect: 'escapement.effect',
  attempt: 'escapement.attempt',
  usd: 'escapement.usd',
  seq: 'escapement.seq',
  detector: 'escapement.detector',
  kind: 'escapement.finding.kind',
  rung: 'escapement.rung',
  from: 'escapement.from',
  to: 'escapement.to',
} as const

/** The names of events in the span of a run. */
export const EVENT = { finding: 'escapement.finding', escape: 'escapement.escape' } as const
