/** Conditions in CEL over the channels: labels of outcomes, and the measure of progress. */
import { Environment, ParseError, TypeError as CelTypeError } from '@marcbachmann/cel-js'
import { truncate } from '../../watch/data/fault.ts'
import type { Json } from '../../watch/data/json.ts'
import { listNames } from '../../watch/data/schema-faults.ts'
import { type Budget, COST_MAX, costMeter } from './cost.ts'
import { isNestedTooDeep } from './depth.ts'
import { meteredEvaluator, type Part } from './evaluator.ts'
import { registerMatches, useLinearMatches, withMatches } from './matches.ts'
import { meterParts } from './metering.ts'
import { citing, withPlace } from './overload.ts'
import { fromCel, toCel } from './values.ts'

export type When =
  /**
   * `read` returns the value of a name; it is called only for `names`, those in the expression. `type` is the type of the value
   * in CEL, `dyn` if only the evaluation shows it. @throws Error if an operator fails, or if the evaluation uses up its budget
   */
  | {
      readonly evaluate: (read: (name: string) => Json, budget?: Budget) => Json
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

interface Limits {
  /** An evaluation that costs more throws. */
  readonly cost?: number
  /** Of a longer list, an expression reads so many items. */
  readonly items?: number
}

/** Compiles expressions over these names; a fault contains its position. */
export function whenCompiler(
  names: readonly string[] | 'any',
  { cost = COST_MAX, items = Number.POSITIVE_INFINITY }: Limits = {},
): (text: string) => When {
  const environment = new Environment({
    homogeneousAggregateLiterals: false,
    unlistedVariablesAreDyn: names === 'any',
    limits: { maxAstNodes: 2_000 },
  })
  const listed = names === 'any' ? undefined : new Set(names)
  const meter = costMeter(cost)
  const conversion = { items, charge: meter.charge }
  const evaluate = meteredEvaluator(environment, meter)
  registerMatches(environment, meter)
  const aliases = registerVariables(environment, listed ?? [])
  return text => {
    try {
      const program = environment.parse(text)
      if (isNestedTooDeep(program.ast)) return { fault: tooDeep(text) }
      const used = [...new Set(identifiersIn(program.ast))].filter(
        name => listed?.has(name) ?? true,
      )
      useAliases(program.ast, aliases)
      const wrong = useLinearMatches(program.ast)
      if (wrong !== undefined) return { fault: `CEL: ${wrong} in ${cited(text)}` }
      const { valid, error, type } = program.check()
      if (!valid) return { fault: withPosition(error, text, names) }
      const root = program.ast as unknown as Part
      const unmetered = meterParts(root, meter)
      if (unmetered !== undefined) return { fault: `CEL: ${unmetered} in ${cited(text)}` }
      return {
        type: String(type),
        names: used,
        evaluate: (read, budget) => {
          meter.start(budget)
          const values = used.map(name => [
            aliases.get(name) ?? name,
            toCel(read(name), conversion),
          ])
          const result = citing(`in ${cited(text)}`, () =>
            evaluate(root, Object.fromEntries(values)),
          )
          return fromCel(result)
        },
      }
    } catch (error) {
      if (error instanceof ParseError || error instanceof CelTypeError)
        return { fault: withPosition(error, text, names) }
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

/** With the variables of macros. */
function identifiersIn(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return []
  const { op, args } = node as { op?: string; args?: unknown }
  if (op === 'id') return [String(args)]
  return (args === undefined ? Object.values(node) : [args]).flatMap(identifiersIn)
}

function useAliases(node: unknown, aliases: Aliases): void {
  if (typeof node !== 'object' || node === null || aliases.size === 0) return
  const { op, args } = node as { op?: string; args?: unknown }
  if (op === 'id') Object.assign(node, { args: aliases.get(String(args)) ?? args })
  for (const inner of args === undefined ? Object.values(node) : [args]) useAliases(inner, aliases)
}

function withPosition(error: unknown, text: string, names: readonly string[] | 'any'): string {
  const { message, range } = error as { message: string; range?: { start: number } }
  const [first = 'is not valid'] = truncate(message, MESSAGE_MAX).split('\n')
  const place = range ? `at column ${range.start + 1} of` : 'in'
  const isUnknown = first.startsWith('Unknown variable') && names !== 'any' && names.length > 0
  const known = isUnknown ? `; expected one of: ${listNames(names)}` : ''
  return `CEL: ${withPlace(withMatches(first), `${place} ${cited(text)}`)}${known}`
}

const tooDeep = (text: string): string => `CEL: is nested too deep in ${cited(text)}`

/** Characters of a message, which may cite a name of any length. */
const MESSAGE_MAX = 300

/** Characters of an expression in its fault. */
const CITED_MAX = 80

const cited = (text: string): string => `\`${truncate(text, CITED_MAX)}\``
