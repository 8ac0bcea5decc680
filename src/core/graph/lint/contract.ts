/** Lint: tools whose results nothing checks. */
import { isCustomUse } from '../spec/name.ts'
import { type Flow, type Remark, warning } from './flow.ts'

/**
 * A custom tool needs a contract for its results, in the spec or in its code: without one, an empty or truncated result counts as an
 * answer. The results of the built-in tools have a fixed form.
 */
export function missingContract({ spec, code }: Flow): Remark[] {
  return Object.entries(spec.tools)
    .filter(
      ([name, { use, output }]) => isCustomUse(use) && !output && !code.tools[name]?.checkResult,
    )
    .map(([name]) =>
      warning(
        `tools.${name}`,
        `any result of '${name}' counts as an answer, also an empty or truncated one: declare \`output\`, or \`outputSchema\` in its code`,
      ),
    )
}
