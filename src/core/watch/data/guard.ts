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

/** The base class of the errors with a fixed name and code. */
export function codedError<const N extends string, const C extends string>(
  name: N,
  code: C,
): new (
  message?: string,
  options?: ErrorOptions,
) => Error & Readonly<{ name: N; code: C }> {
  return class extends Error {
    override readonly name = name
    readonly code = code
  }
}
