/** The errors of operators that do not take their operands: they cite the condition, and name the remedy where an int meets a double. */

/** The library has no overload for an int and a double: `1 * 1.2`, or `d * 1.2` for a whole number `d`. */
const OVERLOAD = /^no such overload: /
const MIXED =
  /^no such overload: (?:(?:dyn<)?int>? [-+*/] (?:dyn<)?double|(?:dyn<)?double>? [-+*/] (?:dyn<)?int)>?$/

const REMEDY = '; an int and a double do not mix: write double(…) around the int'

/** A problem with its place, as in ``no such overload: int * double in `1 * 1.2` ``, and the remedy. */
export const withPlace = (problem: string, place: string): string =>
  `${problem} ${place}${MIXED.test(problem) ? REMEDY : ''}`

/** Evaluates an expression. Only the first line of an error of an operator is its message; its name stays. */
export function citing<T>(place: string, evaluate: () => T): T {
  try {
    return evaluate()
  } catch (error) {
    const [first = ''] = error instanceof Error ? error.message.split('\n') : []
    if (!OVERLOAD.test(first)) throw error
    const { name } = error as Error
    throw Object.assign(new Error(withPlace(first, place), { cause: error }), { name })
  }
}
