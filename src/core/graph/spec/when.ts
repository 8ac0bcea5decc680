/** Conditions in CEL over the channels: labels of outcomes, and the measure of progress. */
import { Environment, ParseError, TypeError as CelTypeError } from '@marcbachmann/cel-js'
import type { Json } from '../../watch/data/json.ts'

export type When =
  /** `read` gives the value of a name; it is asked for those that stand in the expression, and for no others. */
  | { readonly evaluate: (read: (name: string) => Json) => Json; readonly fault?: undefined }
  | { readonly fault: string; readonly evaluate?: undefined }

/** What the expressions of a spec may name: its channels and `output`, or whatever the context of a statechart written by hand holds. */
export function namesIn({
  machine,
  channels,
}: {
  readonly machine?: string | undefined
  readonly channels: object
}): readonly string[] | 'any' {
  return machine === undefined ? [...Object.keys(channels), 'output'] : 'any'
}

/** Compiles expressions over these names; a fault tells its position, and which names there are. */
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
    return compileExpression(
      environment,
      text,
      listed ? words.filter(word => listed.has(word)) : words,
    )
  }
}

function compileExpression(environment: Environment, text: string, used: readonly string[]): When {
  try {
    const program = environment.parse(text)
    const checked = program.check()
    if (!checked.valid) return { fault: withPosition(checked.error, text) }
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

function withPosition(error: unknown, text: string): string {
  const { message, range } = error as { message: string; range?: { start: number } }
  const said = message.split('\n')[0] ?? 'is not understood'
  return range
    ? `CEL: ${said} at column ${range.start + 1} of \`${text}\``
    : `CEL: ${said} in \`${text}\``
}

/** Whole numbers are integers to CEL, as a reader of `visits + 1 > 3` expects; it knows JavaScript's only as doubles. */
function toCel(value: Json): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(toCel)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toCel(inner)]))
}

function fromCel(value: unknown): Json {
  return typeof value === 'bigint' ? Number(value) : (value as Json)
}
