/** `matches` in expressions: it runs in linear time, and it is charged for the program of its pattern and for the text. */
import type { Environment } from '@marcbachmann/cel-js'
import { instructionsToBuild, linearPattern, patternFault } from '../../watch/data/pattern.ts'
import type { Meter } from './cost.ts'

/** `matches` of the library backtracks. It cannot be overridden, therefore its calls are renamed. */
export const LITERAL = 'matchesLiteral'
export const COMPUTED = 'matchesComputed'

/** Steps for each character of a computed pattern, and for each instruction of its program. */
const COMPILATION = 200
/** Instructions that read a character of a text in the time of one step. */
const INSTRUCTIONS = 8

/** Adds the functions that `useLinearMatches` calls. */
export function registerMatches(environment: Environment, meter: Meter): void {
  const matches = (text: string, source: string) => {
    // The cost of an expression depends on its values alone. Whether the pattern is known in this process does not change it.
    meter.charge(text.length)
    const pattern = linearPattern(source)
    meter.charge((text.length * pattern.instructions) / INSTRUCTIONS)
    return pattern.test(text)
  }
  environment.registerFunction(`string.${LITERAL}(string): bool`, matches)
  environment.registerFunction(
    `string.${COMPUTED}(string): bool`,
    (text: string, source: string) => {
      meter.chargeOnce(source, () => COMPILATION * (source.length + instructionsToBuild(source)))
      return matches(text, source)
    },
  )
}

/** Renames the calls of `matches`. Returns the fault of a literal pattern, which is compiled here. */
export function useLinearMatches(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined
  const { op, args } = node as { op?: string; args?: unknown }
  if (op === 'rcall' && Array.isArray(args) && args[0] === 'matches') {
    const [pattern] = args[2] as readonly { op: string; args: unknown }[]
    const literal = pattern?.op === 'value' ? pattern.args : undefined
    args[0] = typeof literal === 'string' ? LITERAL : COMPUTED
    const fault = typeof literal === 'string' && patternFault(literal)
    if (fault) return fault
  }
  const inner = args === undefined ? Object.values(node) : [args]
  return inner.map(useLinearMatches).find(fault => fault !== undefined)
}

/** A message of the library, with the name that the expression uses. */
export const withMatches = (message: string): string =>
  message.replace(LITERAL, 'matches').replace(COMPUTED, 'matches')
