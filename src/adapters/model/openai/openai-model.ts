/** A model behind any endpoint that speaks OpenAI's chat completions, through LangChain's ChatOpenAI. */
import type { ModelSpec } from '../../../core/graph/spec/resource.ts'
import { guardedBy } from '../../../kit/guarded.ts'
import type { Calling, Model, ModelReply, ModelRequest } from '../../../runtime/ports.ts'
import { type Client, clientOf, type LangChain } from './client.ts'
import { conversationOf, definitionOf } from './conversation.ts'
import { endpointOf, type Environment } from './endpoint.ts'
import { type Chunk, extended, NOTHING_YET, replyOf, textIn } from './reply.ts'

/** Neither an endpoint nor a key is configured for a model. The code makes it count as a matter of the account, never retried. */
export class NoEndpoint extends Error {
  override readonly name = 'NoEndpoint'
  readonly code = 'invalid_api_key'
  constructor(id: string, keyFrom: string) {
    super(
      `no endpoint is configured for the model ${id}: set ${keyFrom}, or OPENAI_BASE_URL for an endpoint of your own`,
    )
  }
}

/**
 * LangChain is loaded at the first question, not before: most commands ask none. `load` brings it in.
 * Retries, timeouts and breakers are the gate's; here every failure is thrown as it came.
 */
export function openaiModel(
  spec: ModelSpec,
  env: Environment,
  load: () => Promise<LangChain> = () => import('@langchain/openai'),
): Model {
  let client: Promise<Client> | undefined
  return {
    id: spec.id,
    timeout: spec.timeout,
    ...guardedBy(spec),
    ...(spec.price ? { price: spec.price } : {}),
    async ask(request, call) {
      const endpoint = endpointOf(spec, env)
      if (!endpoint) throw new NoEndpoint(spec.id, spec.keyFrom)
      client ??= clientOf(spec, endpoint, load)
      try {
        return await answer(await client, request, call)
      } catch (error) {
        // LangChain words an abort in several ways; the reason of the signal is what happened.
        throw call.signal.aborted ? call.signal.reason : plain(error)
      }
    },
  }
}

async function answer(
  client: Client,
  request: ModelRequest,
  { signal, idempotencyKey: key, onDelta }: Calling & { readonly onDelta: (text: string) => void },
): Promise<ModelReply> {
  const tools = request.tools.map(definitionOf)
  let partial = NOTHING_YET
  for await (const chunk of await client.stream(conversationOf(request), {
    signal,
    ...(tools.length > 0 ? { tools } : {}),
  })) {
    signal.throwIfAborted()
    partial = extended(partial, chunk as Chunk)
    const delta = textIn(chunk.content)
    if (delta !== '') onDelta(delta)
  }
  signal.throwIfAborted()
  const empty = partial.text === '' && partial.calls.length === 0
  if (empty && partial.finish === 'content_filter')
    throw Object.assign(new Error('the provider withheld the answer (content filter)'), {
      code: 'content_filter',
    })
  // Half an answer looks like a whole one; a stream that came to its end says how it ended, or at least what it cost.
  if (partial.finish === undefined && !partial.usage)
    throw Object.assign(new Error('the answer broke off'), { code: 'ECONNRESET' })
  // `thread/plan#2/1` names this call in its thread.
  return replyOf(
    partial,
    key
      .split('/')
      .slice(-2)
      .join('-')
      .replace(/[^\w-]/g, '-'),
  )
}

/** The error without LangChain's pointer to its own documentation. Status, code and headers stay. */
function plain(error: unknown): unknown {
  if (error instanceof Error)
    error.message = error.message.replace(/\s*Troubleshooting URL: \S+\s*$/, '')
  return error
}
