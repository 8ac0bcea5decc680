/** Reads values that other programs have made, such as thrown errors and chunks of models. */

/** A field of any value. Foreign errors may be proxies, or have getters that throw. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  try {
    return (value as Readonly<Record<string, unknown>>)[name]
  } catch {
    return undefined
  }
}
