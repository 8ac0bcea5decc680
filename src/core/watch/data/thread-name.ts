/** The names of child threads, `PARENT/STATE#N/N`. Every other name is that of an independent thread, such as `customer/42`. */

/** The name of the parent in the name of a child thread. Reads only the end of the name, which may be very long. */
export function parentIn(thread: string): string | undefined {
  const at = thread.lastIndexOf('/', thread.lastIndexOf('/') - 1)
  return /^\/[^/]*#\d+(\+\d+)?\/\d+$/.test(thread.slice(at)) ? thread.slice(0, at) : undefined
}

/** Whether a thread has the name of a descendant. */
export function isBelow(thread: string, above: string): boolean {
  if (!thread.startsWith(`${above}/`)) return false
  let parent = parentIn(thread)
  while (parent !== undefined && parent.length > above.length) parent = parentIn(parent)
  return parent === above
}
