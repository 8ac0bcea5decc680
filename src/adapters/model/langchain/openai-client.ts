/** LangChain's client for OpenAI-compatible endpoints. */
import type { ModelSpec } from '../../../core/graph/spec/resource.ts'

import { fetchStream } from './openai-stream.ts'

export type LangChain = typeof import('@langchain/openai')

/** The package that an adapter needs is not installed. */
export class MissingPackage extends Error {
  override readonly name = 'MissingPackage'
  readonly code = 'missing-package'
}

/** Whether an error says that an optional package is not installed. */
export function isMissingPackage(error: unknown): error is MissingPackage {
  return error instanceof MissingPackage
}

export async function clientOf(
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

export interface Endpoint {
  /** Absent: OpenAI's own. */
  readonly baseURL?: string
  readonly apiKey: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The endpoint that is configured for a model, or `undefined`. An custom endpoint may need no key. */
export function endpointOf(
  { baseURL: own, keyFrom }: Pick<ModelSpec, 'baseURL' | 'keyFrom'>,
  env: Environment,
): Endpoint | undefined {
  const baseURL = own ?? (env.OPENAI_BASE_URL || undefined)
  const key = env[keyFrom] || undefined
  if (baseURL === undefined && key === undefined) return undefined
  return { ...(baseURL === undefined ? {} : { baseURL }), apiKey: key ?? 'none' }
}
