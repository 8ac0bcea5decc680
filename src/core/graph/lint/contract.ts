/** Lint: tools whose results nothing checks. */
import { isCustomUse } from '../spec/name.ts'
import { type Flow, type Remark, warning } from './flow.ts'

/**
 * Where a graph declares what a tool returns, each tool whose results come from outside needs a contract: without one, an empty or
 * truncated result counts as an answer. The results of the other built-in tools have a fixed form.
 */
export function missingContract({ spec }: Flow): Remark[] {
  const tools = Object.entries(spec.tools)
  if (!tools.some(([, { output }]) => output)) return []
  return tools
    .filter(([, { use, output }]) => !output && (isCustomUse(use) || use === 'flaky'))
    .map(([name]) =>
      warning(
        `tools.${name}`,
        `any result of '${name}' counts as an answer, also an empty or truncated one: declare \`output\``,
      ),
    )
}
