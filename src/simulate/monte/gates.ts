/** Gates: conditions in CEL over the figures of a report. */
import { defined, isMap, type Json } from '../../core/watch/data/json.ts'
import type { Fault } from '../../core/watch/data/fault.ts'
import { nameHint } from '../../core/watch/data/schema-faults.ts'
import { factsOf } from '../../core/watch/failure/failure.ts'
import { DIFFERENCES, gateCompiler, HEALTHY } from '../scenario/condition.ts'
import { InvalidScenario, type Scenario } from '../scenario/scenario.ts'
import { differenceOf, figuresOf } from './figures.ts'

export interface GateResult {
  readonly gate: string
  readonly holds: boolean
  /** The figure on the left of a comparison. */
  readonly figure?: number
  /** Of a bound of an interval: the rate or the difference itself, if it meets the gate that the bound misses. More seeds narrow the interval. */
  readonly estimate?: number
  /** Of a condition of the oracle: the other policies that violate it. They change no verdict. */
  readonly violatedBy?: readonly string[]
}

/** The figures by the names that gates use. */
export type GateValues = Readonly<Record<string, Json>>

/** @throws InvalidScenario for a gate that throws or is not a condition */
export function gateResults(
  { gates, policies }: Pick<Scenario, 'gates' | 'policies'>,
  values: GateValues,
): readonly GateResult[] {
  const compile = gateCompiler(Object.keys(policies))
  return gates.map((gate, index) => {
    const { evaluate, fault } = compile(gate)
    const path = `gates[${index}]`
    const read = (name: string) => values[name] ?? null
    if (!evaluate) throw new InvalidScenario([{ path, message: fault }])
    let holds: unknown
    try {
      holds = evaluate(read)
    } catch (error) {
      const message = factsOf(error).message.split('\n')[0] ?? ''
      throw new InvalidScenario([{ path, message: `\`${gate}\` failed: ${message}` }])
    }
    const numberOf = (left: string | undefined) => {
      const value = left === undefined ? undefined : compile(left).evaluate?.(read)
      return typeof value === 'number' ? value : undefined
    }
    const figure = numberOf(COMPARED.exec(gate)?.[1])
    const near = holds === false ? withEstimate(gate) : undefined
    const isMet = near !== undefined && compile(near).evaluate?.(read) === true
    const estimate = isMet ? numberOf(COMPARED.exec(near)?.[1]) : undefined
    if (typeof holds === 'boolean') return { gate, holds, ...defined({ figure, estimate }) }
    throw new InvalidScenario([{ path, message: `\`${gate}\`: expected a condition` }])
  })
}

const COMPARED = /^\s*([\w.]+)\s*(?:[<>]=?|==|!=)/

/** The gate with the estimate in place of the bound of an interval. `undefined`: it is not a single comparison of a bound. */
function withEstimate(gate: string): string | undefined {
  const [, path, policy, rest] = BOUND.exec(gate) ?? []
  if (path === undefined) return undefined
  return `${path}.${policy === DIFFERENCES ? 'difference' : 'rate'}${rest}`
}

const BOUND = /^\s*((\w+)\.[\w.]+)\.(?:low|high)(\s*[<>]=?\s*[\d.]+\s*)$/
const UNKNOWN_FIGURE = /No such key: (\w+)/

/** The gates that name a figure that no report has, or are values. A thousand runs later would be too late. */
export function gateFaults({
  gates,
  policies,
}: Pick<Scenario, 'gates' | 'policies'>): readonly Fault[] {
  const names = Object.keys(policies)
  const empty = (of: readonly string[], value: unknown) =>
    Object.fromEntries(of.map(name => [name, value]))
  const figures = empty([...names, HEALTHY], figuresOf([]))
  const values = { ...figures, [DIFFERENCES]: empty(names.slice(1), differenceOf([], [])) }
  return gates.flatMap((gate, index) => {
    try {
      gateResults({ gates: [gate], policies }, values as unknown as GateValues)
      return []
    } catch (error) {
      const { message } = factsOf(error)
      const [, unknown] = UNKNOWN_FIGURE.exec(message) ?? []
      const path = `gates[${index}]`
      if (unknown !== undefined)
        return {
          path,
          message: `\`${gate}\`: the figure ${unknown} is unknown; ${nameHint(unknown, namesIn(values))}`,
        }
      // Other errors may depend on the figures.
      return message.endsWith('expected a condition')
        ? { path, message: `\`${gate}\` is a value; expected a condition` }
        : []
    }
  })
}

/** The names of figures, each once. */
const namesIn = (value: unknown): readonly string[] => [
  ...new Set(
    isMap(value) ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]) : [],
  ),
]

/** The figure of a gate that does not hold, and whether more seeds can help. */
export function missText({ figure = 0, estimate }: GateResult): string {
  const is = String(Number(figure.toFixed(3)))
  return estimate === undefined
    ? is
    : `${is}; the rate itself is ${Number(estimate.toFixed(3))}: more seeds narrow the interval`
}

/** The verdict is about the policy under test. A condition that holds there may not hold under another policy of the table. */
export const violatedByText = ({ violatedBy }: GateResult): string =>
  violatedBy ? ` (other policies violate it: ${violatedBy.join(', ')})` : ''
