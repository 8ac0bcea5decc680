/** The last step of a run that the watchdog ended: a model of the AI SDK that answers with the reason, and calls no provider. */
import type { LanguageModel } from 'ai'
import type { Reason } from '../../core/watch/reason/reason.ts'

type Model = Extract<LanguageModel, { readonly specificationVersion: 'v4' }>

/** `providerMetadata.escapement` carries the reason as data. */
export function stopModel(text: string, because: Reason | undefined): Model {
  const finish = {
    finishReason: { unified: 'stop', raw: 'escapement' },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 0, text: 0, reasoning: 0 },
    },
    providerMetadata: {
      escapement: because ? { because: JSON.parse(JSON.stringify(because)) } : {},
    },
  } as const
  return {
    specificationVersion: 'v4',
    provider: 'escapement',
    modelId: 'stopped',
    supportedUrls: {},
    doGenerate: async () => ({ content: [{ type: 'text', text }], warnings: [], ...finish }),
    doStream: async () => ({
      stream: new ReadableStream({
        start(stream) {
          stream.enqueue({ type: 'stream-start', warnings: [] })
          stream.enqueue({ type: 'text-start', id: 'stopped' })
          stream.enqueue({ type: 'text-delta', id: 'stopped', delta: text })
          stream.enqueue({ type: 'text-end', id: 'stopped' })
          stream.enqueue({ type: 'finish', ...finish })
          stream.close()
        },
      }),
    }),
  }
}
