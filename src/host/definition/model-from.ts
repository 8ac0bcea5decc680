/** Accepts models of this package, of the AI SDK and of LangChain, which it recognizes by their structure. */
import { codedError, guardOf } from '../../core/watch/data/fault.ts'
import { type AiSdkModel, aiSdkModel, isAiSdkModel } from '../../adapters/model/ai-sdk.ts'
import { isLangChainModel, langchainModel } from '../../adapters/model/langchain/chat-model.ts'
import type { LangChainModel } from '../../adapters/model/langchain/chat-model.ts'
import type { ModelOptions } from '../../kit/model.ts'
import type { Model } from '../../runtime/ports.ts'

/** A model of escapement, of the AI SDK, or of LangChain. */
export type AnyModel = Model | AiSdkModel | LangChainModel

/** The value given as a model has an unknown structure. */
export class UnknownModel extends codedError('UnknownModel', 'unknown-model') {
  constructor(value: unknown) {
    super(
      `${describeValue(value)} is not a model; expected a language model of the AI SDK (openai('gpt-4o-mini')), a chat model of LangChain (new ChatOpenAI({ model: 'gpt-4o-mini' })), or an object with id, timeout and ask`,
    )
  }
}

/** Whether an error is an `UnknownModel`. */
export const isUnknownModel = guardOf(UnknownModel)

/**
 * Converts a model of any supported library.
 * @throws UnknownModel
 * @example
 * const model = modelFrom(openai('gpt-4o-mini'), { price: { input: 0.15, output: 0.6 }, timeout: 60_000 })
 */
export function modelFrom(value: AnyModel, options: ModelOptions = {}): Model {
  if (isAiSdkModel(value)) return aiSdkModel(value, options)
  if (isLangChainModel(value)) return langchainModel(value, options)
  if (!isModel(value)) throw new UnknownModel(value)
  // The prototype keeps the methods of a class instance.
  return Object.keys(options).length === 0
    ? value
    : Object.assign(Object.create(value) as Model, options)
}

/** Whether `modelFrom` accepts a value. */
export const isAnyModel = (value: unknown): value is AnyModel =>
  isAiSdkModel(value) || isLangChainModel(value) || isModel(value)

function isModel(value: unknown): value is Model {
  if (typeof value !== 'object' || value === null) return false
  const { id, timeout, ask } = value as Partial<Model>
  return typeof id === 'string' && typeof timeout === 'number' && typeof ask === 'function'
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return `the text '${value.slice(0, 80)}'`
  if (typeof value !== 'object' || value === null) return String(value).slice(0, 80)
  const version = (value as { specificationVersion?: unknown }).specificationVersion
  if (typeof version === 'string') return `a model of the AI SDK with specification ${version}`
  const { name } = value.constructor ?? {}
  return name && name !== 'Object' ? `an object of the class ${name}` : 'an object'
}
