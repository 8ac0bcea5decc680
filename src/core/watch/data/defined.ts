/** The object without its undefined values: spread over defaults, it hides none of them. */
export function defined<T extends object>(part: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(part).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> }
}
