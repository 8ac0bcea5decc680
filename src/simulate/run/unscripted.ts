/** Models without a script: asking one is an error of the scenario, not a failure that the graph has to bear. */
import type { Model } from '../../runtime/ports.ts'
import type { Replacements } from '../../testing/replace.ts'
import { NoScript } from '../../testing/unscripted-model.ts'
import { InvalidScenario } from '../scenario/scenario.ts'

/** The models of a run report that they have no script when they are asked. */
export const reportNoScript =
  (report: (error: InvalidScenario) => void): Replacements['model'] =>
  (model, name) => {
    const ask: Model['ask'] = async (request, call) => {
      try {
        return await model.ask(request, call)
      } catch (error) {
        if (error instanceof NoScript)
          report(new InvalidScenario([{ path: `models.${name}`, message: error.message }]))
        throw error
      }
    }
    return Object.assign(Object.create(model) as Model, { ask })
  }
