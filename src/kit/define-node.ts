import type { Json } from '../core/watch/json.ts'
import { checkDeclaration } from '../core/watch/detect/custom.ts'
import type { Task } from '../runtime/ports.ts'
import type { CustomNode } from './bind.ts'

interface NodeOptions {
  readonly name: string
  /** A whole number; another one where it would do otherwise with the same task. */
  readonly version: number
  /** `settings` is what stands under `with` in the spec. */
  run(task: Task, settings: Json): Promise<unknown>
}

/**
 * A node of one's own with a declared version: threads say in their first event which one they began with.
 *
 * @throws TypeError if the name or the version is none
 * @example export const weigh = defineNode({ name: 'weigh', version: 1, run: async ({ input }) => ({ heavy: Number(input.kg) > 20 }) })
 */
export function defineNode(options: NodeOptions): CustomNode {
  const { name, version, run } = checkDeclaration('node', options)
  return Object.assign((task: Task, settings: Json) => run(task, settings), {
    version: `${name}@${version}`,
  })
}
