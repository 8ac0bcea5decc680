/** Conditions in CEL over the channels: labels of outcomes, and the measure of progress. */
import { Environment, ParseError, TypeError as CelTypeError } from '@marcbachmann/cel-js'
import type { Json } from '../../watch/data/json.ts'

export type When =
  /** `read` returns the value of a name; it is called only for names in the expression. */
  | { readonly evaluate: (read: (name: string) => Json) => Json; readonly fault?: undefined }
  | { readonly fault: string; readonly evaluate?: undefined }

/** The names that expressions may use: the channels and `output`, or any key of a hand-written statechart's context. */
export function namesIn(spec: {
  readonly machine?: string | undefined
  readonly channels: object
}): readonly string[] | 'any' {
  return spec.machine === undefined ? [...Object.keys(spec.channels), 'output'] : 'any'
}

/** Compiles expressions over these names; a fault contains its position. */
export function whenCompiler(names: readonly string[] | 'any'): (text: string) => When {
  const environment = new Environment({
    homogeneousAggregateLiterals: false,
    unlistedVariablesAreDyn: names === 'any',
    limits: { maxAstNodes: 2_000 },
  })
  const listed = names === 'any' ? undefined : new Set(names)
  for (const name of listed ?? []) environment.registerVariable(name, 'dyn')
  return text => {
    const words = [...new Set(text.match(/[A-Za-z_]\w*/g))]
    const used = listed ? words.filter(word => listed.has(word)) : words
    try {
      const program = environment.parse(text)
      const { valid, error } = program.check()
      if (!valid) return { fault: withPosition(error, text) }
      return {
        evaluate: read =>
          fromCel(program(Object.fromEntries(used.map(name => [name, toCel(read(name))])))),
      }
    } catch (error) {
      if (error instanceof ParseError || error instanceof CelTypeError)
        return { fault: withPosition(error, text) }
      throw error
    }
  }
}

function withPosition(error: unknown, text: string): string {
  const { message, range } = error as { message: string; range?: { start: number } }
  const problem = message.split('\n')[0] ?? 'is not valid'
  const place = range ? `at column ${range.start + 1} of` : 'in'
  return `CEL: ${problem} ${place} \`${text}\``
}

/** Converts whole numbers to integers, which `visits + 1 > 3` requires: CEL reads JavaScript numbers as doubles. */
function toCel(value: Json): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(toCel)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toCel(inner)]))
}

function fromCel(value: unknown): Json {
  return typeof value === 'bigint' ? Number(value) : (value as Json)
}
