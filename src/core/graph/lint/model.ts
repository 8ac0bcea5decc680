/** Lint: models that cannot do what they are named for. */
import { smarterModel } from '../spec/spec.ts'
import type { Remark } from './finding.ts'
import type { Flow } from './flow.ts'

/** Thinking again with the same model is thinking the same again: the rung would be passed over without a word. */
export function smarterIsTheSame({ spec }: Flow): Remark[] {
  return Object.entries(spec.models)
    .filter(
      ([name, { smarter }]) => smarter !== undefined && smarterModel(spec, name) === undefined,
    )
    .map(([name, { smarter }]) => ({
      rule: 'smarter-is-the-same',
      severity: 'warning',
      path: `models.${name}.smarter`,
      message: `'${smarter}' is the same model behind the same endpoint: nothing is thought again; name another one, or take it out`,
    }))
}
