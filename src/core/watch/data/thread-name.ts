/** The names of child threads, `PARENT/STATE#N/N`. Every other name is that of an independent thread, such as `customer/42`. */

/** The name of the parent in the name of a child thread. */
export function parentIn(thread: string): string | undefined {
  const at = thread.search(/\/[^/]*#\d+(\+\d+)?\/\d+$/)
  return at < 0 ? undefined : thread.slice(0, at)
}

/** Whether a thread has the name of a descendant. */
export function isBelow(thread: string, above: string): boolean {
  const parent = thread.startsWith(`${above}/`) ? parentIn(thread) : undefined
  return parent !== undefined && (parent === above || isBelow(parent, above))
}
