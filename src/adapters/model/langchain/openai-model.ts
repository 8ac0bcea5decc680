/** Models behind endpoints with OpenAI's chat completions API, through LangChain's ChatOpenAI. */
import { codedError, guardOf } from '../../../core/watch/data/fault.ts'
import type { ModelSpec } from '../../../core/graph/spec/resource.ts'
import { defined } from '../../../core/watch/data/json.ts'
import { modelFields } from '../../../kit/model.ts'
import type { Model } from '../../../runtime/ports.ts'
import { useSecret } from '../../../runtime/redaction/process-secrets.ts'
import { MissingPackage } from '../../missing-package.ts'
import { askChatModel } from './chat-model.ts'
import { fetchStream } from './endpoint-stream.ts'

/** Loads `@langchain/openai`. Public types must not name an optional package: without it they would not compile. */
type LoadLangChain = () => Promise<object>
type Environment = Readonly<Record<string, string | undefined>>
type KeyedSpec = Pick<ModelSpec, 'baseURL' | 'keyFrom'>

/** A model has neither an endpoint nor a key, or the address of its endpoint is not valid. */
export class NoEndpoint extends codedError('NoEndpoint', 'no-endpoint') {
  constructor(id: string, remedy: string) {
    super(`no endpoint is configured for the model ${id}: ${remedy}`)
  }
}

/** Whether an error says that a model has no endpoint. */
export const isNoEndpoint = guardOf(NoEndpoint)

/** Imports LangChain at the first question: most commands ask no question. */
export function openaiModel(
  spec: ModelSpec,
  env: Environment,
  load: LoadLangChain = () => import('@langchain/openai'),
): Model {
  let client: ReturnType<typeof clientOf> | undefined
  const connect = async () => {
    const endpoint = usableEndpoint(spec, env)
    client ??= clientOf(spec, endpoint, load)
    return client
  }
  return {
    ...modelFields(spec.id, spec),
    check: async () => void (await connect()),
    ask: async (request, call) => askChatModel(await connect(), request, call),
  }
}

/**
 * Binds the models of a spec to endpoints with OpenAI's chat completions API, as the command line does: at `baseURL` or
 * `OPENAI_BASE_URL`, with the key in the variable `keyFrom`. Needs `@langchain/openai` and `@langchain/core` at the first question.
 * @example
 * bindGraph(spec, { workspace: '.', model: openaiModels() })
 */
export const openaiModels =
  (env: Environment = process.env) =>
  (_: string, spec: ModelSpec): Model =>
    openaiModel(spec, env)

type Endpoint = Readonly<{ baseURL?: string; apiKey: string }>

/** The endpoint of a model, or `undefined` if it is not configured. With a `baseURL` the key is optional. */
export function endpointOf(spec: KeyedSpec, env: Environment): Endpoint | undefined {
  const baseURL = spec.baseURL ?? (env.OPENAI_BASE_URL || undefined)
  const key = useSecret(env[spec.keyFrom] || undefined)
  if (baseURL === undefined && key === undefined) return undefined
  return { ...defined({ baseURL }), apiKey: key ?? 'none' }
}

/** @throws NoEndpoint */
function usableEndpoint(spec: ModelSpec, env: Environment): Endpoint {
  const endpoint = endpointOf(spec, env)
  const { id, keyFrom } = spec
  if (!endpoint) throw new NoEndpoint(id, `set ${keyFrom}, or OPENAI_BASE_URL for another endpoint`)
  const { baseURL } = endpoint
  const isUsable = baseURL === undefined || /^https?:$/.test(URL.parse(baseURL)?.protocol ?? '')
  if (isUsable) return endpoint
  // The address may contain a key, so the message leaves it out.
  const where = spec.baseURL === undefined ? 'OPENAI_BASE_URL' : 'its baseURL'
  throw new NoEndpoint(id, `${where} is not an address; expected https://HOST/PATH`)
}

async function clientOf(spec: ModelSpec, endpoint: Endpoint, load: LoadLangChain) {
  const { id, temperature, maxTokens } = spec
  const { baseURL, apiKey } = endpoint
  const loaded = await load().catch(cause => {
    const install = 'npm install @langchain/openai @langchain/core'
    throw new MissingPackage(`models behind an endpoint need two packages: ${install}`, { cause })
  })
  const { ChatOpenAI } = loaded as typeof import('@langchain/openai')
  return new ChatOpenAI({
    model: id,
    apiKey,
    maxRetries: 0,
    streamUsage: true,
    useResponsesApi: false,
    ...defined({ temperature, maxTokens }),
    // The client would log an unreadable answer. The error contains the same text.
    configuration: { fetch: fetchStream, logLevel: 'off', ...defined({ baseURL }) },
  })
}
