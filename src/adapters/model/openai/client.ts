/** LangChain's client, taught the dialects that endpoints speak beside OpenAI's own. */
import type { ModelSpec } from '../../../core/graph/spec/resource.ts'
import type { Endpoint } from './endpoint.ts'
import { fetchStream } from './stream.ts'

export type LangChain = typeof import('@langchain/openai')
export type Client = InstanceType<LangChain['ChatOpenAI']>
type Converted = Parameters<LangChain['convertCompletionsDeltaToBaseMessageChunk']>[0]
type Fields = NonNullable<ConstructorParameters<LangChain['ChatOpenAI']>[0]>

/** The package that an adapter stands on is not installed. */
export class MissingPackage extends Error {
  override readonly name = 'MissingPackage'
}

export async function clientOf(
  { id, temperature, maxTokens }: ModelSpec,
  { baseURL, apiKey }: Endpoint,
  load: () => Promise<LangChain>,
): Promise<Client> {
  const langchain = await load().catch(error => {
    throw new MissingPackage(
      'models behind an endpoint need two packages: npm install @langchain/openai @langchain/core',
      { cause: error },
    )
  })
  const fields: Exclude<Fields, string> = {
    model: id,
    apiKey,
    maxRetries: 0,
    streamUsage: true,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    // What the client would print of an answer that it cannot read is told by its error.
    configuration: {
      fetch: fetchStream,
      logLevel: 'off',
      ...(baseURL === undefined ? {} : { baseURL }),
    },
  }
  return new langchain.ChatOpenAI({
    ...fields,
    useResponsesApi: false,
    completions: tolerateDialects(langchain, fields),
  })
}

/**
 * LangChain takes a piece of an answer for the model's only if it, or one before it, says `role: assistant`, and knows one
 * name for reasoning. Some endpoints leave the role out, with the calls of the answer lost; some say `reasoning`.
 */
function tolerateDialects(
  { ChatOpenAICompletions, convertCompletionsDeltaToBaseMessageChunk: convert }: LangChain,
  fields: Exclude<Fields, string>,
) {
  class Tolerant extends ChatOpenAICompletions {
    protected override _convertCompletionsDeltaToBaseMessageChunk(
      delta: Converted['delta'],
      rawResponse: Converted['rawResponse'],
    ) {
      const { reasoning } = delta
      return convert({
        delta: typeof reasoning === 'string' ? { reasoning_content: reasoning, ...delta } : delta,
        rawResponse,
        defaultRole: 'assistant',
      })
    }
  }
  return new Tolerant(fields)
}
