/** Regular expressions that run in linear time, with RE2. A pattern of a spec or a model cannot block the process. */
import { RE2JS } from 're2js'
import { instructionsOf } from './pattern-size.ts'

/** A larger program would be linear and still slow. */
const INSTRUCTIONS_MAX = 3_000
/** A larger program is not built. Alternatives that begin alike make the built one smaller. */
const BUILT_MAX = 12_000
/** Characters of a pattern. */
export const LENGTH_MAX = 10_000
/** Bytes of the states that one pattern keeps. */
const STATES_MAX = 262_144

/** A regular expression whose matching is done by RE2. `source` and `flags` are those of JavaScript. */
export class LinearPattern extends RegExp {
  readonly #linear: RE2JS

  /** @throws SyntaxError with the reason, for patterns that JavaScript or RE2 cannot run */
  constructor(source: string, flags: '' | 'i' = '') {
    super(source, flags)
    this.#linear = compile(source, flags === 'i' ? RE2JS.CASE_INSENSITIVE : 0)
    limitStates(this.#linear)
  }

  /** The size of its program. In the worst case, each reads every character of a text. */
  get instructions(): number {
    return this.#linear.re2().numberOfInstructions()
  }

  override test(text: string): boolean {
    return this.#linear.test(text)
  }

  override exec(text: string): RegExpExecArray | null {
    return this.#linear.exec(text) as RegExpExecArray | null
  }
}

function compile(source: string, flags: number): RE2JS {
  const invalid = (reason: string) =>
    new SyntaxError(`Invalid regular expression: /${source.slice(0, 200)}/: ${reason}`)
  const unsupported = unsupportedIn(source)
  if (unsupported)
    throw invalid(`${unsupported} not supported, because patterns run in linear time (RE2 syntax)`)
  const tooLarge = () =>
    invalid('its repetitions or classes are too large; shorten them, as in {1,100}')
  if (instructionsOf(source) > BUILT_MAX) throw tooLarge()
  let linear: RE2JS
  try {
    linear = RE2JS.compile(RE2JS.translateRegExp(source), flags)
  } catch (error) {
    const reason = (error as Error).message.replace('error parsing regexp: ', '')
    throw invalid(`${reason}, in the syntax of RE2`)
  }
  if (linear.re2().numberOfInstructions() > INSTRUCTIONS_MAX) throw tooLarge()
  return linear
}

/**
 * RE2 builds a state for each new situation. A pattern whose states are full would discard and build them for each text. It continues with
 * the engine without states, whose cost per character is constant. RE2JS has an option for sets of patterns only.
 */
function limitStates(linear: RE2JS): void {
  const { dfa } = linear.re2() as unknown as { readonly dfa: object }
  const resetCache = () => {
    Object.assign(dfa, { failed: true })
    return null
  }
  Object.assign(dfa, { stateBudget: STATES_MAX, memBudget: STATES_MAX, resetCache })
}

function unsupportedIn(source: string): string | undefined {
  if (source.length > LENGTH_MAX) return `more than ${LENGTH_MAX} characters are`
  // Escaped characters and character classes do not count.
  const structure = source.replace(/\\[^1-9k]/g, '').replace(/\[(?:\\.|[^\]\\])*(?:\]|$)/g, '')
  if (/\(\?<?[=!]/.test(structure)) return 'lookahead and lookbehind are'
  if (/\\[1-9k]/.test(structure)) return 'backreferences are'
  return undefined
}

/** The reason why a pattern cannot be used; `undefined` if it can. */
export function patternFault(source: string): string | undefined {
  try {
    linearPattern(source)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** The instructions that compiling a pattern builds: 0 for one that is refused for its size. */
export function instructionsToBuild(source: string): number {
  const instructions = source.length > LENGTH_MAX ? 0 : instructionsOf(source)
  return instructions > BUILT_MAX ? 0 : instructions
}

const PATTERNS_MAX = 500
/** In the order of their last use, with the patterns that are refused. */
const patterns = new Map<string, LinearPattern | SyntaxError>()

/** Patterns are data and are applied often, therefore each is compiled once. @throws SyntaxError */
export function linearPattern(source: string, flags: '' | 'i' = ''): LinearPattern {
  if (source.length > LENGTH_MAX) return new LinearPattern(source, flags)
  const key = `${flags}/${source}`
  const pattern = patterns.get(key) ?? compiled(source, flags)
  patterns.delete(key)
  patterns.set(key, pattern)
  const [oldest] = patterns.size > PATTERNS_MAX ? patterns.keys() : []
  if (oldest !== undefined) patterns.delete(oldest)
  if (pattern instanceof SyntaxError) throw pattern
  return pattern
}

function compiled(source: string, flags: '' | 'i'): LinearPattern | SyntaxError {
  try {
    return new LinearPattern(source, flags)
  } catch (error) {
    if (error instanceof SyntaxError) return error
    throw error
  }
}
