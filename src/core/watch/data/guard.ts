/**
 * Creates the guard of an error class. It also recognizes an error of another copy of this package, and never throws.
 *
 * @example export const isConflict = guardOf(Conflict)
 */
export function guardOf<E extends Error>(type: abstract new (...args: never[]) => E) {
  return (error: unknown): error is E => {
    try {
      return error instanceof type || (error instanceof Error && error.name === type.name)
    } catch {
      // A revoked proxy throws.
      return false
    }
  }
}
