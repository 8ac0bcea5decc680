import type { Json } from '../../core/watch/json.ts'
import { failing } from '../../runtime/outcome.ts'
import type { Node } from '../../runtime/ports.ts'

/** `use: tool` makes one call, with the arguments of the spec, or with what its `in` gives it. */
export function toolNode(tool: string, args?: Json): Node {
  return async task => {
    const answer = await task.call(tool, args ?? { ...task.input })
    return answer.ok ? answer.value : failing(answer.failure)
  }
}
