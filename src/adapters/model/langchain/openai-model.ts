/** Models behind endpoints that speak OpenAI's chat completions, through LangChain's ChatOpenAI. */
import type { ModelSpec } from '../../../core/graph/spec/resource.ts'
import { modelFields } from '../../../kit/model.ts'
import type { Model } from '../../../runtime/ports.ts'
import { answer } from './chat-model.ts'
import { fetchStream } from './openai-stream.ts'

type LangChain = typeof import('@langchain/openai')

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

/** The package that an adapter needs is not installed. */
export class MissingPackage extends Error {
  override readonly name = 'MissingPackage'
  readonly code = 'missing-package'
}

/** Whether an error says that an optional package is not installed. */
export function isMissingPackage(error: unknown): error is MissingPackage {
  return error instanceof MissingPackage
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

interface Endpoint {
  /** Default: the endpoint of OpenAI. */
  readonly baseURL?: string
  readonly apiKey: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** The endpoint that is configured for a model, or `undefined`. An endpoint with a `baseURL` may work without a key. */
export function endpointOf(
  { baseURL: own, keyFrom }: Pick<ModelSpec, 'baseURL' | 'keyFrom'>,
  env: Environment,
): Endpoint | undefined {
  const baseURL = own ?? (env.OPENAI_BASE_URL || undefined)
  const key = env[keyFrom] || undefined
  if (baseURL === undefined && key === undefined) return undefined
  return { ...(baseURL === undefined ? {} : { baseURL }), apiKey: key ?? 'none' }
}

async function clientOf(
  { id, temperature, maxTokens }: ModelSpec,
  { baseURL, apiKey }: Endpoint,
  load: () => Promise<LangChain>,
) {
  const { ChatOpenAI } = await load().catch(error => {
    throw new MissingPackage(
      'models behind an endpoint need two packages: npm install @langchain/openai @langchain/core',
      { cause: error },
    )
  })
  return new ChatOpenAI({
    model: id,
    apiKey,
    maxRetries: 0,
    streamUsage: true,
    useResponsesApi: false,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    // The error of an unreadable answer says what the client would print.
    configuration: {
      fetch: fetchStream,
      logLevel: 'off',
      ...(baseURL === undefined ? {} : { baseURL }),
    },
  })
}
