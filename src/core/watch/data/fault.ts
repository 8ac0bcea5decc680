/** Faults in specs and policies (the place, and what was expected), their texts, and the base of error classes. */
import { oneLine } from './invisible.ts'

/** `path` reads `nodes.B.on.done`. `message` names what was expected. */
export type Fault = Readonly<{ path: string; message: string }>

/** Either the fields of `T`, or faults. */
export type OrFaults<T, F = Fault> =
  | (T & { readonly faults?: undefined })
  | ({ readonly [K in keyof T]?: undefined } & { readonly faults: readonly F[] })

/** A fault on one line: a line break in a key must not look like another fault. */
export const faultLine = ({ path, message }: Fault): string => oneLine(`${path}: ${message}`)

/** The most faults that a message names. */
const SHOWN_MAX = 20

/** The path of a fault in the arguments of a tool as a whole. */
export const ARGUMENTS = 'arguments'

/** The message of a value with so many faults that its check ended early. */
export const NOT_CHECKED = 'has too many faults; the rest was not checked'

/** The message of a value that a schema would take too long to check. */
export const TOO_LARGE = 'is too large to be checked by its schema'

/** The texts of the first faults, and the number of the others if it is known. */
export function firstFaults(
  faults: readonly Fault[],
  text: (fault: Fault) => string = ({ path, message }) => `${path}: ${message}`,
): readonly string[] {
  const shown = faults.slice(0, SHOWN_MAX).map(text)
  const more = faults.length - shown.length
  if (more === 0) return shown
  const isPartial = faults.some(({ message }) => message === NOT_CHECKED)
  return [...shown, isPartial ? 'and more' : `and ${more} more`]
}

/** A text cut to `max` characters. */
export const truncate = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max)}…` : text

/** `whole`: the text for an empty path. */
export function pathOf(path: readonly PropertyKey[], whole = ''): string {
  const steps = path.map(key =>
    typeof key === 'number' || key === ''
      ? `[${JSON.stringify(key)}]`
      : `.${truncate(String(key), STEP_MAX)}`,
  )
  return steps.join('').replace(/^\./, '') || whole
}

/** Characters of a key in a path: a key of any length may stand above very many faults. */
const STEP_MAX = 200

/** Keys of version 0.1.0 and their current names. */
const RENAMED: Readonly<Record<string, string>> = {
  wall: 'duration',
  silence: 'noToolCall',
  monologue: 'repeatedText',
  chant: 'degenerateOutput',
}

/** The message for a key or a name that is not one of `known`. */
export function unknownKey(key: string, known: readonly string[]): string {
  const renamed = Object.hasOwn(RENAMED, key) ? RENAMED[key] : undefined
  if (renamed !== undefined && known.includes(renamed)) return `was renamed '${renamed}'`
  const near = known.find(other => isTypo(key, other))
  if (near !== undefined) return `is unknown; did you mean '${near}'?`
  return known.length > 0 ? `is unknown; expected one of: ${known.join(', ')}` : 'is unknown'
}

/** Refuses an option that is not one of `known` and would be ignored. @throws TypeError */
export function checkOptionNames(given: object, known: readonly string[]): void {
  for (const [key, value] of Object.entries(given))
    if (value !== undefined && !known.includes(key))
      throw new TypeError(`${key}: ${unknownKey(key, known)}`)
}

/** Whether one letter is missing, extra, wrong or swapped with the next, or only the case differs. */
export function isTypo(typed: string, known: string): boolean {
  // First: a text of a megabyte may be compared with many names.
  if (Math.abs(typed.length - known.length) > 1) return false
  const [a, b] = [typed.toLowerCase(), known.toLowerCase()]
  const same = [...a].findIndex((letter, index) => letter !== b[index])
  const [restA, restB] = same < 0 ? ['', b.slice(a.length)] : [a.slice(same), b.slice(same)]
  const swapped = restA.charAt(1) + restA.charAt(0) + restA.slice(2)
  const [tailA, tailB] = [restA.slice(1), restB.slice(1)]
  return tailA === tailB || tailA === restB || restA === tailB || swapped === restB
}

/** The kind of a value in YAML terms. */
export function kindOf(value: unknown): string {
  if (value === null) return 'nothing'
  return typeof value === 'object' ? (Array.isArray(value) ? 'a list' : 'a map') : typeof value
}

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
