/** Regular expressions that run in linear time, with RE2. A pattern of a spec or a model cannot block the process. */
import { RE2JS } from 're2js'

/** A larger program would be linear and still slow. */
const INSTRUCTIONS_MAX = 3_000
const LENGTH_MAX = 10_000

/** A regular expression whose matching is done by RE2. `source` and `flags` are those of JavaScript. */
export class LinearPattern extends RegExp {
  readonly #linear: RE2JS

  /** @throws SyntaxError with the reason, for patterns that JavaScript or RE2 cannot run */
  constructor(source: string, flags: '' | 'i' = '') {
    super(source, flags)
    this.#linear = compile(source, flags === 'i' ? RE2JS.CASE_INSENSITIVE : 0)
  }

  override test(text: string): boolean {
    return this.#linear.test(text)
  }

  override exec(text: string): RegExpExecArray | null {
    return this.#linear.exec(text) as RegExpExecArray | null
  }
}

function compile(source: string, flags: number): RE2JS {
  const unsupported = unsupportedIn(source)
  const wrong = `Invalid regular expression: /${source.slice(0, 200)}/: ${unsupported} not supported, because patterns run in linear time (RE2 syntax)`
  if (unsupported) throw new SyntaxError(wrong)
  try {
    const linear = RE2JS.compile(RE2JS.translateRegExp(source), flags)
    if (linear.re2().numberOfInstructions() <= INSTRUCTIONS_MAX) return linear
  } catch (error) {
    const reason = (error as Error).message.replace('error parsing regexp: ', '')
    throw new SyntaxError(
      `Invalid regular expression: /${source.slice(0, 200)}/: ${reason}, in the syntax of RE2`,
    )
  }
  throw new SyntaxError(
    `Invalid regular expression: /${source.slice(0, 200)}/: its repetitions are too large; shorten them, as in {1,100}`,
  )
}

function unsupportedIn(source: string): string | undefined {
  if (source.length > LENGTH_MAX) return `more than ${LENGTH_MAX} characters are`
  // Escaped characters and character classes do not count.
  const structure = source.replace(/\\[^1-9k]/g, '').replace(/\[(?:\\.|[^\]\\])*\]/g, '')
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

const PATTERNS_MAX = 500
const patterns = new Map<string, LinearPattern>()

/** Patterns are data and are applied often, therefore each is compiled once. @throws SyntaxError */
export function linearPattern(source: string, flags: '' | 'i' = ''): LinearPattern {
  const key = `${flags}/${source}`
  const known = patterns.get(key) ?? new LinearPattern(source, flags)
  if (!patterns.has(key) && patterns.size >= PATTERNS_MAX) patterns.clear()
  patterns.set(key, known)
  return known
}
