/** Conditions in CEL over the channels: labels of outcomes, and the measure of progress. */
import { Environment, ParseError, TypeError as CelTypeError } from '@marcbachmann/cel-js'
import { truncate } from '../../watch/data/fault.ts'
import type { Json } from '../../watch/data/json.ts'
import { COST_MAX, costMeter, toCel } from './cel-cost.ts'
import { isNestedTooDeep } from './cel-depth.ts'
import { registerMatches, useLinearMatches, withMatches } from './cel-matches.ts'

export type When =
  /**
   * `read` returns the value of a name; it is called only for `names`, those in the expression. `type` is the type of the value
   * in CEL, `dyn` if only the evaluation shows it.
   */
  | {
      readonly evaluate: (read: (name: string) => Json) => Json
      readonly names: readonly string[]
      readonly type: string
      readonly fault?: undefined
    }
  | {
      readonly fault: string
      readonly evaluate?: undefined
      readonly names?: undefined
      readonly type?: undefined
    }

/** The names that expressions may use: the channels and `output`, or any key of a hand-written statechart's context. */
export function namesIn(spec: {
  readonly machine?: string | undefined
  readonly channels: object
}): readonly string[] | 'any' {
  return spec.machine === undefined ? [...Object.keys(spec.channels), 'output'] : 'any'
}

/** Compiles expressions over these names; a fault contains its position. An evaluation that costs more than `cost` throws. */
export function whenCompiler(
  names: readonly string[] | 'any',
  { cost = COST_MAX }: { readonly cost?: number } = {},
): (text: string) => When {
  const environment = new Environment({
    homogeneousAggregateLiterals: false,
    unlistedVariablesAreDyn: names === 'any',
    limits: { maxAstNodes: 2_000 },
  })
  const listed = names === 'any' ? undefined : new Set(names)
  const meter = costMeter(cost)
  registerMatches(environment, meter)
  const aliases = registerVariables(environment, listed ?? [])
  return text => {
    const words = [...new Set(text.match(/[A-Za-z_]\w*/g))]
    const used = listed ? words.filter(word => listed.has(word)) : words
    try {
      const program = environment.parse(text)
      if (isNestedTooDeep(program.ast)) return { fault: tooDeep(text) }
      useAliases(program.ast, aliases)
      const wrong = useLinearMatches(program.ast)
      if (wrong !== undefined) return { fault: `CEL: ${wrong} in ${cited(text)}` }
      const { valid, error, type } = program.check()
      if (!valid) return { fault: withPosition(error, text) }
      meter.attach(program.ast)
      return {
        type: String(type),
        names: used,
        evaluate: read => {
          meter.start()
          const values = Object.fromEntries(
            used.map(name => [aliases.get(name) ?? name, toCel(read(name))]),
          )
          return fromCel(program(values))
        },
      }
    } catch (error) {
      if (error instanceof ParseError || error instanceof CelTypeError)
        return { fault: withPosition(error, text) }
      if (error instanceof RangeError) return { fault: tooDeep(text) }
      throw error
    }
  }
}

/** Names of CEL, such as `list` and `type`, and its reserved words. A channel may have them, because its variable gets another name. */
function registerVariables(environment: Environment, names: Iterable<string>): Aliases {
  const aliases = new Map<string, string>()
  for (const name of names)
    try {
      environment.registerVariable(name, 'dyn')
    } catch {
      aliases.set(name, `${name}__channel`)
      environment.registerVariable(`${name}__channel`, 'dyn')
    }
  return aliases
}

type Aliases = ReadonlyMap<string, string>

function useAliases(node: unknown, aliases: Aliases): void {
  if (typeof node !== 'object' || node === null || aliases.size === 0) return
  const { op, args } = node as { op?: string; args?: unknown }
  if (op === 'id') Object.assign(node, { args: aliases.get(String(args)) ?? args })
  for (const inner of args === undefined ? Object.values(node) : [args]) useAliases(inner, aliases)
}

function withPosition(error: unknown, text: string): string {
  const { message, range } = error as { message: string; range?: { start: number } }
  const problem = withMatches(message.split('\n')[0] ?? 'is not valid')
  const place = range ? `at column ${range.start + 1} of` : 'in'
  return `CEL: ${problem} ${place} ${cited(text)}`
}

const tooDeep = (text: string): string => `CEL: is nested too deep in ${cited(text)}`

/** Characters of an expression in its fault. */
const CITED_MAX = 80

const cited = (text: string): string => `\`${truncate(text, CITED_MAX)}\``

const fromCel = (value: unknown): Json =>
  typeof value === 'bigint' ? Number(value) : (value as Json)
