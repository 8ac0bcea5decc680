/** How deep an expression in CEL may be nested. */

/**
 * The evaluation is recursive, and `||` takes a full stack for an error of its left side. Without a limit far from the stack's,
 * the result of an expression would depend on the stack of the process. So many levels take less than a third of the usual stack.
 */
const LEVELS_MAX = 500

/** Whether the tree of an expression has more levels than may be evaluated. */
export function isNestedTooDeep(node: unknown, levels = LEVELS_MAX): boolean {
  if (typeof node !== 'object' || node === null) return false
  if (Array.isArray(node)) return node.some(inner => isNestedTooDeep(inner, levels))
  return levels === 0 || isNestedTooDeep((node as { args?: unknown }).args, levels - 1)
}
