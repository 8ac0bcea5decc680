import type { ModelSpec } from '../../../core/graph/spec/resource.ts'
import type { Model } from '../../../runtime/ports.ts'
import { openaiModel } from './openai-model.ts'

/**
 * The models of a spec behind endpoints that speak OpenAI's chat completions, as the command line has them: at `baseURL`, or at
 * `OPENAI_BASE_URL`, with the key in the variable that `keyFrom` names. Needs `@langchain/openai` and `@langchain/core` at the first question.
 *
 * @example
 * bindGraph(spec, { workspace: '.', model: openaiModels() })
 */
export function openaiModels(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): (name: string, spec: ModelSpec) => Model {
  return (_, spec) => openaiModel(spec, environment)
}
