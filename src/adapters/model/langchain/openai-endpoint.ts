import type { ModelSpec } from '../../../core/graph/spec/resource.ts'

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
