/** Lint: the constant arguments of nodes that call a tool. */
import { ARGUMENTS } from '../../watch/data/fault.ts'
import type { Fault } from '../../watch/data/schema-faults.ts'
import type { Json } from '../../watch/data/json.ts'
import type { WorkingNode } from '../spec/node.ts'
import { ofKind } from '../spec/spec.ts'
import { error, type Flow, type Remark, type ToolCode, toolOf } from './flow.ts'

const argsOf = (node: WorkingNode): Json | undefined =>
  (ofKind(node, 'tool') ?? ofKind(node, 'verify'))?.args

/** Arguments that the schema in the code of the tool refuses: the call would fail in every run. */
export function wrongArguments({ working, paths, code }: Flow): Remark[] {
  return [...working].flatMap(([name, node]) => {
    const args = argsOf(node)
    const tool = code.tools[toolOf(node) ?? '']
    if (args === undefined || !tool) return []
    const whole = `${paths.get(name)}.args`
    // A reader of both may expect that they are merged.
    const merged = node.in ? '; `args` replaces `in`' : ''
    return faultsOf(tool, args).map(({ path, message }) =>
      error(
        path === ARGUMENTS ? whole : `${whole}.${path}`,
        `the tool '${toolOf(node)}' does not accept it: ${message}${merged}`,
      ),
    )
  })
}

/** What is thrown beside faults does not depend on the arguments alone. */
function faultsOf(tool: ToolCode, args: Json): readonly Fault[] {
  try {
    tool.parse?.(args)
    return []
  } catch (thrown) {
    return (thrown as { readonly faults?: readonly Fault[] }).faults ?? []
  }
}
