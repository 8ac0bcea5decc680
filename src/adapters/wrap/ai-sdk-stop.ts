/** The last step of a call that the watchdog ended. */
import type { LanguageModel } from 'ai'
import type { Reason } from '../../core/watch/reason/reason.ts'

/**
 * The model of the last step after the watchdog ended the run: it answers with the exit message and calls no provider.
 * `providerMetadata.escapement` has the reason as data.
 */
export function stopModel(
  text: string,
  because: Reason | undefined,
): Extract<LanguageModel, { readonly specificationVersion: 'v4' }> {
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
      stream: ReadableStream.from([
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: 'stopped' },
        { type: 'text-delta', id: 'stopped', delta: text },
        { type: 'text-end', id: 'stopped' },
        { type: 'finish', ...finish },
      ] as const),
    }),
  }
}
