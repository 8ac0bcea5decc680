/** Models behind endpoints that speak OpenAI's chat completions, through LangChain's ChatOpenAI. */
import type { ModelSpec } from '../../../core/graph/spec/resource.ts'
import { modelFields } from '../../../kit/model.ts'
import type { Model } from '../../../runtime/ports.ts'
import { answer } from './chat-model.ts'
import { clientOf, type LangChain, endpointOf, type Environment } from './openai-client.ts'

/** Neither an endpoint nor a key is configured for a model. The code makes it a failure of the account, which is never retried. */
export class NoEndpoint extends Error {
  override readonly name = 'NoEndpoint'
  readonly code = 'invalid_api_key'
  constructor(id: string, keyFrom: string) {
    super(
      `no endpoint is configured for the model ${id}: set ${keyFrom}, or OPENAI_BASE_URL for another endpoint`,
    )
  }
}

/** Whether an error says that a model has neither an endpoint nor a key. */
export function isNoEndpoint(error: unknown): error is NoEndpoint {
  return error instanceof NoEndpoint
}

/** LangChain is loaded at the first question: most commands ask none. `load` imports it. */
export function openaiModel(
  spec: ModelSpec,
  env: Environment,
  load: () => Promise<LangChain> = () => import('@langchain/openai'),
): Model {
  let client: ReturnType<typeof clientOf> | undefined
  return {
    ...modelFields(spec.id, spec),
    async ask(request, call) {
      const endpoint = endpointOf(spec, env)
      if (!endpoint) throw new NoEndpoint(spec.id, spec.keyFrom)
      client ??= clientOf(spec, endpoint, load)
      return answer(await client, request, call)
    },
  }
}

/**
 * The models of a spec behind endpoints that speak OpenAI's chat completions, as the command line binds them: at `baseURL`, or at
 * `OPENAI_BASE_URL`, with the key in the variable that `keyFrom` names. Needs `@langchain/openai` and `@langchain/core` at the first question.
 *
 * @example
 * bindGraph(spec, { workspace: '.', model: openaiModels() })
 */
export function openaiModels(
  environment: Environment = process.env,
): (name: string, spec: ModelSpec) => Model {
  return (_, spec) => openaiModel(spec, environment)
}
