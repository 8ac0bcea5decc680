/** A model without a script, where only scripts may answer. */
import type { ModelSpec } from '../core/graph/spec/resource.ts'
import { modelFields } from '../kit/model.ts'
import type { Model } from '../runtime/ports.ts'
import { NoTurn } from './scripted-model.ts'

/** A model was asked, and nothing scripts it. A simulation ends: every run would show the same, and nothing about the graph. */
export class NoScript extends NoTurn {}

/** Each call fails, and the error says where to set a script. */
export function unscriptedModel(name: string, spec: ModelSpec): Model {
  const fault = `model '${name}' has no script; set \`models.${name}.offline\` in the graph, or name a script under \`models\` of the scenario`
  return { ...modelFields(spec.id, spec), ask: () => Promise.reject(new NoScript(fault)) }
}
